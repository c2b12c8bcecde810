#pragma once

#include <vector>

#include "slipstick/contact/contact_problem.h"
#include "slipstick/program/compact_mechanisms.h"

namespace slipstick::internal {

// The mechanisms of a problem in compact form, with what holds their bilateral rows.
class HeldMechanisms {
 public:
  // Finds them and writes their part of the program, empty where all that touches is free bodies. False where one has
  // too many coordinates for a matrix of its own.
  bool Read(const ContactProblem& problem, CompactMechanisms* mechanisms);
  // The impulses of bilateral rows that go with those of contacts and bounded rows, and the velocity of all of them.
  // Before, `solution` has the velocity of the latter alone.
  void Hold(const ContactProblem& problem, ContactSolution* solution) const;

 private:
  // Of one mechanism the groups of its bilateral rows, their rows and S⁺.
  struct Held {
    std::vector<int> groups, rows;
    MatX inverse;
  };

  // The matrix of one of them, with its bilateral rows held, which takes their targets into the velocity.
  void HoldRows(const ContactProblem& problem, int number, CompactMechanisms* mechanisms);

  std::vector<Held> held_;
  std::vector<int> root_;
};

}  // namespace slipstick::internal
