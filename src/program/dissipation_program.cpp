#include "slipstick/program/dissipation_program.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/base/worst.h"

namespace slipstick::internal {

void ProjectOnLimits(const DissipationContact& contact, const double* z, double* out) {
  if (contact.rows == 1) {
    out[0] = std::max(z[0], 0.0);
    return;
  }
  const double mu = contact.friction, c = contact.extra, size = std::hypot(z[1], z[2]);
  double normal = z[0], radius = size;
  if (size > mu * normal + c) {
    // on the shifted cone, whose tip may lie below x_N = 0
    normal = (normal + mu * (size - c)) / (1 + mu * mu);
    radius = mu * normal + c;
  }
  if (normal < 0) {
    normal = 0;
    radius = std::min(size, c);
  }
  const double factor = size > 0 ? radius / size : 0.0;
  out[0] = normal;
  out[1] = factor * z[1];
  out[2] = factor * z[2];
}

DissipationProgram WithMatrix(DissipationProgram program) {
  if (!program.is_factored()) return program;
  program.A = program.gram.factor() * program.gram.factor().transpose();
  program.gram = {};
  return program;
}

VecX ShadowVelocity(const DissipationProgram& program, ConstRef<VecX> x, const DissipationMultipliers& multipliers) {
  VecX moved = x;
  for (std::size_t i = 0; i < program.contacts.size(); ++i) {
    moved[program.contacts[i].row] -= multipliers.push[static_cast<Eigen::Index>(i)];
  }
  VecX g = program.Times(moved) + program.b;
  for (const DissipationContact& contact : program.contacts) g[contact.row] += multipliers.tax;
  return g;
}

VecX RowMasses(const DissipationProgram& program) {
  const auto count = program.contacts.size();
  const VecX diagonal = program.Diagonal();
  VecX inverse(static_cast<Eigen::Index>(count + program.intervals.size()));
  double sum = 0;
  int positive = 0;
  for (std::size_t i = 0; i < count + program.intervals.size(); ++i) {
    double mean;
    if (i < count) {
      const DissipationContact& contact = program.contacts[i];
      mean = diagonal.segment(contact.row, contact.rows).mean();
    } else {
      mean = diagonal[program.intervals[i - count].row];
    }
    inverse[static_cast<Eigen::Index>(i)] = mean;
    if (!(mean > 0)) continue;
    sum += mean;
    ++positive;
  }
  const double stand_in = positive > 0 ? sum / positive : 1.0;
  return inverse.unaryExpr([&](double value) { return 1 / (value > 0 ? value : stand_in); });
}

double DissipationResidual(const DissipationProgram& program, ConstRef<VecX> x,
                           const DissipationMultipliers& multipliers) {
  const auto count = static_cast<Eigen::Index>(program.contacts.size());
  if (!x.allFinite() || !multipliers.push.allFinite() || !std::isfinite(multipliers.tax)) {
    return std::numeric_limits<double>::infinity();
  }
  const VecX masses = RowMasses(program), g = ShadowVelocity(program, x, multipliers), u = program.Times(x) + program.b;
  double worst = 0, room = program.normal_limit, mean_mass = 0;
  for (Eigen::Index i = 0; i < count; ++i) {
    const DissipationContact& contact = program.contacts[i];
    const double m = masses[i];
    double moved[3], difference = 0;
    for (int k = 0; k < contact.rows; ++k) moved[k] = x[contact.row + k] - m * g[contact.row + k];
    ProjectOnLimits(contact, moved, moved);
    for (int k = 0; k < contact.rows; ++k) difference = std::hypot(difference, x[contact.row + k] - moved[k]);
    worst = Worst(worst, difference / m);
    const double y = multipliers.push[i];
    worst = Worst(worst, std::abs(y - std::max(y - m * u[contact.row], 0.0)) / m);
    room -= x[contact.row];
    mean_mass += m / static_cast<double>(count);
  }
  if (count > 0) {
    const double tau = multipliers.tax;
    worst = Worst(worst, std::abs(tau - std::max(tau - room / mean_mass, 0.0)));
  }
  for (std::size_t i = 0; i < program.intervals.size(); ++i) {
    const DissipationInterval& interval = program.intervals[i];
    const double m = masses[count + static_cast<Eigen::Index>(i)], z = x[interval.row];
    worst = Worst(worst, std::abs(z - std::clamp(z - m * g[interval.row], interval.lower, interval.upper)) / m);
  }
  return std::isfinite(worst) ? worst : std::numeric_limits<double>::infinity();
}

std::string Check(const DissipationProgram& program) {
  const Eigen::Index n = program.b.size();
  if (program.is_factored() && program.A.size() > 0) return "A is given twice";
  if (program.is_factored() ? program.gram.rows() != n : program.A.rows() != n || program.A.cols() != n) {
    return "A and b do not fit";
  }
  const bool finite = program.is_factored() ? program.gram.diagonal().allFinite() : program.A.allFinite();
  if (!finite || !program.b.allFinite()) return "A or b is not finite";
  if (!(program.normal_limit >= 0) || !std::isfinite(program.normal_limit)) return "the limit of normals is no limit";
  std::vector<int> owners(n, 0);
  const auto take = [&](int row, int rows) {
    for (int k = row; k < row + rows; ++k) {
      if (k < 0 || k >= n) return false;
      ++owners[k];
    }
    return true;
  };
  for (const DissipationContact& contact : program.contacts) {
    if ((contact.rows != 1 && contact.rows != 3) || !take(contact.row, contact.rows)) return "a contact has no rows";
    if (!(contact.friction >= 0) || !(contact.extra >= 0) || !std::isfinite(contact.friction + contact.extra)) {
      return "a limit of friction is no limit";
    }
  }
  for (const DissipationInterval& interval : program.intervals) {
    if (!take(interval.row, 1)) return "an interval has no row";
    const double infinity = std::numeric_limits<double>::infinity();
    if (!(interval.lower <= interval.upper) || interval.lower == infinity || interval.upper == -infinity) {
      return "an interval has no bounds";
    }
  }
  const bool each_once = std::all_of(owners.begin(), owners.end(), [](int count) { return count == 1; });
  return each_once ? "" : "a row belongs to none or to several";
}

}  // namespace slipstick::internal
