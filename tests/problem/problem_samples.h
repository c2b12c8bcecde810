#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "slipstick/problem/friction_problem.h"
#include "tests/base/scratch.h"

// Random problems, places of files, and comparison to the bit, for the tests of this folder.

namespace slipstick::internal::testing {

inline VecX RandomVector(int size, std::mt19937* engine) {
  std::normal_distribution<double> normal;
  VecX vector(size);
  for (double& value : vector) value = normal(*engine);
  return vector;
}

// About a third of the places filled.
inline SparseMat RandomMatrix(int rows, int columns, std::mt19937* engine) {
  std::vector<Eigen::Triplet<double>> entries;
  std::normal_distribution<double> normal;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      if ((*engine)() % 3 == 0) entries.emplace_back(i, j, normal(*engine));
    }
  }
  SparseMat matrix(rows, columns);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

inline SparseMat RandomPositive(int size, std::mt19937* engine) {
  const MatX root = MatX(RandomMatrix(size, size, engine));
  return MatX(root * root.transpose() + MatX::Identity(size, size)).sparseView();
}

// As a matrix J M⁻¹ Jᵀ has it; symmetry is not asked for.
inline SparseMat WithDiagonalAboveZero(const SparseMat& matrix) {
  MatX dense = MatX(matrix);
  dense.diagonal() = dense.diagonal().cwiseAbs();
  return dense.sparseView();
}

inline ContactCoefficients RandomCoefficients(int dimension, int contacts, std::mt19937* engine) {
  ContactCoefficients coefficients;
  coefficients.dimension = dimension;
  coefficients.sliding = RandomVector(contacts, engine).cwiseAbs();
  if (dimension >= 5) coefficients.rolling = RandomVector(contacts, engine).cwiseAbs();
  if (dimension == 6) coefficients.spinning = RandomVector(contacts, engine).cwiseAbs();
  return coefficients;
}

inline LocalProblem RandomLocal(int dimension, int contacts, int bilateral, std::mt19937* engine) {
  LocalProblem problem;
  problem.contacts = RandomCoefficients(dimension, contacts, engine);
  const int rows = problem.contacts.rows();
  problem.W = WithDiagonalAboveZero(RandomMatrix(rows, rows, engine));
  problem.q = RandomVector(rows, engine);
  if (bilateral > 0) {
    problem.V = RandomMatrix(rows, bilateral, engine);
    problem.R = WithDiagonalAboveZero(RandomMatrix(bilateral, bilateral, engine));
    problem.s = RandomVector(bilateral, engine);
  }
  return problem;
}

inline GlobalProblem RandomGlobal(int dimension, int contacts, int freedoms, int bilateral, std::mt19937* engine) {
  GlobalProblem problem;
  problem.contacts = RandomCoefficients(dimension, contacts, engine);
  const int rows = problem.contacts.rows();
  problem.M = RandomPositive(freedoms, engine);
  problem.H = RandomMatrix(freedoms, rows, engine);
  problem.f = RandomVector(freedoms, engine);
  problem.w = RandomVector(rows, engine);
  if (bilateral > 0) {
    problem.G = RandomMatrix(freedoms, bilateral, engine);
    problem.b = RandomVector(bilateral, engine);
  }
  return problem;
}

inline bool SameBits(const double* a, const double* b, Eigen::Index count) {
  return count == 0 || std::memcmp(a, b, static_cast<std::size_t>(count) * sizeof(double)) == 0;
}
inline bool SameBits(const VecX& a, const VecX& b) {
  return a.size() == b.size() && SameBits(a.data(), b.data(), a.size());
}
inline bool SameBits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && SameBits(a.data(), b.data(), static_cast<Eigen::Index>(a.size()));
}
// The same places with the same numbers.
inline bool SameBits(SparseMat a, SparseMat b) {
  a.makeCompressed();
  b.makeCompressed();
  return a.rows() == b.rows() && a.cols() == b.cols() && a.nonZeros() == b.nonZeros() &&
         std::equal(a.innerIndexPtr(), a.innerIndexPtr() + a.nonZeros(), b.innerIndexPtr()) &&
         std::equal(a.outerIndexPtr(), a.outerIndexPtr() + a.rows() + 1, b.outerIndexPtr()) &&
         SameBits(a.valuePtr(), b.valuePtr(), a.nonZeros());
}
inline bool SameBits(const ContactCoefficients& a, const ContactCoefficients& b) {
  return a.dimension == b.dimension && SameBits(a.sliding, b.sliding) && SameBits(a.rolling, b.rolling) &&
         SameBits(a.spinning, b.spinning);
}

// Problems that others made stay outside of the source tree; without them their tests are skipped.
inline std::filesystem::path SharedProblems() {
  return std::filesystem::path(SLIPSTICK_SOURCE_DIR).parent_path() / "shared" / "problems";
}

inline std::string ReadBytes(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}
inline void WriteBytes(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

}  // namespace slipstick::internal::testing
