#pragma once

#include "slipstick/stepping/stepper.h"

namespace slipstick::internal {

// Overlap and drift of a state; those of a step's certificate are of the state it started from.
PositionErrors JudgePositions(const Model& model, const Motion& motion, double step,
                              const CertificateTolerances& tolerances);

}  // namespace slipstick::internal
