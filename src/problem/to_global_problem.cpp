#include <vector>

#include "slipstick/problem/contact_problem_file.h"

namespace slipstick {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

SparseMat Assemble(int rows, int columns, const Triplets& entries) {
  SparseMat matrix(rows, columns);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

SparseMat MassMatrix(const BlockDiagonal& mass) {
  Triplets entries;
  const BlockLayout& layout = mass.layout();
  for (int b = 0; b < layout.count(); ++b) {
    const auto block = mass.block(b);
    for (int j = 0; j < block.cols(); ++j) {
      for (int i = 0; i < block.rows(); ++i) {
        if (block(i, j) != 0) entries.emplace_back(layout.offset[b] + i, layout.offset[b] + j, block(i, j));
      }
    }
  }
  return Assemble(layout.total, layout.total, entries);
}

SparseMat Transposed(const BlockRows& jacobian, const BlockLayout& layout) {
  Triplets entries;
  const auto add = [&](int first_row, int block, const BlockRows::ConstPiece& piece) {
    for (int i = 0; i < piece.rows(); ++i) {
      for (int j = 0; j < piece.cols(); ++j) {
        if (piece(i, j) != 0) entries.emplace_back(layout.offset[block] + j, first_row + i, piece(i, j));
      }
    }
  };
  for (int g = 0; g < jacobian.groups(); ++g) {
    if (jacobian.block_a(g) >= 0) add(jacobian.first_row(g), jacobian.block_a(g), jacobian.piece_a(g));
    if (jacobian.block_b(g) >= 0) add(jacobian.first_row(g), jacobian.block_b(g), jacobian.piece_b(g));
  }
  return Assemble(layout.total, jacobian.rows(), entries);
}

}  // namespace

std::optional<GlobalProblem> ToGlobalProblem(const ContactProblem& problem) {
  if (problem.bounded.jacobian.rows() > 0) return std::nullopt;
  const BlockLayout& layout = problem.mass.layout();
  const ContactSet& contacts = problem.contacts;
  GlobalProblem global;
  global.contacts.dimension = 3;
  global.contacts.sliding = Eigen::Map<const VecX>(contacts.friction_static.data(), contacts.size());
  global.M = MassMatrix(problem.mass);
  global.H = Transposed(contacts.jacobian, layout);
  global.f.resize(layout.total);
  problem.mass.Multiply(problem.free_velocity, global.f);
  global.w.setZero(3 * contacts.size());
  for (int i = 0; i < contacts.size(); ++i) global.w[3 * i] = -contacts.normal_target[i];
  if (problem.bilateral.target.size() > 0) {
    global.G = Transposed(problem.bilateral.jacobian, layout);
    global.b = -problem.bilateral.target;
  }
  return global;
}

}  // namespace slipstick
