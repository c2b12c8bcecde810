#pragma once

#include "slipstick/events/law_questions.h"
#include "slipstick/events/smooth_forces.h"

namespace slipstick::internal {

// What comes after an event, or before the first one.
struct Decision {
  enum class Kind {
    kModes,    // smooth motion with these modes
    kImpulse,  // there is no acceleration: an impulse without a collision (Painlevé)
    kUnclear,  // the law's forces and the modes that they show contradict each other
  };
  Kind kind = Kind::kUnclear;
  Modes modes;
  SmoothForces forces;              // with them
  JudgedAnswer answer;              // of the law
  VecX velocity;                    // kImpulse: after it
  std::vector<char> is_indefinite;  // of each closed point: sliding, and pressing brings the bodies nearer
};

struct DecisionTolerances {
  double resting_slip = 0;  // up to this a contact does not slide [m/s]
  double eased = 0;         // share of static friction that is taken off, after friction has reached its limit
};

// The modes of closed points whose bodies neither approach nor part (normal velocities zero), docs/theory.md §11.3.
Decision DecideModes(const Instant& instant, const std::vector<ContactPoint>& closed, const LawQuestions& law,
                     const SlidingFriction& friction, const DecisionTolerances& tolerances,
                     InstantEvaluator* evaluator);

}  // namespace slipstick::internal
