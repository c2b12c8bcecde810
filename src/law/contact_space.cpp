#include "slipstick/law/contact_space.h"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <numeric>

namespace slipstick::internal {
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

// An island's rows, each kind in the order of its groups.
struct IslandJacobians {
  IslandJacobians(const ContactProblem& problem, const ContactIsland& island)
      : contacts(Selected(problem.contacts.jacobian, island.contacts)),
        bounded(Selected(problem.bounded.jacobian, island.bounded)),
        bilateral(Selected(problem.bilateral.jacobian, island.bilateral)) {}
  BlockRows contacts, bounded, bilateral;
};

// What the bilateral rows do: J M⁻¹ Bᵀ and (B M⁻¹ Bᵀ)⁺.
void AddBilateral(const ContactProblem& problem, const IslandJacobians& all, ContactSpace* space) {
  const int first = all.contacts.rows(), rows = first + all.bounded.rows(), held = all.bilateral.rows();
  space->across.setZero(rows, held);
  space->holding.setZero(held, held);
  if (held == 0) return;
  AddDelassus(problem.mass, all.contacts, all.bilateral, space->across.topRows(first));
  AddDelassus(problem.mass, all.bounded, all.bilateral, space->across.bottomRows(rows - first));
  AddDelassus(problem.mass, all.bilateral, all.bilateral, space->holding);
  Eigen::CompleteOrthogonalDecomposition<MatX> decomposition;
  decomposition.setThreshold(kRank);
  decomposition.compute(0.5 * (space->holding + space->holding.transpose()));
  space->holding = decomposition.pseudoInverse();
}

// J L⁻ᵀ of rows, L the Cholesky factors of the trees' blocks of M. Columns are given to trees as they come up.
class MassRoots {
 public:
  explicit MassRoots(const BlockDiagonal& mass) : mass_(mass), first_column_(mass.layout().count(), -1) {}

  int columns() const { return columns_; }

  void Append(const BlockRows& rows, int* row, std::vector<Eigen::Triplet<double>>* entries) {
    for (int g = 0; g < rows.groups(); ++g) {
      for (const bool second : {false, true}) {
        const int tree = second ? rows.block_b(g) : rows.block_a(g);
        if (tree < 0) continue;
        const int root = RootOf(tree);
        const RowMatX piece = second ? rows.piece_b(g) : rows.piece_a(g);
        const MatX scaled = roots_[root].matrixL().solve(MatX(piece.transpose()));  // L⁻¹ Jᵀ
        for (Eigen::Index k = 0; k < scaled.cols(); ++k) {
          for (Eigen::Index j = 0; j < scaled.rows(); ++j) {
            entries->emplace_back(*row + static_cast<int>(k), first_column_[tree] + static_cast<int>(j), scaled(j, k));
          }
        }
      }
      *row += rows.rows(g);
    }
  }

 private:
  // The number of the tree's factor.
  int RootOf(int tree) {
    if (first_column_[tree] < 0) {
      first_column_[tree] = columns_;
      columns_ += mass_.layout().size[tree];
      number_.resize(first_column_.size(), -1);
      number_[tree] = static_cast<int>(roots_.size());
      roots_.emplace_back(mass_.Dense(tree));
    }
    return number_[tree];
  }

  const BlockDiagonal& mass_;
  std::vector<int> first_column_, number_;
  std::vector<Eigen::LLT<MatX>> roots_;
  int columns_ = 0;
};

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
  VecX out(rows());
  out << GroupVelocities(problem.contacts.jacobian, island.contacts, velocity),
      GroupVelocities(problem.bounded.jacobian, island.bounded, velocity);
  if (across.cols() > 0) out += across * Bilateral(problem, island, velocity, VecX::Zero(rows()));
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
  const IslandJacobians all(problem, island);
  const int first = all.contacts.rows(), rows = first + all.bounded.rows();
  ContactSpace space;
  space.A.setZero(rows, rows);
  AddDelassus(problem.mass, all.contacts, all.contacts, space.A.topLeftCorner(first, first));
  AddDelassus(problem.mass, all.bounded, all.contacts, space.A.bottomLeftCorner(rows - first, first));
  space.A.topRightCorner(first, rows - first) = space.A.bottomLeftCorner(rows - first, first).transpose();
  AddDelassus(problem.mass, all.bounded, all.bounded, space.A.bottomRightCorner(rows - first, rows - first));
  AddBilateral(problem, all, &space);
  if (all.bilateral.rows() > 0) space.A -= space.across * space.holding * space.across.transpose();
  // exactly symmetric, so that solvers may use Cholesky
  space.A = (0.5 * (space.A + space.A.transpose())).eval();
  return space;
}

ContactSpace BuildGeneralizedSpace(const ContactProblem& problem, const ContactIsland& island) {
  const IslandJacobians all(problem, island);
  MassRoots roots(problem.mass);
  ContactSpace space;
  AddBilateral(problem, all, &space);
  std::vector<Eigen::Triplet<double>> entries, bilateral_entries;
  int row = 0;
  roots.Append(all.contacts, &row, &entries);
  roots.Append(all.bounded, &row, &entries);
  int bilateral_row = 0;
  roots.Append(all.bilateral, &bilateral_row, &bilateral_entries);
  SparseMat factor(row, roots.columns());
  factor.setFromTriplets(entries.begin(), entries.end());
  if (bilateral_row > 0) {
    SparseMat sparse(bilateral_row, roots.columns());
    sparse.setFromTriplets(bilateral_entries.begin(), bilateral_entries.end());
    Eigen::ColPivHouseholderQR<MatX> decomposition;
    decomposition.setThreshold(kRank);
    decomposition.compute(MatX(sparse).transpose());
    const MatX basis = decomposition.householderQ();
    // no column at all would be no matrix: where nothing can move a zero stands for it
    MatX allowed = MatX::Zero(roots.columns(), std::max<Eigen::Index>(roots.columns() - decomposition.rank(), 1));
    if (decomposition.rank() < roots.columns()) allowed = basis.rightCols(allowed.cols());
    factor = SparseMat((factor * allowed).sparseView());
  }
  space.gram = GramMatrix(std::move(factor));
  return space;
}

MatX MatrixByTestImpulses(int rows, const std::function<VecX(const VecX&)>& velocities_after) {
  MatX A(rows, rows);
  const VecX without = velocities_after(VecX::Zero(rows));
  for (int k = 0; k < rows; ++k) A.col(k) = velocities_after(VecX::Unit(rows, k)) - without;
  return (0.5 * (A + A.transpose())).eval();
}

}  // namespace slipstick::internal
