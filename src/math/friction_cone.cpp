#include "slipstick/math/friction_cone.h"

#include <cmath>
#include <limits>
#include <utility>

namespace slipstick::internal {
namespace {

double PartNorm(const double* part, int rows) {
  if (rows == 1) return std::abs(part[0]);
  const double squares = part[0] * part[0] + part[1] * part[1];
  // squares that overflow or lose digits are few: hypot, which does not, takes ten times as long
  return squares > 1e-280 && squares < 1e280 ? std::sqrt(squares) : std::hypot(part[0], part[1]);
}

struct Foot {
  double normal = 0;             // r_N of the projection, 0 at the apex
  std::array<double, 3> norm{};  // |z_k|
  std::array<bool, 3> on_border{};
  double curvature = 1;  // 1 + Σ c_k² over the parts on the border
};

Foot FindFoot(const FrictionCone& cone, const double* z) {
  Foot foot;
  std::array<int, 3> order{};
  std::array<double, 3> breakpoint{};
  int first = 1;
  for (int k = 0; k < cone.part_count; ++k) {
    const double c = cone.parts[k].limit;
    foot.norm[k] = PartNorm(z + first, cone.parts[k].rows);
    first += cone.parts[k].rows;
    order[k] = k;
    // at r_N below its breakpoint a part is on its border; without friction always
    breakpoint[k] = c > 0 ? foot.norm[k] / c : std::numeric_limits<double>::infinity();
    foot.on_border[k] = true;
  }
  // at most three: exchanges of neighbours
  for (int end = cone.part_count - 1; end > 0; --end) {
    for (int i = 0; i < end; ++i) {
      if (breakpoint[order[i + 1]] < breakpoint[order[i]]) std::swap(order[i], order[i + 1]);
    }
  }
  // sums anew each time, so that a point inside keeps its very bits
  const auto solve = [&] {
    double weighted = z[0];
    foot.curvature = 1;
    for (int k = 0; k < cone.part_count; ++k) {
      if (!foot.on_border[k]) continue;
      const double c = cone.parts[k].limit;
      weighted += c * foot.norm[k];
      foot.curvature += c * c;
    }
    foot.normal = weighted / foot.curvature;
  };
  solve();
  for (int i = 0; i < cone.part_count && foot.normal > 0 && foot.normal >= breakpoint[order[i]]; ++i) {
    foot.on_border[order[i]] = false;
    solve();
  }
  return foot;
}

}  // namespace

double SlipTerm(const FrictionCone& cone, const double* u) {
  double sum = 0;
  int first = 1;
  for (int k = 0; k < cone.part_count; ++k) {
    sum += cone.parts[k].limit * PartNorm(u + first, cone.parts[k].rows);
    first += cone.parts[k].rows;
  }
  return sum;
}

void ProjectOnFrictionCone(const FrictionCone& cone, const double* z, double* out) {
  // most contacts stick
  bool inside = z[0] >= 0;
  int row_of_part = 1;
  for (int k = 0; k < cone.part_count && inside; ++k) {
    inside = PartNorm(z + row_of_part, cone.parts[k].rows) <= cone.parts[k].limit * z[0];
    row_of_part += cone.parts[k].rows;
  }
  if (inside) {
    std::copy(z, z + row_of_part, out);
    return;
  }
  const Foot foot = FindFoot(cone, z);
  const bool apex = !(foot.normal > 0);
  out[0] = apex ? 0.0 : foot.normal;
  int row = 1;
  for (int k = 0; k < cone.part_count; ++k) {
    double scale = apex ? 0.0 : 1.0;
    if (!apex && foot.on_border[k]) {
      scale = foot.norm[k] > 0 ? cone.parts[k].limit * foot.normal / foot.norm[k] : 0.0;
    }
    for (int i = 0; i < cone.parts[k].rows; ++i, ++row) out[row] = scale * z[row];
  }
}

ContactMatrix FrictionConeJacobian(const FrictionCone& cone, const double* z) {
  const int rows = cone.rows();
  ContactMatrix jacobian = ContactMatrix::Zero(rows, rows);
  const Foot foot = FindFoot(cone, z);
  if (!(foot.normal > 0)) return jacobian;
  // r_N = (z_N + Σ c_k|z_k|)/curvature over the border parts, r_k = c_k r_N t_k there: with g = (1, …, c_k t_k, …),
  // ∂r = g gᵀ/curvature + c_k r_N/|z_k| (I − t_k t_kᵀ) on the border parts, and the identity on the others.
  ContactVector g = ContactVector::Zero(rows);
  g[0] = 1;
  int first = 1;
  for (int k = 0; k < cone.part_count; ++k) {
    const int size = cone.parts[k].rows;
    if (!foot.on_border[k]) {
      for (int i = 0; i < size; ++i) jacobian(first + i, first + i) = 1;
    } else if (foot.norm[k] > 0) {
      const double c = cone.parts[k].limit, turn = c * foot.normal / foot.norm[k];
      for (int i = 0; i < size; ++i) {
        g[first + i] = c * z[first + i] / foot.norm[k];
        for (int j = 0; j < size; ++j) {
          const double t_ij = z[first + i] / foot.norm[k] * (z[first + j] / foot.norm[k]);
          jacobian(first + i, first + j) = turn * ((i == j ? 1.0 : 0.0) - t_ij);
        }
      }
    }
    first += size;
  }
  jacobian.noalias() += g * g.transpose() / foot.curvature;
  return jacobian;
}

}  // namespace slipstick::internal
