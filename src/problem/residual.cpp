#include "slipstick/problem/residual.h"

#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/base/check.h"

namespace slipstick::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr ProblemResidual kHopeless{kInfinity, kInfinity};

// a/b where 0/0 is 0 and whatever is not a number is +∞.
double Ratio(double a, double b) {
  if (a == 0 && std::isfinite(b)) return 0;
  const double ratio = a / b;
  return std::isnan(ratio) ? kInfinity : ratio;
}

double WorseOf(double a, double b) { return b > a || std::isnan(b) ? b : a; }

ProblemResidual Finite(ProblemResidual residual) {
  if (!std::isfinite(residual.relative)) residual.relative = kInfinity;
  if (!std::isfinite(residual.per_contact)) residual.per_contact = kInfinity;
  return residual;
}

// |A| |x|, entry by entry; zero where A is empty.
VecX SumOfMagnitudes(const SparseMat& matrix, const VecX& x, Eigen::Index rows) {
  VecX sum = VecX::Zero(rows);
  for (int row = 0; row < matrix.outerSize(); ++row) {
    for (SparseMat::InnerIterator entry(matrix, row); entry; ++entry) {
      sum[row] += std::abs(entry.value() * x[entry.col()]);
    }
  }
  return sum;
}

VecX SumOfTransposedMagnitudes(const SparseMat& matrix, const VecX& x, Eigen::Index rows) {
  VecX sum = VecX::Zero(rows);
  for (int row = 0; row < matrix.outerSize(); ++row) {
    for (SparseMat::InnerIterator entry(matrix, row); entry; ++entry) {
      sum[entry.col()] += std::abs(entry.value() * x[row]);
    }
  }
  return sum;
}

// What the measures of a friction problem are made of, whichever form it has.
struct Rows {
  VecX u, rate;                     // of the contacts' rows, of the bilateral ones
  VecX magnitude, rate_magnitude;   // of which they are the sum
  VecX mass, rate_mass;             // ρ of each contact, of each bilateral row
  double q_norm = 0, momentum = 0;  // momentum: the equation of motion's share of `relative`
};

ProblemResidual Judge(const ContactCoefficients& contacts, const Rows& rows, const VecX& r, const VecX& lambda,
                      bool non_associated, const MultiplierBounds* bounds) {
  // comparisons with a NaN would hide it below
  if (!rows.u.allFinite() || !rows.rate.allFinite()) return kHopeless;
  const int dimension = contacts.dimension;
  double sum = 0, worst = 0;
  for (int c = 0; c < contacts.contacts(); ++c) {
    const std::vector<ContactPart> parts = PartsOfContact(contacts, c);
    const VecX impulse = r.segment(dimension * c, dimension);
    VecX velocity = rows.u.segment(dimension * c, dimension);
    if (non_associated) velocity[0] += SlipOf(parts, velocity);
    sum += (impulse - NearestInCone(parts, impulse - velocity)).squaredNorm();
    const double mass = rows.mass[c];
    const double distance = (impulse - NearestInCone(parts, impulse - mass * velocity)).norm();
    const double size = std::max(impulse.norm(), mass * rows.magnitude.segment(dimension * c, dimension).norm());
    worst = WorseOf(worst, Ratio(distance, size));
  }
  for (int i = 0; i < rows.rate.size(); ++i) {
    const double rate = rows.rate[i], mass = rows.rate_mass[i];
    const bool is_bounded = bounds != nullptr && (std::isfinite(bounds->lower[i]) || std::isfinite(bounds->upper[i]));
    if (!is_bounded) {
      sum += rate * rate;
      worst = WorseOf(worst, Ratio(std::abs(rate), rows.rate_magnitude[i]));
      continue;
    }
    const auto distance = [&](double step) {
      return std::abs(lambda[i] - std::clamp(lambda[i] - step, bounds->lower[i], bounds->upper[i]));
    };
    sum += distance(rate) * distance(rate);
    worst = WorseOf(worst, Ratio(distance(mass * rate), std::max(std::abs(lambda[i]), mass * rows.rate_magnitude[i])));
  }
  const double scale = std::max({rows.q_norm, std::hypot(r.norm(), lambda.norm()), rows.u.norm()});
  return Finite({.relative = Ratio(std::sqrt(sum), scale) + rows.momentum, .per_contact = worst});
}

// ρ from the trace of a contact's own matrix; 1 where it does not answer to impulses at all.
double MassOf(int dimension, double trace) { return trace > 0 ? dimension / trace : 1.0; }

bool Fits(ConstRef<VecX> vector, Eigen::Index size) { return vector.size() == size && vector.allFinite(); }

}  // namespace

std::vector<ContactPart> PartsOfContact(const ContactCoefficients& contacts, int i) {
  switch (contacts.dimension) {
    case 2:
      return {{1, contacts.sliding[i]}};
    case 3:
      return {{2, contacts.sliding[i]}};
    case 5:
      return {{2, contacts.sliding[i]}, {2, contacts.rolling[i]}};
    case 6:
      return {{2, contacts.sliding[i]}, {1, contacts.spinning[i]}, {2, contacts.rolling[i]}};
    default:
      SLIPSTICK_CHECK(false, "a contact of 2, 3, 5 or 6 rows");
  }
}

double SlipOf(const std::vector<ContactPart>& parts, ConstRef<VecX> u) {
  double slip = 0;
  int row = 1;
  for (const ContactPart& part : parts) {
    slip += part.limit * u.segment(row, part.rows).norm();
    row += part.rows;
  }
  return slip;
}

VecX NearestInCone(const std::vector<ContactPart>& parts, ConstRef<VecX> z) {
  std::vector<double> norms;
  int row = 1;
  for (const ContactPart& part : parts) {
    norms.push_back(z.segment(row, part.rows).norm());
    row += part.rows;
  }
  // half the derivative of the squared distance by t = r_N with the best tangential parts, and its own derivative
  const auto balance = [&](double t, double* slope) {
    double value = t - z[0];
    *slope = 1;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const double excess = norms[k] - parts[k].limit * t;
      if (excess > 0) {
        value -= parts[k].limit * excess;
        *slope += parts[k].limit * parts[k].limit;
      }
    }
    return value;
  };
  double slope = 0;
  double low = 0, high = std::max(z[0], 0.0);
  for (std::size_t k = 0; k < parts.size(); ++k) high += parts[k].limit * norms[k];
  double t = 0;
  if (balance(0, &slope) < 0) {
    t = std::max(z[0], 0.0);
    for (int iteration = 0; iteration < 200 && low < high; ++iteration) {
      const double value = balance(t, &slope);
      if (value == 0) break;
      (value < 0 ? low : high) = t;
      double next = t - value / slope;
      if (!(next > low && next < high)) next = low + 0.5 * (high - low);
      if (next == t || next == low || next == high) break;
      t = next;
    }
  }
  VecX nearest(z.size());
  nearest[0] = t;
  row = 1;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const double most = parts[k].limit * t;
    nearest.segment(row, parts[k].rows) = z.segment(row, parts[k].rows) * (norms[k] > most ? most / norms[k] : 1.0);
    row += parts[k].rows;
  }
  return nearest;
}

ProblemResidual ResidualOf(const LocalProblem& problem, ConstRef<VecX> r, ConstRef<VecX> lambda, bool non_associated,
                           const MultiplierBounds* bounds) {
  const int dimension = problem.contacts.dimension, free = static_cast<int>(problem.s.size());
  if (!Fits(r, problem.contacts.rows()) || !Fits(lambda, free)) return kHopeless;
  Rows rows;
  rows.u = problem.W * r + problem.q;
  rows.magnitude = SumOfMagnitudes(problem.W, r, r.size()) + problem.q.cwiseAbs();
  rows.q_norm = std::hypot(problem.q.norm(), problem.s.norm());
  if (free > 0) {
    rows.u += problem.V * lambda;
    rows.magnitude += SumOfMagnitudes(problem.V, lambda, r.size());
    rows.rate = problem.V.transpose() * r + problem.R * lambda + problem.s;
    rows.rate_magnitude =
        SumOfTransposedMagnitudes(problem.V, r, free) + SumOfMagnitudes(problem.R, lambda, free) + problem.s.cwiseAbs();
    rows.rate_mass = VecX(problem.R.diagonal()).unaryExpr([](double trace) { return MassOf(1, trace); });
  }
  const VecX diagonal = problem.W.diagonal();
  rows.mass.resize(problem.contacts.contacts());
  for (int c = 0; c < rows.mass.size(); ++c) {
    rows.mass[c] = MassOf(dimension, diagonal.segment(dimension * c, dimension).sum());
  }
  return Judge(problem.contacts, rows, r, lambda, non_associated, bounds);
}

ProblemResidual ResidualOf(const GlobalProblem& problem, ConstRef<VecX> r, ConstRef<VecX> lambda, const VecX* v,
                           bool non_associated, const MultiplierBounds* bounds) {
  const int dimension = problem.contacts.dimension, free = static_cast<int>(problem.b.size());
  if (!Fits(r, problem.contacts.rows()) || !Fits(lambda, free)) return kHopeless;
  if (v != nullptr && !Fits(*v, problem.f.size())) return kHopeless;
  using Columns = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;
  Eigen::SparseLU<Columns> inverse;
  inverse.compute(Columns(problem.M));
  if (inverse.info() != Eigen::Success) return kHopeless;
  VecX force = problem.H * r;
  if (free > 0) force += problem.G * lambda;
  const VecX velocity = v != nullptr ? *v : VecX(inverse.solve(VecX(force + problem.f)));
  const VecX free_velocity = inverse.solve(problem.f);
  Rows rows;
  rows.u = problem.H.transpose() * velocity + problem.w;
  const VecX q = problem.H.transpose() * free_velocity + problem.w;
  const VecX reach = velocity.cwiseAbs() + free_velocity.cwiseAbs();
  rows.magnitude = SumOfTransposedMagnitudes(problem.H, reach, r.size()) + problem.w.cwiseAbs();
  rows.q_norm = q.norm();
  if (free > 0) {
    rows.rate = problem.G.transpose() * velocity + problem.b;
    rows.rate_magnitude = SumOfTransposedMagnitudes(problem.G, reach, free) + problem.b.cwiseAbs();
    rows.q_norm = std::hypot(rows.q_norm, VecX(problem.G.transpose() * free_velocity + problem.b).norm());
  }
  const VecX momentum = problem.M * velocity;
  rows.momentum =
      Ratio((momentum - force - problem.f).norm(), std::max({problem.f.norm(), momentum.norm(), force.norm()}));
  // the trace of some columns' own matrix Cᵀ M⁻¹ C
  const auto trace = [&inverse](const Columns& columns, int first, int count) {
    double sum = 0;
    for (int i = first; i < first + count; ++i) {
      const VecX column = columns.col(i);
      sum += column.dot(VecX(inverse.solve(column)));
    }
    return sum;
  };
  const Columns h = problem.H, g = problem.G;
  rows.mass.resize(problem.contacts.contacts());
  for (int c = 0; c < rows.mass.size(); ++c) rows.mass[c] = MassOf(dimension, trace(h, dimension * c, dimension));
  rows.rate_mass.resize(free);
  for (int i = 0; i < free; ++i) rows.rate_mass[i] = MassOf(1, trace(g, i, 1));
  return Judge(problem.contacts, rows, r, lambda, non_associated, bounds);
}

ProblemResidual ResidualOf(const MixedProblem& problem, ConstRef<VecX> z) {
  if (!Fits(z, problem.M.cols())) return kHopeless;
  const VecX w = problem.M * z + problem.q;
  if (!w.allFinite()) return kHopeless;
  const VecX magnitude = problem.M.cwiseAbs() * z.cwiseAbs() + problem.q.cwiseAbs();
  double sum = 0, worst = 0;
  int column = 0;  // of the pair of the complementary row
  for (int row = 0; row < w.size(); ++row) {
    if (problem.is_equation[row]) {
      sum += w[row] * w[row];
      worst = WorseOf(worst, Ratio(std::abs(w[row]), magnitude[row]));
      continue;
    }
    while (column < z.size() && problem.is_free[column]) ++column;
    SLIPSTICK_CHECK(column < z.size(), "as many complementary rows as non-negative variables");
    const double distance = z[column] - std::max(0.0, z[column] - w[row]);
    sum += distance * distance;
    const double mass = problem.M(row, column) > 0 ? 1 / problem.M(row, column) : 1.0;
    worst = WorseOf(worst, Ratio(std::abs(z[column] - std::max(0.0, z[column] - mass * w[row])),
                                 std::max(std::abs(z[column]), mass * magnitude[row])));
    ++column;
  }
  const double scale = problem.q.norm();
  return Finite({.relative = std::sqrt(sum) / (scale > 0 ? scale : 1.0), .per_contact = worst});
}

}  // namespace slipstick::internal
