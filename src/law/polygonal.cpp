#include "slipstick/law/polygonal.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "slipstick/base/worst.h"
#include "slipstick/law/delassus_form.h"
#include "slipstick/law/tangent_program.h"
#include "slipstick/law/velocity_rows.h"

namespace slipstick::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class Polygonal : public Law {
 public:
  explicit Polygonal(const PolygonalSettings& settings) : settings_(settings), directions_(settings.sides, 2) {
    for (int j = 0; j < settings.sides; ++j) {
      const double angle = settings.orientation + 2.0 * std::numbers::pi * j / settings.sides;
      directions_.row(j) << std::cos(angle), std::sin(angle);
    }
  }

  MemorySlots ContactSlots() const override { return SlipSlots(settings_.velocity_threshold); }

  LawAnswer Solve(const ContactProblem& problem, ProgramSolver& solver) const override {
    return SolveAndRememberSlip(problem, settings_.velocity_threshold, [&](const std::vector<double>& friction) {
      return SolveWith(problem, friction, solver);
    });
  }

  // The β that make up a given friction impulse are not unique; what must hold is: the impulse is in the polygon, and
  // it dissipates as much as the best corner does, −p_T·v_T = μ p_N max_j(−d_j·v_T) (maximum dissipation over the
  // polygon). The residual is the natural map of that variational inequality, p_T = projection of p_T − m v_T on the
  // polygon.
  double Residual(const ContactProblem& problem, const ContactSolution& solution,
                  const ContactMotion& motion) const override {
    double worst = ResidualOutsideContacts(problem, solution);
    const VecX& after = motion.contact;
    for (int i = 0; i < problem.contacts.size(); ++i) {
      const double m = problem.contacts.effective_mass[i];
      worst = Worst(worst, NormalResidual(problem, solution, motion, i, NormalTarget(problem, i)));
      const Vec2 p = solution.Tangential(i);
      const Vec2 slip = after.segment<2>(3 * i + 1);
      double distance = kInfinity;
      for (const double mu : JudgedFriction(problem, i, settings_.velocity_threshold, slip)) {
        const Vec2 nearest = ProjectOnPolygon(p - m * slip, mu * std::max(solution.Normal(i), 0.0));
        distance = std::min(distance, (p - nearest).norm());
      }
      worst = Worst(worst, distance / m);
    }
    return worst;
  }

 private:
  LawAnswer SolveWith(const ContactProblem& problem, const std::vector<double>& friction, ProgramSolver& solver) const {
    const DelassusForm rows = BuildRowsAlone(problem);
    if (settings_.sides == 4 && solver.velocity && rows.q.size() > kFewRows) {
      LawAnswer answer = SolveSquare(problem, rows, friction, solver);
      if (!IsWorthDenseMatrices(rows.q.size(), Law::Residual(problem, answer.solution), problem.velocity_scale)) {
        return answer;
      }
    }
    return SolveEliminated(problem, BuildDelassusForm(problem), friction, solver);
  }

  // A polygon with four sides is a square, |p·d| ≤ μ p_N/√2 along the normals d of its sides, and its rows obey
  // Coulomb's law each by itself: a program with velocities kept.
  LawAnswer SolveSquare(const ContactProblem& problem, const DelassusForm& form, const std::vector<double>& friction,
                        ProgramSolver& solver) const {
    const TangentRows turned{.directions =
                                 Eigen::Rotation2Dd(-settings_.orientation - std::numbers::pi / 4).toRotationMatrix()};
    const std::vector<TangentRows> rows(form.contacts, turned);
    std::vector<Vec2> ratios(form.contacts);
    DelassusForm given = form;
    for (int i = 0; i < form.contacts; ++i) {
      ratios[i].setConstant(friction[i] / std::numbers::sqrt2);
      given.q[form.contact_row(i)] += problem.contacts.normal_target[i] - NormalTarget(problem, i);
    }
    const MlcpAnswer answer =
        SolveInVelocities(problem, given, rows, ratios, RememberedImpulses(problem, form), solver);
    return WithTargets(problem, {SolutionFromImpulses(problem, form, answer.z), answer.report, 1});
  }

  LawAnswer SolveEliminated(const ContactProblem& problem, const DelassusForm& form,
                            const std::vector<double>& friction, ProgramSolver& solver) const {
    const int n = settings_.sides, unknowns = n + 2;  // p_N, β_1 … β_n, and the slip bound γ
    const int outside = form.bilateral + form.bounded;
    const int total = outside + unknowns * form.contacts;

    // physical impulses are p = E z; then rows Eᵀ W E z + Eᵀ q, plus the couplings of γ
    MatX E = MatX::Zero(form.q.size(), total);
    E.topLeftCorner(outside, outside).setIdentity();
    BoundedMlcp mlcp;
    mlcp.lower.setZero(total);
    mlcp.upper.setConstant(total, kInfinity);
    mlcp.lower.head(form.bilateral).setConstant(-kInfinity);
    mlcp.lower.segment(form.bilateral, form.bounded) = problem.bounded.lower;
    mlcp.upper.segment(form.bilateral, form.bounded) = problem.bounded.upper;
    for (int i = 0; i < form.contacts; ++i) {
      const int row = form.contact_row(i), column = outside + unknowns * i;
      E(row, column) = 1.0;
      E.block(row + 1, column + 1, 2, n) = directions_.transpose();
    }
    mlcp.A = E.transpose() * form.W * E;
    mlcp.b = E.transpose() * form.q;
    for (int i = 0; i < form.contacts; ++i) {
      const int normal = outside + unknowns * i, gamma = normal + n + 1;
      mlcp.A.block(normal + 1, gamma, n, 1).setOnes();
      mlcp.A.block(gamma, normal + 1, 1, n).setConstant(-1.0);
      mlcp.A(gamma, normal) = friction[i];
      if (settings_.with_gap) mlcp.b[normal] += problem.contacts.normal_target[i] - NormalTarget(problem, i);
    }
    const VecX warm = WarmStart(problem, form, unknowns, total);
    const MlcpAnswer answer = solver.mlcp(mlcp, &warm);
    return WithTargets(problem, {SolutionFromImpulses(problem, form, E * answer.z), answer.report, 1});
  }

  LawAnswer WithTargets(const ContactProblem& problem, LawAnswer result) const {
    if (!settings_.with_gap) return result;
    const int count = problem.contacts.size();
    result.solution.normal_target.resize(count);
    for (int i = 0; i < count; ++i) result.solution.normal_target[i] = NormalTarget(problem, i);
    return result;
  }

  double NormalTarget(const ContactProblem& problem, int i) const {
    if (!settings_.with_gap) return problem.contacts.normal_target[i];
    return std::max(-problem.contacts.GapAhead(i) / problem.step, problem.contacts.restitution_target[i]);
  }

  // Remembered impulses: the normal one, and friction on the two corners it lies between.
  VecX WarmStart(const ContactProblem& problem, const DelassusForm& form, int unknowns, int total) const {
    VecX warm = VecX::Zero(total);
    const VecX remembered = RememberedImpulses(problem, form);
    const int n = settings_.sides, outside = form.bilateral + form.bounded;
    for (int i = 0; i < form.contacts; ++i) {
      const Vec2 p = remembered.segment<2>(form.contact_row(i) + 1);
      warm[outside + unknowns * i] = remembered[form.contact_row(i)];
      for (int j = 0; j < n && p.norm() > 0; ++j) {
        const Vec2 a = directions_.row(j), b = directions_.row((j + 1) % n);
        const double cross = a[0] * b[1] - a[1] * b[0];
        const double along_a = (p[0] * b[1] - p[1] * b[0]) / cross, along_b = (a[0] * p[1] - a[1] * p[0]) / cross;
        if (along_a < 0 || along_b < 0) continue;
        warm[outside + unknowns * i + 1 + j] = along_a;
        warm[outside + unknowns * i + 1 + (j + 1) % n] = along_b;
        break;
      }
    }
    return warm;
  }

  // Nearest point of the convex hull of radius · d_j: inside, on an edge or at a corner.
  Vec2 ProjectOnPolygon(const Vec2& point, double radius) const {
    if (!(radius > 0)) return Vec2::Zero();
    const int n = settings_.sides;
    bool inside = true;
    Vec2 nearest = Vec2::Zero();
    double least = kInfinity;
    for (int j = 0; j < n; ++j) {
      const Vec2 a = radius * directions_.row(j).transpose(), b = radius * directions_.row((j + 1) % n).transpose();
      const Vec2 edge = b - a, to = point - a;
      if (edge[0] * to[1] - edge[1] * to[0] < 0) inside = false;
      const double length2 = edge.squaredNorm();
      const Vec2 candidate = length2 > 0 ? Vec2(a + edge * std::clamp(to.dot(edge) / length2, 0.0, 1.0)) : a;
      if ((point - candidate).squaredNorm() < least) {
        least = (point - candidate).squaredNorm();
        nearest = candidate;
      }
    }
    return inside ? point : nearest;
  }

  PolygonalSettings settings_;
  Eigen::Matrix<double, Eigen::Dynamic, 2> directions_;
};

}  // namespace

const SettingTable<PolygonalSettings>& PolygonalSettings::Table() {
  using S = PolygonalSettings;
  static const SettingTable<S> table = {
      {&S::sides, "sides", "", "sides of the polygon in place of the cone's circle", Between(3, 64)},
      {&S::orientation, "orientation", "rad", "angle of the first corner from the contact's first tangent"},
      {&S::with_gap,
       "form",
       "",
       "normal row at the velocity level, or with the gap",
       {{"anitescu-potra", false}, {"stewart-trinkle", true}}},
      {&S::velocity_threshold, "velocity_threshold", "m/s", kThresholdMeaning},
  };
  return table;
}

std::unique_ptr<Law> MakePolygonal(const PolygonalSettings& settings) { return std::make_unique<Polygonal>(settings); }

}  // namespace slipstick::internal
