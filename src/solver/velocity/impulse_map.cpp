#include "slipstick/solver/velocity/impulse_map.h"

#include <algorithm>
#include <cmath>

namespace slipstick::internal {
namespace {

// The nearest point of a disk, for one or two rows.
void ClampToDisk(const double* y, int rows, double radius, double* out) {
  const double norm = rows == 2 ? std::sqrt(y[0] * y[0] + y[1] * y[1]) : std::abs(y[0]);
  const double factor = norm <= radius ? 1.0 : radius / norm;
  for (int i = 0; i < rows; ++i) out[i] = factor * y[i];
}

// Exact Coulomb: r_N = y_N₊, each part the nearest point to y_k of the disk of radius c_k r_N (Alart & Curnier 1991).
void MapCoulomb(const FrictionCone& cone, const double* y, double* impulse) {
  impulse[0] = std::max(y[0], 0.0);
  int first = 1;
  for (int k = 0; k < cone.part_count; ++k) {
    const int rows = cone.parts[k].rows;
    ClampToDisk(y + first, rows, cone.parts[k].limit * impulse[0], impulse + first);
    first += rows;
  }
}

void DeriveCoulomb(const FrictionCone& cone, const double* y, ContactMatrix* derivative) {
  derivative->setZero(cone.rows(), cone.rows());
  if (!(y[0] > 0)) return;
  (*derivative)(0, 0) = 1;
  int first = 1;
  for (int k = 0; k < cone.part_count; ++k) {
    const int rows = cone.parts[k].rows;
    const double limit = cone.parts[k].limit, radius = limit * y[0];
    const double* part = y + first;
    const double norm = rows == 2 ? std::sqrt(part[0] * part[0] + part[1] * part[1]) : std::abs(part[0]);
    const bool sticks = norm <= radius && limit > 0;
    const double along = sticks || norm == 0 ? 0.0 : radius / norm;
    for (int i = 0; i < rows; ++i) {
      (*derivative)(first + i, first + i) = sticks ? 1.0 : along;
      if (sticks || norm == 0) continue;
      (*derivative)(first + i, 0) = limit * part[i] / norm;
      for (int j = 0; j < rows; ++j) {
        (*derivative)(first + i, first + j) -= along * (part[i] / norm) * (part[j] / norm);
      }
    }
    first += rows;
  }
}

// The convex law: the nearest point of the cone by the metric e, which is that of another cone for stretched rows.
struct Stretched {
  Stretched(const FrictionCone& of, const double* y, const double* e)
      : cone(of), stretch(ContactVector::Ones(of.rows())), at(of.rows()) {
    int first = 1;
    for (int k = 0; k < cone.part_count; ++k) {
      const double factor = std::sqrt(e[first] / e[0]);
      cone.parts[k].limit *= factor;
      stretch.segment(first, cone.parts[k].rows).setConstant(factor);
      first += cone.parts[k].rows;
    }
    for (Eigen::Index i = 0; i < at.size(); ++i) at[i] = stretch[i] * y[i];
  }

  FrictionCone cone;
  ContactVector stretch, at;
};

}  // namespace

void MapImpulse(const ConeBlock& block, bool non_associated, const double* y, const double* e, double* impulse) {
  switch (block.kind) {
    case BlockKind::kFree:
      impulse[0] = y[0];
      break;
    case BlockKind::kInterval:
      impulse[0] = std::clamp(y[0], block.lower, block.upper);
      break;
    case BlockKind::kDisk:
      ClampToDisk(y, 2, block.radius, impulse);
      break;
    case BlockKind::kCone:
      if (non_associated) {
        MapCoulomb(block.cone, y, impulse);
      } else {
        const Stretched stretched(block.cone, y, e);
        ProjectOnFrictionCone(stretched.cone, stretched.at.data(), impulse);
        for (Eigen::Index i = 0; i < stretched.at.size(); ++i) impulse[i] /= stretched.stretch[i];
      }
      break;
  }
}

void MapDerivative(const ConeBlock& block, bool non_associated, const double* y, const double* e,
                   ContactMatrix* derivative) {
  switch (block.kind) {
    case BlockKind::kFree:
      derivative->setOnes(1, 1);
      break;
    case BlockKind::kInterval:
      derivative->setConstant(1, 1, y[0] > block.lower && y[0] < block.upper ? 1.0 : 0.0);
      break;
    case BlockKind::kDisk: {
      const Eigen::Map<const Vec2> point(y);
      const double norm = point.norm();
      derivative->setIdentity(2, 2);
      if (norm <= block.radius) break;
      const Vec2 direction = point / norm;
      *derivative = (block.radius / norm) * (Mat2::Identity() - direction * direction.transpose());
      break;
    }
    case BlockKind::kCone:
      if (non_associated) {
        DeriveCoulomb(block.cone, y, derivative);
      } else {
        const Stretched stretched(block.cone, y, e);
        *derivative = FrictionConeJacobian(stretched.cone, stretched.at.data());
        for (Eigen::Index i = 0; i < stretched.at.size(); ++i) {
          for (Eigen::Index j = 0; j < stretched.at.size(); ++j) {
            (*derivative)(i, j) *= stretched.stretch[j] / stretched.stretch[i];
          }
        }
      }
      break;
  }
}

}  // namespace slipstick::internal
