#pragma once

#include <filesystem>
#include <variant>

#include "slipstick/problem/contact_problem_file.h"
#include "slipstick/problem/fclib_file.h"
#include "slipstick/problem/mixed_problem.h"

namespace slipstick::internal {

using LoadedProblem = std::variant<LocalProblem, GlobalProblem, MixedProblem, ContactProblem>;

// A problem from any file that this program can read, told apart by content, whatever the file is called: HDF5 with
// FCLIB's groups or this program's own, or else Siconos' text. Throws InputError.
LoadedProblem LoadProblem(const std::filesystem::path& file);

// A friction problem for other programs. A ContactProblem goes through ToGlobalProblem. Throws InputError where FCLIB
// has no place for the problem: a mixed problem, or rows with a bounded impulse.
void SaveFclib(const std::filesystem::path& file, const LoadedProblem& problem, const ProblemInfo& info);

}  // namespace slipstick::internal
