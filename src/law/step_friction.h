#pragma once

#include <array>
#include <vector>

#include "slipstick/law/law.h"

namespace slipstick::internal {

// Which coefficient of friction a contact has in a step where the static and the kinetic one differ, docs/theory.md
// (L1b). Every law's `velocity_threshold` is a speed above which a contact slides, or negative: automatic. Then a
// contact slides that did so at the end of the last step, and has the kinetic coefficient where it goes on sliding in
// this one.

inline constexpr double kAutomaticThreshold = -1;
inline constexpr const char* kThresholdMeaning =
    "sliding faster than this takes the kinetic coefficient; negative: what slid in the last step and goes on";

// How a contact begins the step.
struct SlipStart {
  Vec2 velocity = Vec2::Zero();  // D v
  bool slides = false;
  double rest = 0;    // speed that is none [m/s]
  double change = 0;  // of the velocity by what acts in the step without contacts [m/s]
};
SlipStart SlipStartOf(const ContactProblem& problem, int i, double threshold);

// The speed of slipping at the end of a step, which laws with an automatic threshold keep of each contact. Not |D v| at
// the start of the next: what sticks on a body that turns has a velocity there of the order of h, and what sticks by
// bristles moves as they do.
MemorySlots SlipSlots(double threshold);
// Answers for that slot, where the problem has it and no other: |D v⁺| of the contacts whose two coefficients differ.
void RememberSlip(const ContactProblem& problem, ContactSolution* solution);

// The coefficients with which a law is solved.
class StepFriction {
 public:
  StepFriction(const ContactProblem& problem, double threshold);

  const std::vector<double>& coefficients() const { return coefficients_; }
  // Contacts that this answer brings to rest get the static coefficient. True where there are such: then the law is to
  // be solved anew. That ends, as no contact goes back.
  bool Correct(const ContactProblem& problem, const ContactSolution& solution);

 private:
  struct Sliding {
    int contact;
    SlipStart start;
  };
  std::vector<double> coefficients_;
  std::vector<Sliding> sliding_;  // those that may come to rest
};

// A law's answer under the coefficients that belong to it; `solve` makes one from coefficients.
template <typename Solve>
LawAnswer SolveWithStepFriction(const ContactProblem& problem, double threshold, Solve&& solve) {
  StepFriction friction(problem, threshold);
  LawAnswer answer = solve(friction.coefficients());
  while (friction.Correct(problem, answer.solution)) {
    const int programs = answer.programs;
    answer = solve(friction.coefficients());
    answer.programs += programs;
  }
  return answer;
}

// The same for a law that keeps the slip alone.
template <typename Solve>
LawAnswer SolveAndRememberSlip(const ContactProblem& problem, double threshold, Solve&& solve) {
  LawAnswer answer = SolveWithStepFriction(problem, threshold, solve);
  RememberSlip(problem, &answer.solution);
  return answer;
}

// The coefficients that an answer may have at a contact whose D v⁺ is `after`, of which one must do. Mostly they are
// the same; a contact that goes on slower than a step can tell from rest may have either.
std::array<double, 2> JudgedFriction(const ContactProblem& problem, int i, double threshold, const Vec2& after);
// Of all contacts the one that their friction is nearest to the limit of.
std::vector<double> JudgedFriction(const ContactProblem& problem, double threshold, const ContactSolution& solution,
                                   const ContactMotion& after);

}  // namespace slipstick::internal
