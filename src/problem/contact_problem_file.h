#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "slipstick/contact/condition.h"
#include "slipstick/contact/contact_problem.h"
#include "slipstick/problem/friction_problem.h"

namespace slipstick::internal {

// Where a saved problem comes from.
struct ProblemOrigin {
  std::string scene, law, solver;
  std::int64_t step_number = 0;  // of the run, from 1
  double law_residual = 0;       // of the answer that the run had for it, relative to the problem's velocity_scale
  std::optional<ProblemCondition> condition;  // where it was computed
};

struct SavedContactProblem {
  ContactProblem problem;
  ProblemOrigin origin;
};

// The whole of a step's problem in an HDF5 layout of its own, docs/file-formats.md: loading gives every number back to
// the bit, the factors of the mass matrix included. Files are written as a whole or not at all. Both throw InputError:
// saving for a problem with numbers that are not finite or a place that cannot be written, loading for whatever is
// wrong with the file.
void SaveContactProblem(const std::filesystem::path& file, const SavedContactProblem& saved);
SavedContactProblem LoadContactProblem(const std::filesystem::path& file);

// The group that tells such a file from others.
inline constexpr const char* kContactProblemGroup = "/slipstick_contact_problem";

// The same step for solvers of others: M v = H r + G λ + f with H = Jᵀ, f = M v_free, w = −(normal target, 0, 0),
// μ the static coefficient; the bilateral rows as G = A_bᵀ, b = −target. Six rows for all contacts where one has
// rolling or spinning friction, in units 1/s and N m s; those of a contact without are empty. A contact that gives way
// along its normal gets a velocity of its own behind the others, of mass 1/C_N (Hertz: the secant at the force
// remembered). Nothing where the problem has rows with a bounded impulse (joint friction): the form has no place for
// them.
std::optional<GlobalProblem> ToGlobalProblem(const ContactProblem& problem);

}  // namespace slipstick::internal
