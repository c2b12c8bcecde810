#include "slipstick/solver/cone/cone_newton.h"

#include <algorithm>
#include <cmath>

#include "slipstick/math/cone_projection.h"

namespace slipstick::internal {
namespace {

// Pivots below this fraction of the largest are redundancy, not information.
constexpr double kRankTolerance = 1e-11;
// Above this reciprocal condition number plain LU, several times cheaper, gives the same step.
constexpr double kRegular = 1e-9;
// Above this ratio of its smallest to its largest pivot a small matrix is regular, and its condition need not be
// estimated, which costs more than the factorization.
constexpr double kEvenPivots = 1e-5;
constexpr int kMaxHalvings = 12;

bool IsRegular(const Eigen::PartialPivLU<MatX>& factors) {
  const auto pivots = factors.matrixLU().diagonal().cwiseAbs();
  return pivots.minCoeff() > kEvenPivots * pivots.maxCoeff() || factors.rcond() > kRegular;
}

}  // namespace

ConeNewton::ConeNewton(int size)
    : u_(size),
      phi_(size),
      step_(size),
      trial_(size),
      jacobian_(size, size),
      factors_(size),
      decomposition_(size, size) {
  decomposition_.setThreshold(kRankTolerance);
}

void ConeNewton::CoulombEquations(const DenseConeProgram& program, const ConeBlock& block, const VecX& r,
                                  const ContactState* state, bool with_jacobian) {
  const int i = block.offset;
  const double z_n = r[i] - u_[i];
  const Vec2 z_t = r.segment<2>(i + 1) - u_.segment<2>(i + 1);
  const double norm = z_t.norm(), radius = block.mu() * std::max(z_n, 0.0);
  ContactState piece = z_n <= 0 ? ContactState::kTakeOff : norm <= radius ? ContactState::kStick : ContactState::kSlip;
  if (state != nullptr && *state != ContactState::kNone) piece = *state;
  if (piece == ContactState::kSlip && !(norm > 0)) piece = ContactState::kStick;
  switch (piece) {
    case ContactState::kTakeOff:
      phi_.segment<3>(i) = r.segment<3>(i);
      if (with_jacobian) jacobian_.block<3, 3>(i, i).setIdentity();
      return;
    case ContactState::kStick:
      phi_.segment<3>(i) = u_.segment<3>(i);
      if (with_jacobian) jacobian_.middleRows<3>(i) = program.W.middleRows<3>(i);
      return;
    default:
      break;
  }
  // u_N = 0, r_T = μ z_N t with t = z_T/|z_T|, z = r − u
  const Vec2 t = z_t / norm;
  phi_[i] = u_[i];
  phi_.segment<2>(i + 1) = r.segment<2>(i + 1) - block.mu() * z_n * t;
  if (!with_jacobian) return;
  jacobian_.row(i) = program.W.row(i);
  const Mat2 turn = block.mu() * z_n / norm * (Mat2::Identity() - t * t.transpose());
  jacobian_.middleRows<2>(i + 1).noalias() = turn * program.W.middleRows<2>(i + 1);
  jacobian_.middleRows<2>(i + 1).noalias() += block.mu() * t * program.W.row(i);
  jacobian_.block<2, 1>(i + 1, i) -= block.mu() * t;
  jacobian_.block<2, 2>(i + 1, i + 1) += Mat2::Identity() - turn;
}

// Φ, and where asked its Jacobian, at r.
void ConeNewton::Equations(const DenseConeProgram& program, const VecX& r, const std::vector<ContactState>* states,
                           bool with_jacobian) {
  u_.noalias() = program.W * r;
  u_ += program.q;
  if (with_jacobian) jacobian_.setZero();
  for (std::size_t k = 0; k < program.blocks.size(); ++k) {
    const ConeBlock& block = program.blocks[k];
    const int i = block.offset;
    // natural map: Φ = r − P(z), J = I − P′(z)(I − W), z = r − u
    if (block.kind == BlockKind::kInterval) {
      const double z = r[i] - u_[i];
      const bool inside = z > block.lower && z < block.upper;
      phi_[i] = inside ? u_[i] : r[i] - std::clamp(z, block.lower, block.upper);
      if (!with_jacobian) continue;
      if (inside) {
        jacobian_.row(i) = program.W.row(i);
      } else {
        jacobian_(i, i) = 1;
      }
    } else if (block.kind == BlockKind::kDisk) {
      const Vec2 z = r.segment<2>(i) - u_.segment<2>(i);
      phi_.segment<2>(i) = r.segment<2>(i) - ProjectOnDisk(z, block.radius);
      if (!with_jacobian) continue;
      const Mat2 slope = DiskProjectionJacobian(z, block.radius);
      jacobian_.middleRows<2>(i).noalias() = slope * program.W.middleRows<2>(i);
      jacobian_.block<2, 2>(i, i) += Mat2::Identity() - slope;
    } else if (program.non_associated) {
      CoulombEquations(program, block, r, states != nullptr ? &(*states)[k] : nullptr, with_jacobian);
    } else {
      const Vec3 z = r.segment<3>(i) - u_.segment<3>(i);
      phi_.segment<3>(i) = r.segment<3>(i) - ProjectOnCone(z, block.mu());
      if (!with_jacobian) continue;
      const Mat3 slope = ConeProjectionJacobian(z, block.mu());
      jacobian_.middleRows<3>(i).noalias() = slope * program.W.middleRows<3>(i);
      jacobian_.block<3, 3>(i, i) += Mat3::Identity() - slope;
    }
  }
}

ConeNewton::Outcome ConeNewton::Improve(const DenseConeProgram& program, int max_steps, double tolerance,
                                        const std::vector<ContactState>* states, VecX* r) {
  Outcome outcome;
  Equations(program, *r, states, true);
  double merit = phi_.norm();
  while (outcome.steps < max_steps && std::isfinite(merit) && phi_.lpNorm<Eigen::Infinity>() > tolerance) {
    factors_.compute(jacobian_);
    if (IsRegular(factors_)) {
      step_ = -factors_.solve(phi_);
    } else {
      decomposition_.compute(jacobian_);
      step_ = -decomposition_.solve(phi_);
    }
    if (!step_.allFinite()) return outcome;
    ++outcome.steps;
    double length = 1;
    bool fell = false;
    for (int halving = 0; halving < kMaxHalvings && !fell; ++halving) {
      trial_ = *r + length * step_;
      Equations(program, trial_, states, false);
      fell = phi_.norm() < (1 - 1e-4 * length) * merit;
      length *= 0.5;
    }
    if (!fell) return outcome;
    *r = trial_;
    outcome.improved = true;
    Equations(program, *r, states, true);
    merit = phi_.norm();
  }
  return outcome;
}

}  // namespace slipstick::internal
