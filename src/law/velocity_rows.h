#pragma once

#include "slipstick/contact/contact_problem.h"
#include "slipstick/program/velocity_program.h"

namespace slipstick::internal {

// Rows up to which a matrix of impulses is the quickest way; programs of more keep their velocities.
constexpr int kFewRows = 90;
// Relative error above which the impulses of such a program are no answer.
constexpr double kNoAnswer = 1e-4;
// Residual of a law, of the step's velocity scale, at which such programs are done: they are solved to as many digits.
constexpr double kLargeResidual = 3e-8;
// Whether a problem with so many rows, left with such a residual, is tried anew by dense matrices.
inline bool IsWorthDenseMatrices(Eigen::Index rows, double residual, double velocity_scale) {
  constexpr Eigen::Index kMost = 300;
  return rows <= kMost && !(residual <= kLargeResidual * velocity_scale);
}

// A problem's rows as a program with velocities kept: bilateral ones, bounded ones, contacts, of which each has three
// rows and where asked for three more of its moments. q is J v_free less the targets of bilateral and bounded rows,
// which have their blocks; what contacts add is left to the law, compliance is zero.
VelocityProgram FormulateRows(const ContactProblem& problem, bool with_moments, bool non_associated);

}  // namespace slipstick::internal
