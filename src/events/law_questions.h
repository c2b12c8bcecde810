#pragma once

#include "slipstick/contact/certificate.h"
#include "slipstick/events/instant.h"
#include "slipstick/law/law.h"

namespace slipstick::internal {

// A law's answer to one question, judged.
struct JudgedAnswer {
  ContactProblem problem;
  ContactSolution solution;
  SolveReport report;
  int programs = 0;
  ContactMotion after;
  Certificate certificate;
};

// What the law in use says of forces and impacts: its own program, on the same contact problem as in time stepping.
class LawQuestions {
 public:
  LawQuestions(const Law& law, ProgramSolver& solver, const CertificateTolerances& tolerances,
               InstantEvaluator* evaluator)
      : law_(law), solver_(solver), tolerances_(tolerances), evaluator_(evaluator) {}

  // Forces of closed contacts, as impulses over a time h that no slip survives or dies in, (E6). `slides` tells of each
  // contact whether it slides now, `eased` by which share static friction is taken lower.
  JudgedAnswer Forces(const Instant& instant, const std::vector<ContactPoint>& closed, const VecX& bias,
                      const std::vector<char>& slides, double eased, double h) const;
  // Impulses of a collision: contacts that approach faster than `resting` bounce, with the share `restored` of their
  // coefficient of restitution, (E7).
  JudgedAnswer Impact(const Instant& instant, const std::vector<ContactPoint>& closed, double resting,
                      double restored) const;

 private:
  JudgedAnswer Ask(ContactProblem problem) const;

  const Law& law_;
  ProgramSolver& solver_;
  const CertificateTolerances& tolerances_;
  InstantEvaluator* evaluator_;
};

}  // namespace slipstick::internal
