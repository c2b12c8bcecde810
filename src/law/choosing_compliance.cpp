#include "slipstick/law/choosing_compliance.h"

#include <Eigen/QR>

namespace slipstick::internal {

double ChoosingCompliance(const MatX& normals) {
  constexpr double kChoosing = 1e-6;    // of the mean inverse mass
  constexpr double kRedundant = 1e-10;  // pivots below this part of the largest count as zero
  const Eigen::Index count = normals.rows();
  if (count < 2) return 0;
  Eigen::ColPivHouseholderQR<MatX> factors(normals);
  factors.setThreshold(kRedundant);
  return factors.rank() < count ? kChoosing * normals.trace() / static_cast<double>(count) : 0.0;
}

}  // namespace slipstick::internal
