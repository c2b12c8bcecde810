#include "slipstick/solver/cone/block_sweep.h"

#include <algorithm>
#include <cmath>

#include "slipstick/math/cone_projection.h"

namespace slipstick::internal {
namespace {

// A row with W_ii = 0 cannot be moved: any r in the interval will do if u = 0, else the end that the sign of u asks
// for.
double SolveInterval(double W, double q, const ConeBlock& block, double old) {
  const double unbounded = W > 0 ? -q / W : q > 0 ? block.lower : q < 0 ? block.upper : old;
  return std::isfinite(unbounded) ? std::clamp(unbounded, block.lower, block.upper) : old;
}

}  // namespace

BlockSweep::BlockSweep(const DenseConeProgram& program)
    : program_(program),
      contact_of_block_(program.blocks.size(), -1),
      states_(program.blocks.size(), ContactState::kNone) {
  const FrictionRule rule = program.non_associated ? FrictionRule::kCoulomb : FrictionRule::kAssociated;
  for (std::size_t k = 0; k < program.blocks.size(); ++k) {
    const ConeBlock& block = program.blocks[k];
    if (block.kind != BlockKind::kCone) continue;
    contact_of_block_[k] = static_cast<int>(contacts_.size());
    contacts_.emplace_back(program.W.block<3, 3>(block.offset, block.offset), block.mu(), rule);
  }
}

void BlockSweep::SolveBlock(std::size_t k, VecX* r, VecX* u) {
  const ConeBlock& block = program_.blocks[k];
  const MatX& W = program_.W;
  const int i = block.offset;
  if (block.kind == BlockKind::kCone) {
    const OneContact& contact = contacts_[contact_of_block_[k]];
    const Vec3 old = r->segment<3>(i);
    const Vec3 q = u->segment<3>(i) - contact.W() * old;
    const OneContactAnswer answer = contact.Solve(q);
    states_[k] = answer.state;
    const Vec3 change = answer.r - old;
    r->segment<3>(i) = answer.r;
    u->noalias() += W.middleCols<3>(i) * change;
  } else if (block.kind == BlockKind::kDisk) {
    const Mat2 own = W.block<2, 2>(i, i);
    const Vec2 old = r->segment<2>(i);
    const OneDiskAnswer answer = SolveOneDisk(own, u->segment<2>(i) - own * old, block.radius);
    states_[k] = answer.state;
    const Vec2 change = answer.r - old;
    r->segment<2>(i) = answer.r;
    u->noalias() += W.middleCols<2>(i) * change;
  } else {
    const double old = (*r)[i];
    const double next = SolveInterval(W(i, i), (*u)[i] - W(i, i) * old, block, old);
    states_[k] = next > block.lower && next < block.upper ? ContactState::kStick : ContactState::kSlip;
    (*r)[i] = next;
    *u += W.col(i) * (next - old);
  }
}

void BlockSweep::Sweep(bool forwards, VecX* r, VecX* u) {
  const std::size_t count = program_.blocks.size();
  for (std::size_t k = 0; k < count; ++k) SolveBlock(forwards ? k : count - 1 - k, r, u);
}

}  // namespace slipstick::internal
