#include "slipstick/solver/cone/block_solutions.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/math/cone_projection.h"

namespace slipstick::internal {
namespace {

constexpr int kMaxAngleSteps = 12;
constexpr double kAngleTolerance = 1e-14;
// below this reciprocal condition the sticking impulse is left to the exact solution, which knows its rank
constexpr double kRegular = 1e-10;

BlockSolutions::Matrices OwnMatrices(const ScaledCone& program) {
  BlockSolutions::Matrices own;
  own.reserve(program.blocks.size());
  for (int k = 0; k < static_cast<int>(program.blocks.size()); ++k) {
    own.emplace_back(program.W.DiagonalBlock(k));
  }
  return own;
}

}  // namespace

BlockSolutions::BlockSolutions(const ScaledCone& program)
    : BlockSolutions(program.blocks, program.non_associated, OwnMatrices(program)) {
  program_ = &program;
}

BlockSolutions::BlockSolutions(const std::vector<ConeBlock>& blocks, bool non_associated, Matrices own)
    : blocks_(blocks), non_associated_(non_associated), contact_of_block_(blocks.size(), -1) {
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const ConeBlock& block = blocks[k];
    if (block.kind == BlockKind::kCone && !block.cone.is_sliding_only()) {
      contact_of_block_[k] = static_cast<int>(rolling_.size());
      rolling_.push_back(own[k]);
      continue;
    }
    contact_of_block_[k] = static_cast<int>(contacts_.size());
    Contact contact;
    contact.W.setZero();
    contact.W.topLeftCorner(own[k].rows(), own[k].cols()) = own[k];
    if (block.kind == BlockKind::kCone) {
      const Eigen::FullPivLU<Mat3> factors(contact.W);
      contact.regular = factors.isInvertible() && factors.rcond() > kRegular;
      if (contact.regular) contact.inverse = factors.inverse();
    }
    contacts_.push_back(contact);
  }
}

void BlockSolutions::Solve(int k, const double* q, double* r) {
  const ConeBlock& block = blocks_[k];
  switch (block.kind) {
    case BlockKind::kFree:
    case BlockKind::kInterval: {
      const double W = contacts_[contact_of_block_[k]].W(0, 0);
      const bool free = block.kind == BlockKind::kFree;
      const double lower = free ? -std::numeric_limits<double>::infinity() : block.lower;
      const double upper = free ? std::numeric_limits<double>::infinity() : block.upper;
      // a row that no impulse moves: the end that the sign of u asks for, where there is one
      const double unbounded = W > 0 ? -q[0] / W : q[0] > 0 ? lower : q[0] < 0 ? upper : r[0];
      if (std::isfinite(unbounded)) r[0] = std::clamp(unbounded, lower, upper);
      break;
    }
    case BlockKind::kDisk: {
      const Mat2 W = contacts_[contact_of_block_[k]].W.topLeftCorner<2, 2>();
      const OneDiskAnswer answer = SolveOneDisk(W, {q[0], q[1]}, block.radius);
      r[0] = answer.r[0];
      r[1] = answer.r[1];
      break;
    }
    case BlockKind::kCone:
      if (block.cone.is_sliding_only()) {
        SolveSliding(k, q, r);
      } else {
        SolveRolling(k, q, r);
      }
      break;
  }
}

void BlockSolutions::Sweep(bool forwards, VecX* x, double relaxation) {
  const int count = static_cast<int>(blocks_.size());
  double q[6], next[6];
  for (int step = 0; step < count; ++step) {
    const int k = forwards ? step : count - 1 - step;
    const ConeBlock& block = blocks_[k];
    const int rows = block.rows();
    double* own = x->data() + block.offset;
    program_->W.MultiplyRow(k, x->data(), q);
    const PanelMatrix::Panel panel = program_->W.panel(k);
    const int column = program_->W.own_column(k);
    for (int i = 0; i < rows; ++i) {
      q[i] += program_->q[block.offset + i];
      for (int j = 0; j < rows; ++j) q[i] -= panel(i, column + j) * own[j];
      next[i] = own[i];
    }
    Solve(k, q, next);
    if (relaxation != 1) {
      for (int i = 0; i < rows; ++i) next[i] = (1 - relaxation) * own[i] + relaxation * next[i];
      ProjectOnBlock(block, next, next);
    }
    std::copy(next, next + rows, own);
  }
}

void BlockSolutions::SolveExactly(int k, const Vec3& q, double* r) {
  Contact& contact = contacts_[contact_of_block_[k]];
  if (contact.exact < 0) {
    contact.exact = static_cast<int>(exact_.size());
    exact_.emplace_back(0.5 * (contact.W + contact.W.transpose()), blocks_[k].mu(),
                        non_associated_ ? FrictionRule::kCoulomb : FrictionRule::kAssociated);
  }
  const OneContactAnswer answer = exact_[contact.exact].Solve(q);
  if (!answer.r.allFinite()) return;
  Eigen::Map<Vec3>{r} = answer.r;
}

// Sliding along d with r = r_N (1, −μ d): u_N = 0 gives r_N, and cross(u_T, d) = 0 is an equation for d's angle alone.
bool BlockSolutions::SolveSlip(const Contact& contact, double mu, const Vec3& q, const Vec2& guess, Vec3* r) const {
  const Mat3& W = contact.W;
  const Vec2 W_NT(W(0, 1), W(0, 2)), W_TN(W(1, 0), W(2, 0)), q_T(q[1], q[2]);
  const Mat2 W_TT = W.bottomRightCorner<2, 2>();
  Vec2 d = guess;
  for (int step = 0; step < kMaxAngleSteps; ++step) {
    const Vec2 across(-d[1], d[0]);
    const double inertia = W(0, 0) - mu * W_NT.dot(d);
    if (!(inertia > 0)) return false;
    const double normal = -q[0] / inertia;
    const Vec2 gain = W_TN - mu * (W_TT * d);
    const Vec2 u = q_T + normal * gain;
    const double moment = u[0] * d[1] - u[1] * d[0];
    const double forward = u.dot(d);
    if (std::abs(moment) <= kAngleTolerance * (q_T.norm() + std::abs(normal) * gain.norm())) {
      if (!(forward >= 0) || !(normal >= 0)) return false;
      *r = normal * Vec3(1, -mu * d[0], -mu * d[1]);
      return true;
    }
    const Vec2 u_slope = normal * mu * W_NT.dot(across) / inertia * gain - normal * mu * (W_TT * across);
    const double slope = u_slope[0] * d[1] - u_slope[1] * d[0] + forward;
    if (slope == 0) return false;
    d += std::clamp(-moment / slope, -0.7, 0.7) * across;
    d.normalize();
  }
  return false;
}

void BlockSolutions::SolveSliding(int k, const double* q_data, double* r_data) {
  const Contact& contact = contacts_[contact_of_block_[k]];
  const double mu = blocks_[k].mu();
  const Vec3 q(q_data[0], q_data[1], q_data[2]);
  Eigen::Map<Vec3> r(r_data);
  if (!contact.regular || mu == 0) return SolveExactly(k, q, r_data);
  if (non_associated_ ? q[0] >= 0 : q[0] >= mu * std::hypot(q[1], q[2])) {
    r.setZero();
    return;
  }
  const Vec3 stick = -(contact.inverse * q);
  const double tangential = std::hypot(stick[1], stick[2]);
  if (stick[0] > 0 && tangential <= mu * stick[0]) {
    r = stick;
    return;
  }
  if (non_associated_) {
    // the direction of last time, or against what sticking would take
    const double before = std::hypot(r[1], r[2]);
    Vec2 guess(1, 0);
    if (before > 0) {
      guess = -r.tail<2>() / before;
    } else if (tangential > 0) {
      guess = -stick.tail<2>() / tangential;
    }
    Vec3 slip;
    if (SolveSlip(contact, mu, q, guess, &slip)) {
      r = slip;
      return;
    }
  }
  SolveExactly(k, q, r_data);
}

// Newton on the one block's equations in Alart & Curnier's form (non-associated) or on the natural map, and where it
// does not get there, projected steps.
void BlockSolutions::SolveRolling(int k, const double* q_data, double* r_data) const {
  const FrictionCone& cone = blocks_[k].cone;
  const ContactMatrix& W = rolling_[contact_of_block_[k]];
  const int rows = cone.rows();
  const Eigen::Map<const VecX> q(q_data, rows);
  Eigen::Map<VecX> r(r_data, rows);
  const double step_length = 1 / std::max(W.diagonal().maxCoeff(), 1e-300);
  const double scale = q.norm();
  if (non_associated_ ? q[0] >= 0 : q[0] >= SlipTerm(cone, q_data)) {
    r.setZero();
    return;
  }
  const auto residual = [&](const ContactVector& x, ContactVector* moved, ContactVector* projected) {
    const ContactVector u = W * x + q;
    *moved = x - step_length * u;
    if (non_associated_) (*moved)[0] -= step_length * SlipTerm(cone, u.data());
    projected->resize(rows);
    ProjectOnFrictionCone(cone, moved->data(), projected->data());
    return (x - *projected).norm() / step_length;
  };
  ContactVector x = r, moved, projected;
  ContactVector best = x;
  double best_error = residual(x, &moved, &projected);
  for (int attempt = 0; attempt < 3 && best_error > 1e-13 * scale; ++attempt) {
    for (int step = 0; step < 10 && best_error > 1e-13 * scale; ++step) {
      const ContactVector u = W * x + q;
      ContactMatrix jacobian = ContactMatrix::Identity(rows, rows);
      ContactVector phi = x;
      if (non_associated_) {
        const double z_n = x[0] - step_length * u[0];
        if (z_n > 0) {
          phi[0] = step_length * u[0];
          jacobian.row(0) = step_length * W.row(0);
          int first = 1;
          for (int part = 0; part < cone.part_count; ++part) {
            const int size = cone.parts[part].rows;
            const double radius = cone.parts[part].limit * z_n;
            const ContactVector z = (x - step_length * u).segment(first, size);
            const double norm = z.norm();
            if (norm <= radius) {
              phi.segment(first, size) = step_length * u.segment(first, size);
              jacobian.middleRows(first, size) = step_length * W.middleRows(first, size);
            } else {
              const ContactVector t = z / norm;
              ContactMatrix identity_minus_W = -step_length * W;
              identity_minus_W.diagonal().array() += 1;
              const ContactMatrix turn = radius / norm * (ContactMatrix::Identity(size, size) - t * t.transpose());
              phi.segment(first, size) -= radius * t;
              jacobian.middleRows(first, size) -= turn * identity_minus_W.middleRows(first, size);
              jacobian.middleRows(first, size) -= cone.parts[part].limit * t * identity_minus_W.row(0);
            }
            first += size;
          }
        }
      } else {
        ContactVector z = x - step_length * u;
        const ContactMatrix slope = FrictionConeJacobian(cone, z.data());
        residual(x, &moved, &projected);
        phi = x - projected;
        ContactMatrix identity_minus_W = -step_length * W;
        identity_minus_W.diagonal().array() += 1;
        jacobian -= slope * identity_minus_W;
      }
      const ContactVector direction = Eigen::FullPivLU<ContactMatrix>(jacobian).solve(phi);
      if (!direction.allFinite()) break;
      x -= direction;
      const double error = residual(x, &moved, &projected);
      if (error < best_error) {
        best_error = error;
        best = x;
      }
    }
    if (best_error <= 1e-13 * scale) break;
    x = best;
    for (int step = 0; step < 50; ++step) {
      const double error = residual(x, &moved, &projected);
      if (error < best_error) {
        best_error = error;
        best = x;
      }
      x = x + 0.7 * (projected - x);
    }
  }
  ProjectOnFrictionCone(cone, best.data(), best.data());
  r = best;
}

}  // namespace slipstick::internal
