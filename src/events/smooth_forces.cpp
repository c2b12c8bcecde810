#include "slipstick/events/smooth_forces.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/events/share_forces.h"

namespace slipstick::internal {
namespace {

constexpr double kRank = 1e-10;   // pivots below this part of the largest are zero: redundant rows
constexpr double kSolved = 1e-6;  // of the right side, up to which rows may contradict each other
constexpr double kRounding = 32 * std::numeric_limits<double>::epsilon();
constexpr double kDeepOverlap = 1e-6;  // [m]: bodies that were put into each other stay so
constexpr double kLeastShare = 1e-4;
constexpr int kMostCorrections = 5;
constexpr double kNothing = 1e-18;    // [m/s or 1/s]
constexpr double kCorrected = 1e-14;  // [m or 1]

// Rows G of what is held, with the directions H that their forces act in: the same but for friction of what slides.
struct HeldRows {
  MatX G, H;
  MatX inverse_mass_H;  // M⁻¹ Hᵀ
  VecX target;          // of G times acceleration, velocity or correction
  VecX reference;
  VecX scale;   // 1/√(G M⁻¹ Gᵀ) of each row, 0 where the row moves nothing
  VecX weight;  // what a force may take of a load that several could carry
  int count = 0;

  HeldRows(Eigen::Index most, Eigen::Index velocities) {
    G.resize(most, velocities);
    H.resize(most, velocities);
    target.resize(most);
    reference.resize(most);
    weight.setOnes(most);
  }
  void Add(ConstRef<Eigen::RowVectorXd> row, ConstRef<Eigen::RowVectorXd> direction, double wanted, double force) {
    G.row(count) = row;
    H.row(count) = direction;
    target[count] = wanted;
    reference[count] = force;
    ++count;
  }
  void Finish(const BlockDiagonal& mass) {
    G.conservativeResize(count, Eigen::NoChange);
    H.conservativeResize(count, Eigen::NoChange);
    target.conservativeResize(count);
    reference.conservativeResize(count);
    weight.conservativeResize(count);
    inverse_mass_H.resize(G.cols(), count);
    scale.resize(count);
    VecX column;
    for (int i = 0; i < count; ++i) {
      column = G.row(i).transpose();
      mass.SolveInPlace(column);
      const double inverse = G.row(i).dot(column);
      scale[i] = inverse > 0 ? 1 / std::sqrt(inverse) : 0.0;
      column = H.row(i).transpose();
      mass.SolveInPlace(column);
      inverse_mass_H.col(i) = column;
    }
  }
  // Forces with which G (free + M⁻¹ Hᵀ force) = target: where they are not unique, those nearest to the reference.
  bool Solve(const VecX& free, VecX* forces) const {
    *forces = reference;
    if (count == 0) return true;
    const VecX missing = target - G * (free + inverse_mass_H * reference);
    const VecX right = scale.cwiseProduct(missing);
    if (right.isZero(0)) return true;
    const VecX weighed = scale.cwiseProduct(weight);
    const MatX matrix = scale.asDiagonal() * (G * inverse_mass_H) * weighed.asDiagonal();
    Eigen::CompleteOrthogonalDecomposition<MatX> decomposition;
    decomposition.setThreshold(kRank);
    decomposition.compute(matrix);
    const VecX change = decomposition.solve(right);
    if (!change.allFinite()) return false;
    *forces += weighed.cwiseProduct(change);
    const VecX sizes = scale.cwiseProduct(target.cwiseAbs() + (G * free).cwiseAbs());
    return (matrix * change - right).norm() <= kSolved * std::max(right.norm(), sizes.norm());
  }
};

// Unit vector of the friction's slip. Beyond the end of the slip, where it has turned back against the direction it
// began with, it is mirrored: so forces go on smoothly until the event is found, as in a motion along a line.
Vec2 SlipDirection(const Vec2& slip, const Vec2& began) {
  Vec2 direction = slip;
  const double along = slip.dot(began);
  if (along < 0) direction -= 2 * along * began;
  const double length = direction.norm();
  return length > 0 ? Vec2(direction / length) : began;
}

// What is held is at rest, and not only nearly: an acceleration below the rounding of the terms it is the sum of is
// none, of one velocity or of all of a tree.
void RemoveRounding(const BlockDiagonal& mass, const VecX& terms, VecX* acceleration) {
  const BlockLayout& trees = mass.layout();
  VecX momentum, diagonal;
  for (int b = 0; b < trees.count(); ++b) {
    const int first = trees.offset[b], size = trees.size[b];
    momentum.resize(size);
    diagonal.resize(size);
    mass.GetDiagonal(b, diagonal.data());
    auto part = acceleration->segment(first, size);
    mass.MultiplyBlock(b, part.data(), momentum.data());
    const VecX of_tree = terms.segment(first, size);
    if (part.dot(momentum) <= kRounding * kRounding * diagonal.dot(of_tree.cwiseProduct(of_tree))) part.setZero();
    for (int i = 0; i < size; ++i) {
      if (std::abs(part[i]) <= kRounding * of_tree[i]) part[i] = 0;
    }
  }
}

std::vector<ContactPoint> PresentPoints(const Instant& instant, const Modes& modes) {
  std::vector<ContactPoint> points;
  for (const ClosedContact& contact : modes.contacts) {
    const ContactPoint* point = FindPoint(instant.points, contact.point);
    points.push_back(point != nullptr ? *point : contact.point);
  }
  return points;
}

// Rows of velocities and positions: what is held in modes and constraints.
HeldRows HoldAll(const Instant& instant, const Modes& modes, const ContactProblem& problem, bool tangential) {
  const MatX bilateral = DenseRows(instant.constraints.jacobian), contacts = DenseRows(problem.contacts.jacobian),
             joints = DenseRows(problem.bounded.jacobian);
  HeldRows rows(bilateral.rows() + contacts.rows() + joints.rows(), instant.state.v.size());
  for (Eigen::Index i = 0; i < bilateral.rows(); ++i) rows.Add(bilateral.row(i), bilateral.row(i), 0, 0);
  for (Eigen::Index i = 0; tangential && i < joints.rows(); ++i) {
    if (modes.joints[i] == 0) rows.Add(joints.row(i), joints.row(i), 0, 0);
  }
  for (std::size_t i = 0; i < modes.contacts.size(); ++i) {
    const int count = tangential && modes.contacts[i].mode == ClosedMode::kSticking ? 3 : 1;
    for (int k = 0; k < count; ++k) {
      const auto row = contacts.row(3 * static_cast<Eigen::Index>(i) + k);
      rows.Add(row, row, 0, 0);
    }
  }
  return rows;
}

// What the forces of closed contacts are held to, in the order of the modes.
std::vector<ShareLimit> LimitsOf(const Modes& modes, const ContactSet& set, const std::vector<int>& first_row) {
  std::vector<ShareLimit> limits;
  for (std::size_t i = 0; i < modes.contacts.size(); ++i) {
    const bool sticks = modes.contacts[i].mode == ClosedMode::kSticking;
    limits.push_back({first_row[i], sticks, set.surface(static_cast<int>(i)).friction_static});
  }
  return limits;
}

}  // namespace

SmoothForces ComputeSmoothForces(const Instant& instant, const Modes& modes, const SlidingFriction& friction,
                                 InstantEvaluator* evaluator) {
  SmoothForces forces;
  const Eigen::Index n = instant.state.v.size();
  const VecX& v = instant.state.v;
  forces.points = PresentPoints(instant, modes);
  forces.contact.assign(modes.contacts.size(), Vec3::Zero());
  forces.slip.assign(modes.contacts.size(), Vec3::Zero());
  forces.give.assign(modes.contacts.size(), 1);
  if (instant.mass_is_singular) return forces;
  ContactProblem problem;
  evaluator->AssembleContacts(instant, forces.points, 1.0, &problem);  // h = 1: limits of joints are forces
  const ContactSet& set = problem.contacts;
  for (int i = 0; i < set.size(); ++i) forces.friction_static.push_back(set.surface(i).friction_static);
  const VecX bias = evaluator->RowBias(instant, forces.points);
  const MatX bilateral = DenseRows(instant.constraints.jacobian), contacts = DenseRows(set.jacobian),
             joints = DenseRows(problem.bounded.jacobian);
  const Eigen::Index first_contact = bilateral.rows();

  VecX load = VecX::Zero(n);  // forces that are known: viscous friction, joints that slide
  HeldRows rows(bilateral.rows() + joints.rows() + contacts.rows(), n);
  for (Eigen::Index i = 0; i < bilateral.rows(); ++i) {
    rows.Add(bilateral.row(i), bilateral.row(i), instant.constraint_acceleration[i] - bias[i],
             modes.bilateral_reference.size() > 0 ? modes.bilateral_reference[i] : 0.0);
  }
  forces.bounded.setZero(joints.rows());
  forces.joint_limit = problem.bounded.upper;
  forces.joint_velocity = joints * v;
  for (Eigen::Index i = 0; i < joints.rows(); ++i) {
    if (modes.joints[i] == 0) {
      rows.Add(joints.row(i), joints.row(i), 0, modes.joint_reference.size() > 0 ? modes.joint_reference[i] : 0.0);
    } else {
      forces.bounded[i] = -modes.joints[i] * problem.bounded.upper[i];
      load += forces.bounded[i] * joints.row(i).transpose();
    }
  }
  // friction that redundant contacts share goes by their loads: Σ λT²/λN is least, so that what slides as a whole
  // reaches its limit everywhere at once
  double heaviest = 0;
  for (const ClosedContact& contact : modes.contacts) heaviest = std::max(heaviest, contact.reference[0]);
  std::vector<Vec2> slips(modes.contacts.size()), directions(modes.contacts.size());
  std::vector<int> first_row(modes.contacts.size());
  for (std::size_t i = 0; i < modes.contacts.size(); ++i) {
    const ClosedContact& contact = modes.contacts[i];
    const int k = static_cast<int>(i);
    const Eigen::Index row = 3 * static_cast<Eigen::Index>(i);
    const Vec2 slip = contacts.middleRows(row + 1, 2) * v;
    slips[i] = slip;
    forces.slip[i] = set.World(k, slip);
    first_row[i] = rows.count;
    const Vec3 accelerations = -bias.segment<3>(first_contact + row);
    if (contact.mode == ClosedMode::kSticking) {
      for (int c = 0; c < 3; ++c) {
        rows.Add(contacts.row(row + c), contacts.row(row + c), accelerations[c], contact.reference[c]);
        const double share = heaviest > 0 ? std::max(contact.reference[0] / heaviest, kLeastShare) : 1.0;
        if (c > 0) rows.weight[rows.count - 1] = std::sqrt(share);
      }
      continue;
    }
    Vec2 began = set.Tangential(k, contact.direction);
    if (began.norm() > 0) began.normalize();
    directions[i] = SlipDirection(slip, began);
    const Eigen::RowVectorXd pushed =
        contacts.row(row) -
        set.surface(k).friction_kinetic * (directions[i].transpose() * contacts.middleRows(row + 1, 2));
    rows.Add(contacts.row(row), pushed, accelerations[0], contact.reference[0]);
    if (friction.viscous > 0) load -= friction.viscous * (contacts.middleRows(row + 1, 2).transpose() * slip);
  }
  rows.Finish(instant.mass);

  VecX free = instant.free_acceleration;
  if (!load.isZero(0)) {
    instant.mass.SolveInPlace(load);
    free += load;
  }
  VecX held;
  forces.is_solved = rows.Solve(free, &held) && held.allFinite();
  if (!forces.is_solved) return forces;
  ShareWithinLimits(LimitsOf(modes, set, first_row), rows.H, &held);
  forces.acceleration = free + rows.inverse_mass_H * held;
  if (rows.count > 0) {
    RemoveRounding(instant.mass, free.cwiseAbs() + rows.inverse_mass_H.cwiseAbs() * held.cwiseAbs(),
                   &forces.acceleration);
  }

  forces.bilateral = held.head(bilateral.rows());
  int row = static_cast<int>(bilateral.rows());
  for (Eigen::Index i = 0; i < joints.rows(); ++i) {
    if (modes.joints[i] == 0) forces.bounded[i] = held[row++];
  }
  for (std::size_t i = 0; i < modes.contacts.size(); ++i) {
    const int k = first_row[i];
    if (modes.contacts[i].mode == ClosedMode::kSticking) {
      forces.contact[i] = held.segment<3>(k);
    } else {
      const double along = set.surface(static_cast<int>(i)).friction_kinetic * held[k];
      forces.contact[i][0] = held[k];
      forces.contact[i].tail<2>() = -along * directions[i] - friction.viscous * slips[i];
      forces.give[i] = rows.scale[k] * rows.scale[k] * rows.G.row(k).dot(rows.inverse_mass_H.col(k));
    }
    const Vec3 velocity = contacts.middleRows(3 * static_cast<Eigen::Index>(i), 3) * v;
    forces.power.normal += forces.contact[i][0] * velocity[0];
    forces.power.friction += forces.contact[i].tail<2>().dot(velocity.tail<2>());
  }
  forces.power.applied = instant.applied.dot(v);
  if (bilateral.rows() > 0) forces.power.bilateral = forces.bilateral.dot(bilateral * v);
  if (joints.rows() > 0) forces.power.bounded = forces.bounded.dot(forces.joint_velocity);
  return forces;
}

void ProjectVelocity(const Instant& instant, const Modes& modes, InstantEvaluator* evaluator, VecX* velocity) {
  if (instant.mass_is_singular) return;
  ContactProblem problem;
  evaluator->AssembleContacts(instant, PresentPoints(instant, modes), 1.0, &problem);
  HeldRows rows = HoldAll(instant, modes, problem, true);
  rows.target.head(instant.constraints.rate.size()) = instant.constraints.rate;
  rows.Finish(instant.mass);
  VecX impulses;
  rows.Solve(*velocity, &impulses);
  if (impulses.allFinite() && !impulses.isZero(0)) *velocity += rows.inverse_mass_H * impulses;
  // what is left of the velocities that were taken away is nothing
  for (double& v : *velocity) {
    if (std::abs(v) < kNothing) v = 0;
  }
}

double ProjectPosition(const Modes& modes, InstantEvaluator* evaluator, MotionState* state) {
  double largest = 0;
  if (modes.contacts.empty() && evaluator->model().constraints.empty()) return largest;
  Instant instant;
  for (int k = 0; k < kMostCorrections; ++k) {
    evaluator->Evaluate(*state, &instant);
    if (instant.mass_is_singular) break;
    ContactProblem problem;
    evaluator->AssembleContacts(instant, PresentPoints(instant, modes), 1.0, &problem);
    HeldRows rows = HoldAll(instant, modes, problem, false);
    const Eigen::Index bilateral = instant.constraints.drift.size();
    rows.target.head(bilateral) = -instant.constraints.drift;
    for (std::size_t i = 0; i < modes.contacts.size(); ++i) {
      const double gap = problem.contacts.gap[i];
      rows.target[bilateral + static_cast<Eigen::Index>(i)] = std::abs(gap) < kDeepOverlap ? -gap : 0.0;
    }
    rows.Finish(instant.mass);
    const double error = rows.count > 0 ? rows.target.lpNorm<Eigen::Infinity>() : 0.0;
    if (k == 0) largest = error;
    if (error <= kCorrected) break;
    VecX impulses;
    rows.Solve(VecX::Zero(state->v.size()), &impulses);
    if (!impulses.allFinite()) break;
    AdvancePositions(evaluator->model(), rows.inverse_mass_H * impulses, 1.0, state->released, &state->q);
  }
  return largest;
}

}  // namespace slipstick::internal
