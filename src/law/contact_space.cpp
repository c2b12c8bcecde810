#include "slipstick/law/contact_space.h"

#include <Eigen/QR>
#include <numeric>

namespace slipstick {
namespace {

constexpr double kRank = 1e-11;  // rows that depend on others up to this share of the largest are redundant

// Groups of `from`, by number, as rows of their own.
BlockRows Selected(const BlockRows& from, const std::vector<int>& groups) {
  BlockRows rows;
  rows.Reset(from.layout());
  for (const int g : groups) {
    const int a = from.block_a(g), b = from.block_b(g);
    if (const BlockRows::Rigid* rigid = from.rigid(g); rigid != nullptr) {
      rows.Append(*rigid, a, b);
      continue;
    }
    const int group = rows.Append(from.rows(g), a, b);
    if (a >= 0) rows.piece_a(group) = from.piece_a(g);
    if (b >= 0) rows.piece_b(group) = from.piece_b(g);
  }
  return rows;
}

VecX GroupVelocities(const BlockRows& rows, const std::vector<int>& groups, ConstRef<VecX> velocity) {
  const BlockRows selected = Selected(rows, groups);
  VecX out(selected.rows());
  selected.Multiply(velocity, out);
  return out;
}

class Sets {
 public:
  explicit Sets(int count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
  int Find(int k) {
    while (parent_[k] != k) k = parent_[k] = parent_[parent_[k]];
    return k;
  }
  void Join(int a, int b) { parent_[Find(a)] = Find(b); }

 private:
  std::vector<int> parent_;
};

}  // namespace

std::vector<ContactIsland> FindIslands(const ContactProblem& problem) {
  const int trees = problem.mass.layout().count();
  Sets sets(trees);
  const BlockRows* all[3] = {&problem.contacts.jacobian, &problem.bounded.jacobian, &problem.bilateral.jacobian};
  for (const BlockRows* rows : all) {
    for (int g = 0; g < rows->groups(); ++g) {
      if (rows->block_a(g) >= 0 && rows->block_b(g) >= 0) sets.Join(rows->block_a(g), rows->block_b(g));
    }
  }
  std::vector<ContactIsland> islands;
  std::vector<int> number(trees, -1);
  int of_world = -1;  // contacts of what cannot move
  for (int kind = 0; kind < 3; ++kind) {
    const BlockRows& rows = *all[kind];
    for (int g = 0; g < rows.groups(); ++g) {
      const int tree = rows.block_a(g) >= 0 ? rows.block_a(g) : rows.block_b(g);
      int& island = tree >= 0 ? number[sets.Find(tree)] : of_world;
      if (island < 0) {
        island = static_cast<int>(islands.size());
        islands.emplace_back();
      }
      ContactIsland& found = islands[island];
      (kind == 0 ? found.contacts : kind == 1 ? found.bounded : found.bilateral).push_back(g);
    }
  }
  return islands;
}

VecX ContactSpace::RowVelocities(const ContactProblem& problem, const ContactIsland& island,
                                 ConstRef<VecX> velocity) const {
  VecX out(A.rows());
  out << GroupVelocities(problem.contacts.jacobian, island.contacts, velocity),
      GroupVelocities(problem.bounded.jacobian, island.bounded, velocity);
  if (across.cols() > 0) out += across * Bilateral(problem, island, velocity, VecX::Zero(A.rows()));
  return out;
}

VecX ContactSpace::Bilateral(const ContactProblem& problem, const ContactIsland& island, ConstRef<VecX> velocity,
                             ConstRef<VecX> x) const {
  VecX missing = GroupVelocities(problem.bilateral.jacobian, island.bilateral, velocity) + across.transpose() * x;
  int row = 0;
  for (const int g : island.bilateral) {
    const int count = problem.bilateral.jacobian.rows(g);
    missing.segment(row, count) -= problem.bilateral.target.segment(problem.bilateral.jacobian.first_row(g), count);
    row += count;
  }
  return -holding * missing;
}

ContactSpace BuildContactSpace(const ContactProblem& problem, const ContactIsland& island) {
  const BlockRows contacts = Selected(problem.contacts.jacobian, island.contacts);
  const BlockRows bounded = Selected(problem.bounded.jacobian, island.bounded);
  const BlockRows bilateral = Selected(problem.bilateral.jacobian, island.bilateral);
  const int first = contacts.rows(), rows = first + bounded.rows();
  ContactSpace space;
  space.A.setZero(rows, rows);
  AddDelassus(problem.mass, contacts, contacts, space.A.topLeftCorner(first, first));
  AddDelassus(problem.mass, bounded, contacts, space.A.bottomLeftCorner(rows - first, first));
  space.A.topRightCorner(first, rows - first) = space.A.bottomLeftCorner(rows - first, first).transpose();
  AddDelassus(problem.mass, bounded, bounded, space.A.bottomRightCorner(rows - first, rows - first));
  space.across.setZero(rows, bilateral.rows());
  space.holding.setZero(bilateral.rows(), bilateral.rows());
  if (bilateral.rows() > 0) {
    AddDelassus(problem.mass, contacts, bilateral, space.across.topRows(first));
    AddDelassus(problem.mass, bounded, bilateral, space.across.bottomRows(rows - first));
    AddDelassus(problem.mass, bilateral, bilateral, space.holding);
    Eigen::CompleteOrthogonalDecomposition<MatX> decomposition;
    decomposition.setThreshold(kRank);
    decomposition.compute(0.5 * (space.holding + space.holding.transpose()));
    space.holding = decomposition.pseudoInverse();
    space.A -= space.across * space.holding * space.across.transpose();
  }
  // exactly symmetric, so that solvers may use Cholesky
  space.A = (0.5 * (space.A + space.A.transpose())).eval();
  return space;
}

MatX MatrixByTestImpulses(int rows, const std::function<VecX(const VecX&)>& velocities_after) {
  MatX A(rows, rows);
  const VecX without = velocities_after(VecX::Zero(rows));
  for (int k = 0; k < rows; ++k) A.col(k) = velocities_after(VecX::Unit(rows, k)) - without;
  return (0.5 * (A + A.transpose())).eval();
}

}  // namespace slipstick
