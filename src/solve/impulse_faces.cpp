#include "slipstick/solve/impulse_faces.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick::internal {
namespace {

// Rounding of velocities that were sums of numbers of size 1.
constexpr double kRounding = 1e-11;

// Below this a velocity is not told from zero: what the residual lets through, and rounding.
double VelocityFloor(const LocalProblem& problem, const ProblemSolution& solution) {
  const double largest = std::max(problem.q.lpNorm<Eigen::Infinity>(), solution.u.lpNorm<Eigen::Infinity>());
  const double scale = std::max({problem.q.norm(), solution.r.norm(), solution.u.norm()});
  return std::max(kRounding * largest, 10 * solution.residual * scale);
}

// Adds the directions of one contact to the triplets and says what it does.
ContactMode AddContact(const std::vector<ContactPart>& parts, ConstRef<VecX> u, double floor, bool convex,
                       int first_row, int* column, std::vector<Eigen::Triplet<double>>* entries) {
  // ũ_N − Σ c_k |u_k|: beyond zero the dual cone's interior, which exposes the apex alone
  const double opening = convex ? u[0] - SlipOf(parts, u) : u[0];
  if (opening > floor) return ContactMode::kOpen;
  bool slips = false, sticks = false;
  VecX ray = VecX::Zero(u.size());
  ray[0] = 1;
  std::vector<int> free_rows;
  int row = 1;
  for (const ContactPart& part : parts) {
    const VecX slip = u.segment(row, part.rows);
    if (part.limit > 0 && slip.norm() > floor) {
      ray.segment(row, part.rows) = -part.limit * slip.normalized();
      slips = true;
    } else if (part.limit > 0) {
      for (int k = 0; k < part.rows; ++k) free_rows.push_back(row + k);
      sticks = true;
    }
    row += part.rows;
  }
  ray.normalize();
  for (int k = 0; k < ray.size(); ++k) {
    if (ray[k] != 0) entries->emplace_back(first_row + k, *column, ray[k]);
  }
  ++*column;
  for (const int free_row : free_rows) entries->emplace_back(first_row + free_row, (*column)++, 1.0);
  return slips && sticks ? ContactMode::kMixed : slips ? ContactMode::kSliding : ContactMode::kSticking;
}

}  // namespace

ImpulseFaces FindImpulseFaces(const PreparedProblem& problem, const ProblemSolution& solution, bool convex) {
  const LocalProblem& local = *problem.local;
  const ContactCoefficients& contacts = local.contacts;
  const double floor = VelocityFloor(local, solution);
  ImpulseFaces faces;
  std::vector<Eigen::Triplet<double>> entries;
  int column = 0;
  for (int c = 0; c < contacts.contacts(); ++c) {
    const int first = contacts.dimension * c;
    faces.mode.push_back(AddContact(PartsOfContact(contacts, c), solution.u.segment(first, contacts.dimension), floor,
                                    convex, first, &column, &entries));
  }
  VecX rate;
  if (local.s.size() > 0) rate = local.V.transpose() * solution.r + local.R * solution.lambda + local.s;
  for (int i = 0; i < rate.size(); ++i) {
    const bool at_bound = problem.bounds &&
                          (std::isfinite(problem.bounds->lower[i]) || std::isfinite(problem.bounds->upper[i])) &&
                          std::abs(rate[i]) > floor;
    if (!at_bound) entries.emplace_back(contacts.rows() + i, column++, 1.0);
  }
  faces.span.resize(contacts.rows() + rate.size(), column);
  faces.span.setFromTriplets(entries.begin(), entries.end());
  return faces;
}

VecX NearestImpulses(const PreparedProblem& problem, const VecX& impulses) {
  const ContactCoefficients& contacts = problem.local->contacts;
  VecX nearest = impulses;
  for (int c = 0; c < contacts.contacts(); ++c) {
    const int first = contacts.dimension * c;
    nearest.segment(first, contacts.dimension) =
        NearestInCone(PartsOfContact(contacts, c), impulses.segment(first, contacts.dimension));
  }
  if (problem.bounds) {
    auto multipliers = nearest.tail(nearest.size() - contacts.rows());
    multipliers = multipliers.cwiseMax(problem.bounds->lower).cwiseMin(problem.bounds->upper);
  }
  return nearest;
}

}  // namespace slipstick::internal
