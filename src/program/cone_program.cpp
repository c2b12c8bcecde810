#include "slipstick/program/cone_program.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/math/cone_projection.h"

namespace slipstick {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// 1/ρ_i of the natural map.
double BlockScale(const ConeProgram& program, const ConeBlock& block, double mean_diagonal) {
  const double trace = program.W.diagonal().segment(block.offset, block.rows()).sum();
  return trace > 0 ? trace / block.rows() : mean_diagonal;
}

double BlockResidual(const ConeProgram& program, const ConeBlock& block, double scale, ConstRef<VecX> r,
                     ConstRef<VecX> u) {
  const int i = block.offset;
  switch (block.kind) {
    case BlockKind::kFree:
      return std::abs(u[i]);
    case BlockKind::kInterval:
      return scale * std::abs(r[i] - std::clamp(r[i] - u[i] / scale, block.lower, block.upper));
    case BlockKind::kDisk: {
      const Vec2 own = r.segment<2>(i);
      return scale * (own - ProjectOnDisk(own - u.segment<2>(i) / scale, block.limit)).norm();
    }
    case BlockKind::kCone: {
      const Vec3 own = r.segment<3>(i);
      Vec3 shifted = u.segment<3>(i);
      if (program.non_associated) shifted[0] += block.limit * std::hypot(u[i + 1], u[i + 2]);
      return scale * (own - ProjectOnCone(own - shifted / scale, block.limit)).norm();
    }
  }
  return kInfinity;
}

std::string CheckBlock(const ConeBlock& block) {
  switch (block.kind) {
    case BlockKind::kFree:
      return "";
    case BlockKind::kInterval:
      if (!(block.lower <= block.upper) || block.lower == kInfinity || block.upper == -kInfinity)
        return "an interval has no lower ≤ upper";
      return "";
    case BlockKind::kCone:
      return block.limit >= 0 && std::isfinite(block.limit) ? "" : "a coefficient of friction is not finite and ≥ 0";
    case BlockKind::kDisk:
      return block.limit >= 0 ? "" : "a radius is not ≥ 0";
  }
  return "a block is of no known kind";
}

}  // namespace

std::string Check(const ConeProgram& program) {
  const int n = program.size();
  if (program.W.rows() != n || program.W.cols() != n) return "the size of W does not fit q";
  if (!program.W.allFinite()) return "W is not finite";
  if (!program.q.allFinite()) return "q is not finite";
  if (n > 0) {
    if (program.W.diagonal().minCoeff() < 0) return "W has a negative diagonal entry";
    const double magnitude = program.W.cwiseAbs().maxCoeff();
    if ((program.W - program.W.transpose()).cwiseAbs().maxCoeff() > 1e-9 * magnitude) return "W is not symmetric";
  }
  std::vector<int> times_covered(n, 0);
  for (const ConeBlock& block : program.blocks) {
    if (const std::string fault = CheckBlock(block); !fault.empty()) return fault;
    if (block.offset < 0 || block.offset > n - block.rows()) return "a block reaches beyond the rows";
    for (int row = block.offset; row < block.offset + block.rows(); ++row) ++times_covered[row];
  }
  for (int times : times_covered)
    if (times != 1) return times == 0 ? "a row belongs to no block" : "a row belongs to two blocks";
  return "";
}

VecX ProjectOnSets(const ConeProgram& program, ConstRef<VecX> r) {
  VecX projected = r;
  for (const ConeBlock& block : program.blocks) {
    const int i = block.offset;
    switch (block.kind) {
      case BlockKind::kFree:
        break;
      case BlockKind::kInterval:
        projected[i] = std::clamp(r[i], block.lower, block.upper);
        break;
      case BlockKind::kCone:
        projected.segment<3>(i) = ProjectOnCone(r.segment<3>(i), block.limit);
        break;
      case BlockKind::kDisk:
        projected.segment<2>(i) = ProjectOnDisk(r.segment<2>(i), block.limit);
        break;
    }
  }
  return projected;
}

double NaturalResidual(const ConeProgram& program, ConstRef<VecX> r, ConstRef<VecX> u) {
  if (!r.allFinite() || !u.allFinite()) return kInfinity;
  double mean_diagonal = program.size() > 0 ? program.W.diagonal().mean() : 1.0;
  if (!(mean_diagonal > 0)) mean_diagonal = 1.0;
  double worst = 0;
  for (const ConeBlock& block : program.blocks) {
    const double residual = BlockResidual(program, block, BlockScale(program, block, mean_diagonal), r, u);
    if (!std::isfinite(residual)) return kInfinity;
    worst = std::max(worst, residual);
  }
  return worst;
}

double NaturalResidual(const ConeProgram& program, ConstRef<VecX> r) {
  return NaturalResidual(program, r, program.W * r + program.q);
}

}  // namespace slipstick
