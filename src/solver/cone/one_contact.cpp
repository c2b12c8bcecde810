#include "slipstick/solver/cone/one_contact.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/math/cone_projection.h"
#include "slipstick/math/trigonometric_polynomial.h"

namespace slipstick::internal {
namespace {

// Below this fraction of the largest eigenvalue an eigenvalue of W is rounding.
constexpr double kRankTolerance = 1e-13;
// A candidate solves if its residual is below this fraction of the velocities that were summed up to get it.
constexpr double kAccepted = 1e-12;
// If none does, the best one still counts as a solution up to here (an ill-conditioned root).
constexpr double kTolerated = 1e-9;

// Cross product of two plane vectors.
template <typename T>
T Cross(const T& ax, const T& ay, const T& bx, const T& by) {
  return ax * by - ay * bx;
}

Vec2 Direction(double angle) { return {std::cos(angle), std::sin(angle)}; }

}  // namespace

OneContact::OneContact(const Mat3& W, double mu, FrictionRule rule)
    : W_(0.5 * (W + W.transpose())), mu_(mu), rule_(rule), scale_(W.trace() / 3) {
  if (!(scale_ > 0)) scale_ = 1;
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(W_);
  vectors_ = eigen.eigenvectors();
  values_ = eigen.eigenvalues();
  inverse_values_.setZero();
  rank_ = 0;
  for (int i = 0; i < 3; ++i) {
    if (!(values_[i] > kRankTolerance * values_[2])) continue;
    ++rank_;
    inverse_values_[i] = 1 / values_[i];
  }
}

// In three stages instead of by a stored W⁺: keeps W r + q small even where W is ill-conditioned.
Vec3 OneContact::StickImpulse(const Vec3& q) const {
  return -(vectors_ * inverse_values_.cwiseProduct(vectors_.transpose() * q));
}

bool OneContact::InCone(const Vec3& r) const { return std::hypot(r[1], r[2]) <= mu_ * r[0]; }

double OneContact::Residual(const Vec3& r, const Vec3& q) const {
  Vec3 shifted = W_ * r + q;
  if (rule_ == FrictionRule::kCoulomb) shifted[0] += mu_ * std::hypot(shifted[1], shifted[2]);
  return scale_ * (r - ProjectOnCone(r - shifted / scale_, mu_)).norm();
}

OneContactAnswer OneContact::Answer(const Vec3& r, const Vec3& q, ContactState state) const {
  return {r, W_ * r + q, state};
}

// The second term stands for the rounding of W r where r is so large that it swamps q.
double OneContact::Magnitude(const Vec3& r, const Vec3& q) const {
  return std::max(q.cwiseAbs().maxCoeff(), 1e-2 * scale_ * r.cwiseAbs().maxCoeff());
}

OneContactAnswer OneContact::WithoutFriction(const Vec3& q) const {
  if (q[0] >= 0) return Answer(Vec3::Zero(), q, ContactState::kTakeOff);
  // a contact that no impulse can move
  if (!(W_(0, 0) > kRankTolerance * values_[2])) return Answer(Vec3::Zero(), q, ContactState::kNone);
  return Answer(Vec3(-q[0] / W_(0, 0), 0, 0), q, ContactState::kSlip);
}

// f(λ) = |r_T| − μ r_N along r = start + λ n, n the null vector of W, is convex: its minimum tells whether the line
// meets the cone.
bool OneContact::StickOnLine(const Vec3& start, Vec3* r) const {
  const Vec3 null = vectors_.col(0);
  const Vec2 a = start.tail<2>(), b = null.tail<2>();
  const double b_norm = b.norm(), pull = mu_ * std::abs(null[0]);
  double lambda;
  if (b_norm < pull) {
    // f falls without end towards ±n
    const double excess = a.norm() - mu_ * start[0];
    lambda = std::copysign(std::max(excess, 0.0) / (pull - b_norm), null[0]);
  } else if (b_norm > pull) {
    // with x the coordinate along b: √(x² + a⊥²) − m x is least at x = m a⊥/√(1 − m²)
    const Vec2 along = b / b_norm;
    const double a_along = a.dot(along), a_across = std::abs(Cross(a[0], a[1], along[0], along[1]));
    const double m = mu_ * null[0] / b_norm;
    lambda = (m * a_across / std::sqrt((1 - m) * (1 + m)) - a_along) / b_norm;
  } else {
    return false;
  }
  *r = start + lambda * null;
  return r->allFinite() && InCone(*r);
}

// An r of the cone with W r = −q, if there is one.
bool OneContact::SolveStick(const Vec3& q, Vec3* r) const {
  const Vec3 start = StickImpulse(q);
  if (rank_ < 3 && (W_ * start + q).norm() > kAccepted * q.norm()) return false;
  *r = start;
  if (InCone(start)) return true;
  if (rank_ == 2) return StickOnLine(start, r);
  if (rank_ == 1) {
    // W = λ w wᵀ: only β = w·r counts, and the generator of the cone that is nearest to ±w reaches every β of its sign
    const Vec3 w = vectors_.col(2);
    const double beta = w.dot(start);
    const Vec3 generator = ProjectOnCone(std::copysign(1.0, beta) * w, mu_);
    if (!(generator.squaredNorm() > 0)) return false;
    *r = generator * (std::abs(beta) / generator.squaredNorm());
    return true;
  }
  return false;
}

// Calls visit(r) for every r on the cone's surface with u_N = 0 and u_T parallel to r_T; the caller checks the signs.
// With r_T = −μ r_N d and u_N = 0:  r_N = −q_N/D,  D = W_NN − μ W_NT·d,  and D u_T = q_T D − q_N (W_TN − μ W_TT d) =:
// g(d), affine in d, must be parallel to d: F = g × d = 0, of degree 2.
template <typename Visitor>
void OneContact::VisitCoulombSlips(const Vec3& q, Visitor visit) const {
  using Trig = TrigonometricPolynomial;
  const Trig x = Trig::Cosine(), y = Trig::Sine();
  const Trig denominator = Trig(W_(0, 0)) - x * (mu_ * W_(0, 1)) - y * (mu_ * W_(0, 2));
  const Trig g_x = denominator * q[1] - (Trig(W_(1, 0)) - x * (mu_ * W_(1, 1)) - y * (mu_ * W_(1, 2))) * q[0];
  const Trig g_y = denominator * q[2] - (Trig(W_(2, 0)) - x * (mu_ * W_(2, 1)) - y * (mu_ * W_(2, 2))) * q[0];
  for (double angle : Cross(g_x, g_y, x, y).Roots()) {
    const Vec2 d = Direction(angle);
    const double D = W_(0, 0) - mu_ * (W_(0, 1) * d[0] + W_(0, 2) * d[1]);
    const double normal = -q[0] / D;
    if (!(normal > 0) || !std::isfinite(normal)) continue;
    visit(Vec3(normal, -mu_ * normal * d[0], -mu_ * normal * d[1]));
  }
}

// The same for the associated rule: u = κ(μ, d), orthogonal to the generator v = (1, −μ d) with r = r_N v. Hence
// r_N = −q·v / vᵀWv, and (vᵀWv) u_T = q_T (vᵀWv) − (q·v)(W_TN − μ W_TT d) must be parallel to d: of degree 3.
template <typename Visitor>
void OneContact::VisitAssociatedSlips(const Vec3& q, Visitor visit) const {
  using Trig = TrigonometricPolynomial;
  const Trig x = Trig::Cosine(), y = Trig::Sine();
  const Trig h_n = Trig(W_(0, 0)) - x * (mu_ * W_(0, 1)) - y * (mu_ * W_(0, 2));  // W v
  const Trig h_x = Trig(W_(1, 0)) - x * (mu_ * W_(1, 1)) - y * (mu_ * W_(1, 2));
  const Trig h_y = Trig(W_(2, 0)) - x * (mu_ * W_(2, 1)) - y * (mu_ * W_(2, 2));
  const Trig curvature = h_n - x * h_x * mu_ - y * h_y * mu_;
  const Trig slope = Trig(q[0]) - x * (mu_ * q[1]) - y * (mu_ * q[2]);
  const Trig condition = curvature * (y * q[1] - x * q[2]) - slope * Cross(h_x, h_y, x, y);
  for (double angle : condition.Roots()) {
    const Vec2 d = Direction(angle);
    const Vec3 v(1, -mu_ * d[0], -mu_ * d[1]);
    const double normal = -q.dot(v) / v.dot(W_ * v);
    if (!(normal > 0) || !std::isfinite(normal)) continue;
    visit(normal * v);
  }
}

OneContactAnswer OneContact::Solve(const Vec3& q) const {
  if (mu_ == 0) return WithoutFriction(q);
  const bool coulomb = rule_ == FrictionRule::kCoulomb;
  if (coulomb ? q[0] >= 0 : q[0] >= mu_ * std::hypot(q[1], q[2]))
    return Answer(Vec3::Zero(), q, ContactState::kTakeOff);
  Vec3 stick;
  if (SolveStick(q, &stick)) return Answer(stick, q, ContactState::kStick);

  // Candidates are judged by their residual, so that an ill-conditioned root can do no harm; among those that solve,
  // the least normal impulse is taken. The corner cases between the states, where rounding may refuse all of them, are
  // covered by the apex and by the sticking point pulled back into the cone.
  Vec3 best = Vec3::Zero();
  double best_residual = Residual(best, q) / Magnitude(best, q);
  ContactState best_state = ContactState::kTakeOff;
  const auto consider = [&](const Vec3& r, ContactState state) {
    const double residual = Residual(r, q) / Magnitude(r, q);
    const bool both_solve = std::max(residual, best_residual) <= kAccepted;
    if (both_solve ? r[0] < best[0] : residual < best_residual) {
      best = r;
      best_residual = residual;
      best_state = state;
    }
  };
  const auto slip = [&](const Vec3& r) { consider(r, ContactState::kSlip); };
  if (coulomb) {
    VisitCoulombSlips(q, slip);
  } else {
    VisitAssociatedSlips(q, slip);
  }
  if (best_residual > kAccepted) consider(ProjectOnCone(StickImpulse(q), mu_), ContactState::kStick);
  return Answer(best, q, best_residual <= kTolerated ? best_state : ContactState::kNone);
}

OneContact::Solutions OneContact::AllSolutions(const Vec3& q) const {
  Solutions solutions;
  const auto add = [&](const Vec3& r, ContactState state) {
    if (Residual(r, q) > kAccepted * Magnitude(r, q)) return;
    // where two states meet, the same r comes twice
    for (int i = 0; i < solutions.count; ++i)
      if ((solutions.values[i].r - r).norm() <= 1e-9 * r.norm()) return;
    if (solutions.count < static_cast<int>(solutions.values.size()))
      solutions.values[solutions.count++] = Answer(r, q, state);
  };
  if (mu_ == 0) {
    const OneContactAnswer only = WithoutFriction(q);
    add(only.r, only.state);
    return solutions;
  }
  add(Vec3::Zero(), ContactState::kTakeOff);
  Vec3 stick;
  if (SolveStick(q, &stick)) add(stick, ContactState::kStick);
  const auto slip = [&](const Vec3& r) { add(r, ContactState::kSlip); };
  if (rule_ == FrictionRule::kCoulomb) {
    VisitCoulombSlips(q, slip);
  } else {
    VisitAssociatedSlips(q, slip);
  }
  return solutions;
}

OneDiskAnswer SolveOneDisk(const Mat2& W, const Vec2& q, double radius) {
  if (radius == 0) return {Vec2::Zero(), ContactState::kSlip};
  const double trace = W.trace(), determinant = W.determinant();
  const bool regular = determinant > kRankTolerance * trace * trace;
  Vec2 inside = Vec2::Zero();
  if (regular) {
    inside = -(W.inverse() * q);
  } else if (trace > 0) {
    inside = -q / trace;  // for rank one W⁺ = W/trace², and W q = trace q for q in its range
  }
  const double magnitude = q.norm();
  const auto solves = [&](const Vec2& r) { return (W * r + q).norm() <= kAccepted * magnitude; };
  if (inside.norm() <= radius && (regular || solves(inside))) return {inside, ContactState::kStick};
  if (!std::isfinite(radius)) return {inside, ContactState::kNone};

  // r = −R d with u = q − R W d parallel to d; of the roots the minimum of the convex function
  using Trig = TrigonometricPolynomial;
  const Trig x = Trig::Cosine(), y = Trig::Sine();
  const Trig u_x = Trig(q[0]) - (x * W(0, 0) + y * W(0, 1)) * radius;
  const Trig u_y = Trig(q[1]) - (x * W(1, 0) + y * W(1, 1)) * radius;
  // For isotropic W and q = 0 every angle is a root, but then r = 0 was taken above.
  Vec2 best = ProjectOnDisk(inside, radius);
  double best_value = std::numeric_limits<double>::infinity();
  for (double angle : Cross(u_x, u_y, x, y).Roots()) {
    const Vec2 r = -radius * Direction(angle);
    const double value = r.dot(0.5 * (W * r) + q);
    if (value < best_value) {
      best = r;
      best_value = value;
    }
  }
  return {best, ContactState::kSlip};
}

}  // namespace slipstick::internal
