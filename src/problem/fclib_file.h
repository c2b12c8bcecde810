#pragma once

#include <filesystem>
#include <optional>
#include <variant>

#include "slipstick/problem/friction_problem.h"

namespace slipstick::internal {

// Friction problems in the HDF5 layout of FCLIB, docs/file-formats.md.

using FrictionProblem = std::variant<LocalProblem, GlobalProblem>;

// What the file calls its solution. Zero impulses are common there: judge it before use.
struct FclibSolution {
  VecX u, r;  // of the contacts' rows
  VecX v;     // velocities of a global problem, else empty
  VecX l;     // λ of bilateral rows, else empty
};

struct FclibContent {
  FrictionProblem problem;
  ProblemInfo info;
  std::optional<FclibSolution> solution;
};

// Throws InputError where the file is none of FCLIB's, is damaged, or holds sizes or numbers that cannot be.
FclibContent ReadFclib(const std::filesystem::path& file);

// Writes the file as a whole or not at all. Problems of 5 and 6 rows a contact go into fclib_…_rolling; the coefficient
// of spinning, which FCLIB does not know, is vectors/mu_s there.
void WriteFclib(const std::filesystem::path& file, const FclibContent& content);

}  // namespace slipstick::internal
