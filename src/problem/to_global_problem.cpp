#include <algorithm>
#include <vector>

#include "slipstick/problem/contact_problem_file.h"

namespace slipstick::internal {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

SparseMat Assemble(int rows, int columns, const Triplets& entries) {
  SparseMat matrix(rows, columns);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

Triplets MassEntries(const BlockDiagonal& mass) {
  Triplets entries;
  const BlockLayout& layout = mass.layout();
  for (int b = 0; b < layout.count(); ++b) {
    const MatX block = mass.Dense(b);
    for (int j = 0; j < block.cols(); ++j) {
      for (int i = 0; i < block.rows(); ++i) {
        if (block(i, j) != 0) entries.emplace_back(layout.offset[b] + i, layout.offset[b] + j, block(i, j));
      }
    }
  }
  return entries;
}

// Rows of a group as columns from `first` on.
void AddTransposed(const BlockRows& jacobian, int group, int first, const BlockLayout& layout, Triplets* entries) {
  const auto add = [&](int block, const BlockRows::ConstPiece& piece) {
    for (int i = 0; i < piece.rows(); ++i) {
      for (int j = 0; j < piece.cols(); ++j) {
        if (piece(i, j) != 0) entries->emplace_back(layout.offset[block] + j, first + i, piece(i, j));
      }
    }
  };
  if (jacobian.block_a(group) >= 0) add(jacobian.block_a(group), jacobian.piece_a(group));
  if (jacobian.block_b(group) >= 0) add(jacobian.block_b(group), jacobian.piece_b(group));
}

}  // namespace

std::optional<GlobalProblem> ToGlobalProblem(const ContactProblem& problem) {
  if (problem.bounded.jacobian.rows() > 0) return std::nullopt;
  const BlockLayout& layout = problem.mass.layout();
  const ContactSet& contacts = problem.contacts;
  const int count = contacts.size(), dimension = contacts.angular.groups() > 0 ? 6 : 3;
  int springs = 0;
  Triplets mass = MassEntries(problem.mass), rows;
  for (int i = 0; i < count; ++i) {
    AddTransposed(contacts.jacobian, i, dimension * i, layout, &rows);
    if (const int group = contacts.angular_group[i]; group >= 0) {
      AddTransposed(contacts.angular, group, dimension * i + 3, layout, &rows);
    }
    // of springs, or Hertz's secant at the force remembered
    const double compliance =
        std::max(contacts.surface(i).normal_compliance,
                 contacts.NormalCompliance(i, problem.step * contacts.history[i].normal_force, problem.step));
    if (!(compliance > 0)) continue;
    // C_N p_N is the velocity of a mass 1/C_N that p_N alone moves
    const int freedom = layout.total + springs++;
    mass.emplace_back(freedom, freedom, 1.0 / compliance);
    rows.emplace_back(freedom, dimension * i, 1.0);
  }
  const int freedoms = layout.total + springs;
  GlobalProblem global;
  global.contacts.dimension = dimension;
  const auto column = [&](double ContactSurface::*number) {
    VecX values(count);
    for (int i = 0; i < count; ++i) values[i] = contacts.surface(i).*number;
    return values;
  };
  global.contacts.sliding = column(&ContactSurface::friction_static);
  if (dimension == 6) {
    global.contacts.rolling = column(&ContactSurface::rolling);
    global.contacts.spinning = column(&ContactSurface::spinning);
  }
  global.M = Assemble(freedoms, freedoms, mass);
  global.H = Assemble(freedoms, dimension * count, rows);
  global.f.setZero(freedoms);
  problem.mass.Multiply(problem.free_velocity, global.f.head(layout.total));
  global.w.setZero(static_cast<Eigen::Index>(dimension) * count);
  for (int i = 0; i < count; ++i) {
    global.w[dimension * i] = -contacts.normal_target[i];
    global.w.segment<2>(dimension * i + 1) = contacts.Tangential(i, contacts.Curvature(i));
  }
  if (const BlockRows& bilateral = problem.bilateral.jacobian; bilateral.rows() > 0) {
    Triplets constraints;
    for (int g = 0; g < bilateral.groups(); ++g) {
      AddTransposed(bilateral, g, bilateral.first_row(g), layout, &constraints);
    }
    global.G = Assemble(freedoms, bilateral.rows(), constraints);
    global.b = -problem.bilateral.target;
  }
  return global;
}

}  // namespace slipstick::internal
