#include "slipstick/program/cone_program.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/math/cone_projection.h"

namespace slipstick::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Coefficients above this hide a penetrating velocity from the natural map.
constexpr double kSteep = 10;

// The distance of u (with s) from the dual of the directions in which the block's set has no end.
double ForbiddenVelocity(const ConeBlock& block, const double* u) {
  switch (block.kind) {
    case BlockKind::kFree:
      return std::abs(u[0]);
    case BlockKind::kInterval:
      return std::max(std::isinf(block.upper) ? -u[0] : 0.0, std::isinf(block.lower) ? u[0] : 0.0);
    case BlockKind::kDisk:
      return std::isinf(block.radius) ? std::hypot(u[0], u[1]) : 0.0;
    case BlockKind::kCone: {
      // Moreau: u − P_K*(u) = −P_K(−u)
      double opposite[6], projected[6];
      const int rows = block.rows();
      for (int i = 0; i < rows; ++i) opposite[i] = -u[i];
      ProjectOnFrictionCone(block.cone, opposite, projected);
      double sum = 0;
      for (int i = 0; i < rows; ++i) sum += projected[i] * projected[i];
      return std::sqrt(sum);
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
      if (block.cone.part_count < 1 || block.cone.part_count > 3) return "a cone has no parts";
      for (int k = 0; k < block.cone.part_count; ++k) {
        const FrictionCone::Part& part = block.cone.parts[k];
        if (part.rows != 1 && part.rows != 2) return "a part of a cone has neither one row nor two";
        if (!(part.limit >= 0) || !std::isfinite(part.limit)) return "a coefficient of friction is not finite and ≥ 0";
      }
      return "";
    case BlockKind::kDisk:
      return block.radius >= 0 ? "" : "a radius is not ≥ 0";
  }
  return "a block is of no known kind";
}

}  // namespace

std::string Check(const ConeProgram& program) {
  const int n = program.size();
  if (program.W.rows() != n || program.W.cols() != n) return "the size of W does not fit q";
  for (int row = 0; row < n; ++row) {
    for (SparseMat::InnerIterator entry(program.W, row); entry; ++entry) {
      if (!std::isfinite(entry.value())) return "W is not finite";
      if (entry.col() == row && entry.value() < 0) return "W has a negative diagonal entry";
    }
  }
  if (!program.q.allFinite()) return "q is not finite";
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

void ProjectOnBlock(const ConeBlock& block, const double* z, double* out) {
  switch (block.kind) {
    case BlockKind::kFree:
      out[0] = z[0];
      break;
    case BlockKind::kInterval:
      out[0] = std::clamp(z[0], block.lower, block.upper);
      break;
    case BlockKind::kCone:
      ProjectOnFrictionCone(block.cone, z, out);
      break;
    case BlockKind::kDisk: {
      const Vec2 projected = ProjectOnDisk({z[0], z[1]}, block.radius);
      out[0] = projected[0];
      out[1] = projected[1];
      break;
    }
  }
}

VecX ProjectOnSets(const std::vector<ConeBlock>& blocks, ConstRef<VecX> r) {
  VecX projected = r;
  for (const ConeBlock& block : blocks) {
    ProjectOnBlock(block, projected.data() + block.offset, projected.data() + block.offset);
  }
  return projected;
}

double NaturalMapNorm(const ConeBlock& block, bool non_associated, double scale, const double* r, const double* u) {
  double velocity[6], moved[6], projected[6];
  const int rows = block.rows();
  std::copy(u, u + rows, velocity);
  if (block.kind == BlockKind::kCone && non_associated) velocity[0] += SlipTerm(block.cone, u);
  for (int i = 0; i < rows; ++i) moved[i] = r[i] - velocity[i] / scale;
  ProjectOnBlock(block, moved, projected);
  double sum = 0;
  for (int i = 0; i < rows; ++i) sum += (r[i] - projected[i]) * (r[i] - projected[i]);
  const double norm = std::max(scale * std::sqrt(sum), ForbiddenVelocity(block, velocity));
  // Exact Coulomb also says u_N ≥ 0. Both measures see that only through the cone, as −u_N / √(1 + μ²).
  const bool is_hidden = block.kind == BlockKind::kCone && non_associated && block.mu() > kSteep;
  return is_hidden ? std::max(norm, -u[0]) : norm;
}

VecX BlockScales(const std::vector<ConeBlock>& blocks, ConstRef<VecX> diagonal) {
  double mean = diagonal.size() > 0 ? diagonal.mean() : 1.0;
  if (!(mean > 0)) mean = 1.0;
  VecX scales(static_cast<Eigen::Index>(blocks.size()));
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const double trace = diagonal.segment(blocks[k].offset, blocks[k].rows()).sum();
    scales[static_cast<Eigen::Index>(k)] = trace > 0 ? trace / blocks[k].rows() : mean;
  }
  return scales;
}

double NaturalResidual(const std::vector<ConeBlock>& blocks, bool non_associated, ConstRef<VecX> scales,
                       ConstRef<VecX> r, ConstRef<VecX> u) {
  if (!r.allFinite() || !u.allFinite()) return kInfinity;
  double worst = 0;
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const int i = blocks[k].offset;
    const double residual =
        NaturalMapNorm(blocks[k], non_associated, scales[static_cast<Eigen::Index>(k)], r.data() + i, u.data() + i);
    if (!std::isfinite(residual)) return kInfinity;
    worst = std::max(worst, residual);
  }
  return worst;
}

double NaturalResidual(const ConeProgram& program, ConstRef<VecX> r) {
  const VecX u = program.W * r + program.q;
  return NaturalResidual(program.blocks, program.non_associated, BlockScales(program.blocks, program.W.diagonal()), r,
                         u);
}

}  // namespace slipstick::internal
