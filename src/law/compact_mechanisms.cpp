#include "slipstick/law/compact_mechanisms.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

namespace slipstick::internal {
namespace {

// Coordinates up to which a dense inverse costs less than what is done with it.
constexpr int kMostCoordinates = 240;
constexpr double kRedundant = 1e-10;  // pivots of scaled bilateral rows below this count as zero

int RootOf(std::vector<int>* root, int block) {
  while ((*root)[block] != block) block = (*root)[block] = (*root)[(*root)[block]];
  return block;
}

}  // namespace

bool HeldMechanisms::Read(const ContactProblem& problem, CompactMechanisms* mechanisms) {
  const BlockLayout& layout = problem.mass.layout();
  const BlockRows &bilateral = problem.bilateral.jacobian, &bounded = problem.bounded.jacobian,
                  &contacts = problem.contacts.jacobian;
  *mechanisms = {};
  held_.clear();
  constexpr int kNone = -1;
  bool any = bilateral.rows() + bounded.rows() > 0;
  for (int i = 0; !any && i < contacts.groups(); ++i) {
    for (const int block : {contacts.block_a(i), contacts.block_b(i)}) {
      any |= block >= 0 && problem.mass.rigid(block) == nullptr;
    }
  }
  if (!any) return true;

  root_.assign(layout.count(), kNone);  // of blocks that belong to a mechanism
  const auto take = [&](int block) {
    if (block >= 0 && root_[block] == kNone) root_[block] = block;
  };
  for (const BlockRows* rows : {&bilateral, &bounded}) {
    for (int g = 0; g < rows->groups(); ++g) {
      take(rows->block_a(g));
      take(rows->block_b(g));
    }
  }
  for (int i = 0; i < contacts.groups(); ++i) {
    for (const int block : {contacts.block_a(i), contacts.block_b(i)}) {
      if (block >= 0 && problem.mass.rigid(block) == nullptr) take(block);
    }
  }
  for (int g = 0; g < bilateral.groups(); ++g) {
    if (bilateral.block_a(g) < 0 || bilateral.block_b(g) < 0) continue;
    const int a = RootOf(&root_, bilateral.block_a(g)), b = RootOf(&root_, bilateral.block_b(g));
    root_[std::max(a, b)] = std::min(a, b);
  }

  mechanisms->of_body.assign(layout.count(), kNone);
  mechanisms->coordinate.assign(layout.count(), 0);
  for (int block = 0; block < layout.count(); ++block) {
    if (root_[block] == kNone) continue;
    const int root = RootOf(&root_, block);
    int& number = mechanisms->of_body[root];
    if (number == kNone) {
      number = static_cast<int>(mechanisms->list.size());
      mechanisms->list.emplace_back();
    }
    mechanisms->of_body[block] = number;
    mechanisms->list[number].size += layout.size[block];
    if (mechanisms->list[number].size > kMostCoordinates) return false;
  }
  int total = 0;
  for (CompactMechanisms::Mechanism& mechanism : mechanisms->list) {
    mechanism.first = total;
    total += mechanism.size;
    mechanism.inverse_mass.setZero(mechanism.size, mechanism.size);
    mechanism.size = 0;
  }
  mechanisms->velocity.resize(total);
  for (int block = 0; block < layout.count(); ++block) {
    if (!mechanisms->has(block)) continue;
    CompactMechanisms::Mechanism& mechanism = mechanisms->list[mechanisms->of_body[block]];
    const int size = layout.size[block], at = mechanism.size;
    MatX inverse = MatX::Identity(size, size);
    problem.mass.SolveBlockInPlace(block, inverse);
    mechanism.inverse_mass.block(at, at, size, size) = inverse;
    mechanisms->coordinate[block] = mechanism.first + at;
    mechanisms->velocity.segment(mechanism.first + at, size) =
        problem.free_velocity.segment(layout.offset[block], size);
    mechanism.size += size;
  }
  held_.resize(mechanisms->list.size());
  for (int g = 0; g < bilateral.groups(); ++g) {
    const int block = std::max(bilateral.block_a(g), bilateral.block_b(g));
    if (block < 0) continue;
    Held& held = held_[mechanisms->of_body[block]];
    held.groups.push_back(g);
    for (int k = 0; k < bilateral.rows(g); ++k) held.rows.push_back(bilateral.first_row(g) + k);
  }
  for (int number = 0; number < static_cast<int>(held_.size()); ++number) HoldRows(problem, number, mechanisms);

  mechanisms->contact_rows = &contacts;
  mechanisms->moment_rows = &problem.contacts.angular;
  mechanisms->moment_group = &problem.contacts.angular_group;
  mechanisms->limited_rows = &bounded;
  for (int g = 0; g < bounded.groups(); ++g) {
    for (int k = 0; k < bounded.rows(g); ++k) {
      const int row = bounded.first_row(g) + k;
      mechanisms->limited.push_back({bounded.block_a(g), bounded.block_b(g), g, k, problem.bounded.target[row],
                                     problem.bounded.lower[row], problem.bounded.upper[row]});
    }
  }
  return true;
}

void HeldMechanisms::HoldRows(const ContactProblem& problem, int number, CompactMechanisms* mechanisms) {
  CompactMechanisms::Mechanism& mechanism = mechanisms->list[number];
  Held& held = held_[number];
  mechanism.loose = mechanism.inverse_mass.diagonal();
  const auto count = static_cast<Eigen::Index>(held.rows.size());
  if (count == 0) return;
  const BlockRows& bilateral = problem.bilateral.jacobian;
  MatX rows = MatX::Zero(count, mechanism.size);
  VecX target(count);
  Eigen::Index at = 0;
  for (const int g : held.groups) {
    const auto put = [&](int block, const BlockRows::ConstPiece& piece) {
      if (block < 0) return;
      rows.block(at, mechanisms->coordinate[block] - mechanism.first, piece.rows(), piece.cols()) += piece;
    };
    put(bilateral.block_a(g), bilateral.piece_a(g));
    put(bilateral.block_b(g), bilateral.piece_b(g));
    at += bilateral.rows(g);
  }
  for (Eigen::Index k = 0; k < count; ++k) target[k] = problem.bilateral.target[held.rows[k]];
  const MatX moved = mechanism.inverse_mass * rows.transpose();
  MatX soft = rows * moved;
  // rows have units of their own
  const VecX scale = soft.diagonal().unaryExpr([](double own) { return own > 0 ? 1 / std::sqrt(own) : 0.0; });
  soft = scale.asDiagonal() * soft * scale.asDiagonal();
  Eigen::CompleteOrthogonalDecomposition<MatX> factors;
  factors.setThreshold(kRedundant);
  factors.compute(soft);
  held.inverse = scale.asDiagonal() * factors.pseudoInverse() * scale.asDiagonal();
  const MatX taken = moved * held.inverse * moved.transpose();
  mechanism.inverse_mass -= 0.5 * (taken + taken.transpose());
  auto velocity = mechanisms->velocity.segment(mechanism.first, mechanism.size);
  velocity -= moved * (held.inverse * (rows * velocity - target));
}

void HeldMechanisms::Hold(const ContactProblem& problem, ContactSolution* solution) const {
  VecX error(problem.bilateral.jacobian.rows());
  problem.bilateral.jacobian.Multiply(solution->velocity, error);
  error -= problem.bilateral.target;
  for (const Held& held : held_) {
    if (held.rows.empty()) continue;
    const VecX impulses = -(held.inverse * error(held.rows));
    solution->bilateral(held.rows) = impulses;
  }
  ComputeVelocity(problem, solution);
}

}  // namespace slipstick::internal
