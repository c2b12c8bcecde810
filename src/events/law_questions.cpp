#include "slipstick/events/law_questions.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick::internal {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();
constexpr double kImpactTime = 1e-9;  // [s]: what forces do in it is nothing beside impulses
constexpr double kRank = 1e-10;

// A change of the accelerations that gives the rows their bias: J x = J̇ v. With it laws, which know rows alone, see the
// rows' whole accelerations. Where rows are redundant the motion itself makes the equations consistent.
VecX BiasAsAcceleration(const ContactProblem& problem, const std::vector<char>& slides, const VecX& bias) {
  const Eigen::Index n = problem.velocity.size();
  VecX shift = VecX::Zero(n);
  if (bias.isZero(0)) return shift;
  const MatX bilateral = DenseRows(problem.bilateral.jacobian), contacts = DenseRows(problem.contacts.jacobian);
  MatX rows(bilateral.rows() + contacts.rows(), n);
  rows << bilateral, contacts;
  VecX wanted = bias;
  // across their normals, contacts that slide are free
  for (std::size_t i = 0; i < slides.size(); ++i) {
    if (!slides[i]) continue;
    const Eigen::Index row = bilateral.rows() + 3 * static_cast<Eigen::Index>(i) + 1;
    rows.middleRows(row, 2).setZero();
    wanted.segment<2>(row).setZero();
  }
  MatX solved = rows.transpose();
  VecX column;
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    column = solved.col(i);
    problem.mass.SolveInPlace(column);
    solved.col(i) = column;
  }
  Eigen::CompleteOrthogonalDecomposition<MatX> decomposition;
  decomposition.setThreshold(kRank);
  decomposition.compute(rows * solved);
  const VecX multipliers = decomposition.solve(wanted);
  if (multipliers.allFinite()) shift = solved * multipliers;
  return shift;
}

// What residuals compare with, as for a step.
void SetScale(double gravity, ContactProblem* problem) {
  double scale = gravity * problem->step;
  ContactMotion motion;
  ComputeContactMotion(*problem, problem->free_velocity, &motion);
  for (int i = 0; i < problem->contacts.size(); ++i) {
    const Vec3 u = motion.contact.segment<3>(3 * i);
    scale = std::max({scale, std::abs(u[0] - std::max(problem->contacts.normal_target[i], 0.0)), u.tail<2>().norm()});
  }
  problem->velocity_scale = std::max(scale, ScaleOutsideContacts(*problem));
}

}  // namespace

JudgedAnswer LawQuestions::Ask(ContactProblem problem) const {
  JudgedAnswer judged;
  SetScale(evaluator_->model().gravity.norm(), &problem);
  judged.problem = std::move(problem);
  if (judged.problem.mass_is_singular || !judged.problem.free_velocity.allFinite()) {
    judged.solution.velocity = VecX::Constant(judged.problem.velocity.size(), std::nan(""));
    judged.report.status = SolveStatus::kSingular;
    judged.certificate = Certify(judged.problem, judged.solution, judged.after, std::nan(""), tolerances_);
    return judged;
  }
  LawAnswer answer = law_.Solve(judged.problem, solver_);
  judged.solution = std::move(answer.solution);
  judged.report = answer.report;
  judged.programs = answer.programs;
  ComputeContactMotion(judged.problem, judged.solution.velocity, &judged.after);
  judged.certificate = Certify(judged.problem, judged.solution, judged.after,
                               law_.Residual(judged.problem, judged.solution, judged.after), tolerances_);
  return judged;
}

JudgedAnswer LawQuestions::Forces(const Instant& instant, const std::vector<ContactPoint>& closed, const VecX& bias,
                                  const std::vector<char>& slides, double eased, double h) const {
  ContactProblem problem;
  evaluator_->AssembleContacts(instant, closed, h, &problem);
  problem.bilateral.rate = instant.constraints.rate + h * instant.constraint_acceleration;
  problem.bilateral.target = problem.bilateral.rate;
  ContactSet& contacts = problem.contacts;
  for (int i = 0; i < contacts.size(); ++i) {
    contacts.normal_target[i] = 0;
    contacts.restitution_target[i] = kNever;
    ContactSurface& surface = contacts.OwnSurface(i);
    surface.friction_static = surface.friction_kinetic =
        slides[i] ? surface.friction_kinetic : (1 - eased) * surface.friction_static;
  }
  if (!problem.mass_is_singular) {
    problem.free_velocity =
        instant.state.v + h * (instant.free_acceleration + BiasAsAcceleration(problem, slides, bias));
  }
  return Ask(std::move(problem));
}

JudgedAnswer LawQuestions::Impact(const Instant& instant, const std::vector<ContactPoint>& closed, double resting,
                                  double restored) const {
  ContactProblem problem;
  evaluator_->AssembleContacts(instant, closed, kImpactTime, &problem);
  problem.bilateral.rate = problem.bilateral.target = instant.constraints.rate;
  problem.bounded.lower.setZero();
  problem.bounded.upper.setZero();
  ContactSet& contacts = problem.contacts;
  for (int i = 0; i < contacts.size(); ++i) {
    const double approach = ComputePointMotion(contacts, i, problem.velocity).contact[0];
    ContactSurface& surface = contacts.OwnSurface(i);
    surface.restitution *= restored;
    const double restitution = surface.restitution;
    const bool bounces = restitution > 0 && approach < -resting;
    contacts.restitution_target[i] = bounces ? -restitution * approach : kNever;
    contacts.normal_target[i] = bounces ? -restitution * approach : 0.0;
  }
  return Ask(std::move(problem));
}

}  // namespace slipstick::internal
