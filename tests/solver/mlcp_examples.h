#pragma once

#include <limits>
#include <random>
#include <vector>

#include "slipstick/program/bounded_mlcp.h"

// Random mixed linear complementarity problems, and slow ways to solve them that share nothing with the solvers.

namespace slipstick::internal {

inline constexpr double kInf = std::numeric_limits<double>::infinity();

class Draw {
 public:
  explicit Draw(unsigned seed) : generator_(seed) {}
  double Uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(generator_); }
  int Integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(generator_); }
  MatX Matrix(int rows, int cols) {
    return MatX::NullaryExpr(rows, cols, [this](Eigen::Index, Eigen::Index) { return Uniform(-1, 1); });
  }
  VecX Vector(int size) { return Matrix(size, 1); }
  // Symmetric positive definite with eigenvalues that are not too small.
  MatX PositiveDefinite(int n) {
    const MatX B = Matrix(n, n);
    return B * B.transpose() / n + 0.1 * MatX::Identity(n, n);
  }
  // xᵀAx > 0 but not symmetric: a P-matrix.
  MatX Monotone(int n) {
    const MatX S = Matrix(n, n);
    return PositiveDefinite(n) + 2 * (S - S.transpose());
  }

 private:
  std::mt19937 generator_;
};

inline BoundedMlcp PlainLcp(MatX A, VecX b) {
  const auto n = b.size();
  return {std::move(A), std::move(b), VecX::Zero(n), VecX::Constant(n, kInf)};
}

// Every kind of row: free, one-sided either way, two-sided, pinned.
inline void DrawBounds(Draw* draw, BoundedMlcp* problem) {
  const int n = problem->size();
  problem->lower.resize(n);
  problem->upper.resize(n);
  for (int i = 0; i < n; ++i) {
    const double low = draw->Uniform(-1, 0.5);
    const double high = low + draw->Uniform(0, 1.5);
    const int kind = draw->Integer(0, 4);
    problem->lower[i] = kind == 0 || kind == 1 ? -kInf : low;
    problem->upper[i] = kind == 0 || kind == 2 ? kInf : kind == 4 ? low : high;
  }
}

// A problem with the given matrix and bounds and a solution that is known: z on its bounds or between, w to match. A
// third of the rows on bounds are degenerate, w_i = 0.
struct KnownSolution {
  BoundedMlcp problem;
  VecX z;
};
inline KnownSolution WithKnownSolution(const MatX& A, Draw* draw) {
  const int n = static_cast<int>(A.rows());
  KnownSolution known;
  known.problem.A = A;
  known.problem.b = VecX::Zero(n);
  DrawBounds(draw, &known.problem);
  known.z.resize(n);
  VecX w = VecX::Zero(n);
  for (int i = 0; i < n; ++i) {
    const double lower = known.problem.lower[i], upper = known.problem.upper[i];
    const double slope = draw->Integer(0, 2) == 0 ? 0.0 : draw->Uniform(0, 1);
    const int place = draw->Integer(0, 2);
    if (lower == upper) {
      known.z[i] = lower;
      w[i] = draw->Uniform(-1, 1);
    } else if (place == 0 && lower > -kInf) {
      known.z[i] = lower;
      w[i] = slope;
    } else if (place == 1 && upper < kInf) {
      known.z[i] = upper;
      w[i] = -slope;
    } else {
      const double from = lower > -kInf ? lower : upper < kInf ? upper - 1 : -1;
      known.z[i] = draw->Uniform(from, upper < kInf ? upper : from + 2);
    }
  }
  known.problem.b = w - A * known.z;
  return known;
}

// All solutions found by trying each of the 3ⁿ partitions with a dense inverse.
inline std::vector<VecX> SolveByEnumeration(const BoundedMlcp& problem) {
  const int n = problem.size();
  std::vector<VecX> solutions;
  int count = 1;
  for (int i = 0; i < n; ++i) count *= 3;
  for (int code = 0; code < count; ++code) {
    // rows of the linear system in z: z_i = bound, or (A z)_i = −b_i
    MatX K = problem.A;
    VecX rhs = -problem.b;
    bool possible = true;
    std::vector<int> side(n);
    for (int i = 0, rest = code; i < n; ++i, rest /= 3) {
      side[i] = rest % 3;
      if (side[i] == 0) {
        if (problem.lower[i] == problem.upper[i]) possible = false;
        continue;
      }
      const double bound = side[i] == 1 ? problem.lower[i] : problem.upper[i];
      if (std::abs(bound) == kInf) possible = false;
      K.row(i) = VecX::Unit(n, i).transpose();
      rhs[i] = bound;
    }
    if (!possible) continue;
    const VecX z = K.inverse() * rhs;
    const VecX w = problem.A * z + problem.b;
    for (int i = 0; i < n; ++i) {
      const bool pinned = problem.lower[i] == problem.upper[i];
      if (side[i] == 0 && (z[i] < problem.lower[i] - 1e-10 || z[i] > problem.upper[i] + 1e-10)) possible = false;
      if (side[i] == 1 && !pinned && w[i] < -1e-10) possible = false;
      if (side[i] == 2 && !pinned && w[i] > 1e-10) possible = false;
      if (!std::isfinite(z[i])) possible = false;
    }
    if (possible) solutions.push_back(z);
  }
  return solutions;
}

// Friction of several contacts by a polygonal cone, Anitescu & Potra: M random and positive definite, `contacts` random
// normals with `sides` tangents in opposite pairs. Variables: normal impulses, tangential impulses, slip speeds.
//   A = [W_NN W_NT 0; W_TN W_TT E; μ −Eᵀ 0]
struct FrictionExample {
  int contacts = 1;
  int sides = 4;
  int dof = 6;
  double most_friction = 1;
};
inline BoundedMlcp PolygonalFriction(const FrictionExample& example, Draw* draw) {
  const int c = example.contacts, s = example.sides, rows = c * (1 + s);
  MatX J(rows, example.dof);
  for (int i = 0; i < c; ++i) {
    J.row(i) = draw->Vector(example.dof).transpose();
    const VecX t1 = draw->Vector(example.dof), t2 = draw->Vector(example.dof);
    for (int k = 0; k < s; ++k) {
      const double angle = 2 * EIGEN_PI * k / s;
      J.row(c + i * s + k) = (std::cos(angle) * t1 + std::sin(angle) * t2).transpose();
    }
  }
  const MatX mass = draw->PositiveDefinite(example.dof);
  MatX A = MatX::Zero(rows + c, rows + c);
  A.topLeftCorner(rows, rows) = J * mass.inverse() * J.transpose();
  for (int i = 0; i < c; ++i) {
    A(rows + i, i) = draw->Uniform(0, example.most_friction);
    A.block(c + i * s, rows + i, s, 1).setOnes();
    A.block(rows + i, c + i * s, 1, s).setConstant(-1);
  }
  VecX b = VecX::Zero(rows + c);
  b.head(rows) = J * draw->Vector(example.dof);
  return PlainLcp(A, b);
}

// Murty's matrix: ones on the diagonal, twos above; with b = −1 the least-index rule visits 2ⁿ partitions or nearly so.
// The solution is the last unit vector.
inline BoundedMlcp MurtyExample(int n) {
  MatX A = MatX::Identity(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j) A(i, j) = 2;
  return PlainLcp(A, VecX::Constant(n, -1));
}

// NaturalResidual in parts of ResidualScale.
inline double RelativeResidual(const BoundedMlcp& problem, const VecX& z) {
  const double residual = NaturalResidual(problem, z);
  return residual == 0 ? 0 : residual / ResidualScale(problem, z);
}

}  // namespace slipstick::internal
