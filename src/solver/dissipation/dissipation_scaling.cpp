#include "slipstick/solver/dissipation/dissipation_scaling.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick::internal {

ScaledDissipation::ScaledDissipation(const DissipationProgram& original) : program(original) {
  const VecX masses = RowMasses(original);
  const auto count = static_cast<Eigen::Index>(original.contacts.size());
  factor.setOnes(original.size());
  weight.resize(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    weight[i] = std::sqrt(masses[i]);
    factor.segment(original.contacts[i].row, original.contacts[i].rows).setConstant(weight[i]);
  }
  for (std::size_t i = 0; i < original.intervals.size(); ++i) {
    factor[original.intervals[i].row] = std::sqrt(masses[count + static_cast<Eigen::Index>(i)]);
  }
  program.A = factor.asDiagonal() * original.A * factor.asDiagonal();
  program.b = factor.cwiseProduct(original.b);
  const double largest = original.size() > 0 ? program.b.lpNorm<Eigen::Infinity>() : 0.0;
  const double velocity = largest > 0 ? largest : 1.0, mean = count > 0 ? weight.mean() : 1.0;
  program.b /= velocity;
  factor *= velocity;
  weight /= mean;
  program.normal_limit = original.normal_limit / (velocity * mean);
  tax_factor = velocity / mean;
  for (DissipationContact& contact : program.contacts) contact.extra /= factor[contact.row];
  for (DissipationInterval& interval : program.intervals) {
    interval.lower /= factor[interval.row];
    interval.upper /= factor[interval.row];
  }
}

DissipationMultipliers ScaledDissipation::ToOriginal(const DissipationMultipliers& scaled) const {
  DissipationMultipliers result{scaled.push, scaled.tax * tax_factor};
  for (int i = 0; i < contacts(); ++i) result.push[i] *= factor[program.contacts[i].row];
  return result;
}

DissipationMultipliers ScaledDissipation::ToScaled(const DissipationMultipliers& original) const {
  DissipationMultipliers result{original.push, original.tax / tax_factor};
  for (int i = 0; i < contacts(); ++i) result.push[i] /= factor[program.contacts[i].row];
  return result;
}

VecX ProjectOnLimits(const DissipationProgram& program, VecX x) {
  for (const DissipationContact& contact : program.contacts) {
    ProjectOnLimits(contact, x.data() + contact.row, x.data() + contact.row);
  }
  for (const DissipationInterval& interval : program.intervals) {
    x[interval.row] = std::clamp(x[interval.row], interval.lower, interval.upper);
  }
  return x;
}

DissipationRun::DissipationRun(const DissipationProgram& program)
    : program_(program),
      scale_(program.size() > 0 ? program.b.lpNorm<Eigen::Infinity>() : 0.0),
      best_(ProjectOnLimits(program, VecX::Zero(program.size()))),
      multipliers_{VecX::Zero(static_cast<Eigen::Index>(program.contacts.size())), 0},
      error_(std::numeric_limits<double>::infinity()),
      best_error_(error_) {
  if (scale_ == 0) scale_ = 1;
}

bool DissipationRun::Judge(VecX x, DissipationMultipliers multipliers, double tolerance) {
  error_ = std::numeric_limits<double>::infinity();
  if (!x.allFinite() || !multipliers.push.allFinite() || !std::isfinite(multipliers.tax)) return false;
  x = ProjectOnLimits(program_, std::move(x));
  multipliers.push = multipliers.push.cwiseMax(0);
  multipliers.tax = std::max(multipliers.tax, 0.0);
  error_ = DissipationResidual(program_, x, multipliers) / scale_;
  if (error_ < best_error_) {
    best_error_ = error_;
    best_ = std::move(x);
    multipliers_ = std::move(multipliers);
  }
  return best_error_ <= tolerance;
}

DissipationAnswer DissipationRun::Finish(SolveStatus status, int iterations, const char* solver) const {
  return {best_, multipliers_, {status, iterations, best_error_, solver}};
}

}  // namespace slipstick::internal
