#include "slipstick/solver/velocity/impulse_map.h"

#include <algorithm>
#include <cmath>

namespace slipstick::internal {
namespace {

// Exact Coulomb: r_N = y_N₊, each part the nearest point to y_k of the disk of radius c_k r_N (Alart & Curnier 1991).
void MapCoulomb(const FrictionCone& cone, const double* y, ImpulseMap* out) {
  const int rows = cone.rows();
  out->impulse.setZero(rows);
  out->derivative.setZero(rows, rows);
  if (!(y[0] > 0)) return;
  out->impulse[0] = y[0];
  out->derivative(0, 0) = 1;
  int first = 1;
  for (int k = 0; k < cone.part_count; ++k) {
    const int size = cone.parts[k].rows;
    const double limit = cone.parts[k].limit, radius = limit * y[0];
    const Eigen::Map<const ContactVector> part(y + first, size);
    const double norm = part.norm();
    auto own = out->derivative.block(first, first, size, size);
    if (norm <= radius && limit > 0) {
      out->impulse.segment(first, size) = part;
      own.setIdentity();
    } else if (norm > 0) {
      const ContactVector direction = part / norm;
      out->impulse.segment(first, size) = radius * direction;
      out->derivative.block(first, 0, size, 1) = limit * direction;
      own = -(radius / norm) * direction * direction.transpose();
      own.diagonal().array() += radius / norm;
    }
    first += size;
  }
}

// The convex law: the nearest point of the cone by the metric e, which is that of another cone for stretched rows.
void MapCone(const FrictionCone& cone, const double* y, const double* e, ImpulseMap* out) {
  const int rows = cone.rows();
  FrictionCone stretched = cone;
  ContactVector stretch = ContactVector::Ones(rows), at(rows);
  int first = 1;
  for (int k = 0; k < cone.part_count; ++k) {
    const double factor = std::sqrt(e[first] / e[0]);
    stretched.parts[k].limit *= factor;
    for (int i = 0; i < cone.parts[k].rows; ++i) stretch[first + i] = factor;
    first += cone.parts[k].rows;
  }
  for (int i = 0; i < rows; ++i) at[i] = stretch[i] * y[i];
  out->impulse.resize(rows);
  ProjectOnFrictionCone(stretched, at.data(), out->impulse.data());
  out->impulse = out->impulse.cwiseQuotient(stretch);
  out->derivative = FrictionConeJacobian(stretched, at.data());
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < rows; ++j) out->derivative(i, j) *= stretch[j] / stretch[i];
  }
}

void MapDisk(double radius, const double* y, ImpulseMap* out) {
  const Eigen::Map<const Vec2> point(y);
  const double norm = point.norm();
  out->impulse = point;
  out->derivative.setIdentity(2, 2);
  if (norm <= radius) return;
  const Vec2 direction = point / norm;
  out->impulse = radius * direction;
  out->derivative = (radius / norm) * (Mat2::Identity() - direction * direction.transpose());
}

}  // namespace

void MapImpulse(const ConeBlock& block, bool non_associated, const double* y, const double* e, ImpulseMap* out) {
  switch (block.kind) {
    case BlockKind::kFree:
      out->impulse.setConstant(1, y[0]);
      out->derivative.setOnes(1, 1);
      break;
    case BlockKind::kInterval:
      out->impulse.setConstant(1, std::clamp(y[0], block.lower, block.upper));
      out->derivative.setConstant(1, 1, y[0] > block.lower && y[0] < block.upper ? 1.0 : 0.0);
      break;
    case BlockKind::kDisk:
      MapDisk(block.radius, y, out);
      break;
    case BlockKind::kCone:
      if (non_associated) {
        MapCoulomb(block.cone, y, out);
      } else {
        MapCone(block.cone, y, e, out);
      }
      break;
  }
}

}  // namespace slipstick::internal
