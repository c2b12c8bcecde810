#pragma once

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "slipstick/base/rotation.h"
#include "slipstick/contact/contact_problem.h"
#include "slipstick/stepping/method_catalog.h"
#include "tests/base/random_numbers.h"

// Contact problems filled by hand for the tests of laws and of the certificate, without a scene, a model or collision.

namespace slipstick::internal::testing {

// J of all rows, dense: bilateral, bounded, contacts.
inline MatX DenseJacobian(const ContactProblem& problem) {
  const int n = static_cast<int>(problem.velocity.size());
  const BlockRows* sets[3] = {&problem.bilateral.jacobian, &problem.bounded.jacobian, &problem.contacts.jacobian};
  MatX jacobian(sets[0]->rows() + sets[1]->rows() + sets[2]->rows(), n);
  for (int column = 0; column < n; ++column) {
    int first = 0;
    for (const BlockRows* rows : sets) {
      VecX out(rows->rows());
      rows->Multiply(VecX::Unit(n, column), out);
      jacobian.col(column).segment(first, rows->rows()) = out;
      first += rows->rows();
    }
  }
  return jacobian;
}

inline MatX DenseMass(const ContactProblem& problem) {
  const BlockLayout& layout = problem.mass.layout();
  MatX mass = MatX::Zero(layout.total, layout.total);
  for (int b = 0; b < layout.count(); ++b) {
    mass.block(layout.offset[b], layout.offset[b], layout.size[b], layout.size[b]) = problem.mass.Dense(b);
  }
  return mass;
}

// Fills what follows from the rest: effective masses and the scale of velocities.
inline void CompleteProblem(ContactProblem* problem) {
  ContactSet& contacts = problem->contacts;
  const MatX jacobian = DenseJacobian(*problem);
  const MatX delassus = jacobian * DenseMass(*problem).llt().solve(jacobian.transpose());
  const VecX free = jacobian * problem->free_velocity;
  const int bilateral = static_cast<int>(problem->bilateral.target.size());
  const int first = bilateral + static_cast<int>(problem->bounded.target.size());
  contacts.effective_mass.clear();
  double scale = 0;
  if (bilateral > 0) scale = (free.head(bilateral) - problem->bilateral.target).lpNorm<Eigen::Infinity>();
  if (first > bilateral) scale = std::max(scale, free.segment(bilateral, first - bilateral).lpNorm<Eigen::Infinity>());
  for (int i = 0; i < contacts.size(); ++i) {
    const int row = first + 3 * i;
    contacts.effective_mass.push_back(3.0 / delassus.diagonal().segment<3>(row).sum());
    scale = std::max({scale, std::abs(free[row] - contacts.normal_target[i]), free.segment<2>(row + 1).norm()});
  }
  problem->velocity_scale = scale;
}

// Appends a contact with the world's ground, normal up; the caller fills its Jacobian.
inline int AppendGroundContact(double mu, double stiffness, int block_a, int block_b, ContactProblem* problem) {
  ContactSet& contacts = problem->contacts;
  const int i = contacts.jacobian.Append(BlockRows::Frame{Vec3::UnitZ(), Vec3::UnitX()}, block_a, block_b);
  contacts.key.push_back({.shape_a = static_cast<std::uint32_t>(i)});
  contacts.position.push_back(Vec3::Zero());
  contacts.gap.push_back(0);
  contacts.surface_of.push_back(static_cast<int>(contacts.surfaces.size()));
  contacts.surfaces.push_back({{.friction_static = mu, .friction_kinetic = mu, .tangential_stiffness = stiffness}});
  contacts.angular_group.push_back(-1);
  contacts.shape_size.push_back(1);
  contacts.normal_target.push_back(0);
  contacts.restitution_target.push_back(-std::numeric_limits<double>::infinity());
  contacts.history.push_back({});
  return i;
}

// A point of the given mass on the ground, with velocity (normal, tangent_1, tangent_2): W is I/mass, so that answers
// are known in closed form. `acceleration` acts during the step.
inline ContactProblem PointOnGround(double mass, double mu, double h, const Vec3& velocity, const Vec3& acceleration,
                                    double stiffness = std::numeric_limits<double>::infinity()) {
  ContactProblem problem;
  problem.step = h;
  BlockLayout layout;
  layout.Append(3);
  problem.mass.Reset(layout);
  problem.mass.block(0) = mass * Mat3::Identity();
  problem.mass.Factorize();
  problem.velocity = velocity;
  problem.free_velocity = velocity + h * acceleration;
  problem.bilateral.jacobian.Reset(layout);
  problem.bounded.jacobian.Reset(layout);
  problem.contacts.Reset(layout);
  AppendGroundContact(mu, stiffness, 0, -1, &problem);
  problem.contacts.jacobian.piece_a(0).setIdentity();
  CompleteProblem(&problem);
  return problem;
}

struct RandomProblemOptions {
  int bodies = 3;
  int contacts = 3;
  int bilateral = 2;
  int bounded = 2;
  double friction_most = 0.6;
  double known_share = 0.7;  // of contacts that remember the last step
  double moment_share = 0;   // of contacts with rolling and spinning friction
};

// Gives contact i of two bodies with six velocities each, the last three angular, rolling and spinning friction.
inline void AddMoments(int i, int body_a, int body_b, RandomNumbers* random, ContactProblem* problem) {
  ContactSet& contacts = problem->contacts;
  // weak ones that give way, and some that hold
  const auto lever = [&] { return random->Between(0.01, random->Chance(0.4) ? 5 : 0.3); };
  ContactSurface& surface = contacts.OwnSurface(i);
  surface.rolling = random->Chance(0.2) ? 0.0 : lever();
  surface.spinning = surface.rolling > 0 && random->Chance(0.2) ? 0.0 : lever();
  const int group = contacts.angular.Append(3, body_a, body_b);
  for (int k = 0; k < 3; ++k) {
    const Vec3 direction = Vec3::Unit((k + 2) % 3);
    contacts.angular.piece_a(group).row(k).tail<3>() = direction.transpose();
    if (body_b >= 0) contacts.angular.piece_b(group).row(k).tail<3>() = -direction.transpose();
  }
  contacts.angular_group[i] = group;
  contacts.angular_length.push_back(random->Between(0.3, 1));
}

// Bodies with six velocities each and a random positive definite M, contacts between two of them or with the ground.
inline ContactProblem RandomProblem(const RandomProblemOptions& options, RandomNumbers* random) {
  ContactProblem problem;
  problem.step = std::pow(10.0, random->Between(-3, -2));
  BlockLayout layout;
  for (int b = 0; b < options.bodies; ++b) layout.Append(6);
  problem.mass.Reset(layout);
  for (int b = 0; b < options.bodies; ++b) {
    MatX root(6, 6);
    for (int c = 0; c < 6; ++c) root.col(c) = random->Vector(6, 0.5);
    problem.mass.block(b) = root * root.transpose() + random->Between(0.5, 2) * MatX::Identity(6, 6);
  }
  problem.mass.Factorize();
  const int n = layout.total;
  problem.velocity = random->Vector(n, 1);
  problem.free_velocity = problem.velocity + problem.step * random->Vector(n, 10);

  const auto fill = [&](BlockRows* rows, int group) {
    for (int k = 0; k < rows->rows(group); ++k) {
      rows->piece_a(group).row(k) = random->Vector(6, 1).transpose();
      if (rows->block_b(group) >= 0) rows->piece_b(group).row(k) = random->Vector(6, 1).transpose();
    }
  };
  problem.bilateral.jacobian.Reset(layout);
  problem.bounded.jacobian.Reset(layout);
  for (int i = 0; i < options.bilateral; ++i) {
    fill(&problem.bilateral.jacobian, problem.bilateral.jacobian.Append(1, 0, options.bodies > 1 ? 1 : -1));
  }
  for (int i = 0; i < options.bounded; ++i) {
    fill(&problem.bounded.jacobian, problem.bounded.jacobian.Append(1, random->Below(options.bodies), -1));
  }
  problem.bilateral.target = random->Vector(options.bilateral, 0.3);
  problem.bilateral.rate = problem.bilateral.target;
  problem.bilateral.drift = VecX::Zero(options.bilateral);
  problem.bounded.target = VecX::Zero(options.bounded);
  problem.bounded.upper = random->Vector(options.bounded, 0.1).cwiseAbs();
  problem.bounded.lower = -problem.bounded.upper;

  problem.contacts.Reset(layout);
  for (int i = 0; i < options.contacts; ++i) {
    const int a = random->Below(options.bodies);
    const int b = options.bodies > 1 && random->Chance(0.5) ? (a + 1) % options.bodies : -1;
    const double mu = random->Between(0, options.friction_most);
    AppendGroundContact(mu, std::pow(10.0, random->Between(4, 10)), a, b, &problem);
    // point rows with a lever arm: [1, −[r]ₓ] in the contact's axes, normal first
    const auto rows_of = [&](const Vec3& lever, double sign, BlockRows::Piece piece) {
      for (int k = 0; k < 3; ++k) {
        const Vec3 direction = Vec3::Unit((k + 2) % 3);
        piece.row(k) << sign * direction.transpose(), sign * lever.cross(direction).transpose();
      }
    };
    rows_of(random->Vector(0.5), 1, problem.contacts.jacobian.piece_a(i));
    if (b >= 0) rows_of(random->Vector(0.5), -1, problem.contacts.jacobian.piece_b(i));
    if (options.moment_share > 0 && random->Chance(options.moment_share)) AddMoments(i, a, b, random, &problem);
    problem.contacts.normal_target[i] = random->Chance(0.5) ? 0.0 : random->Between(-0.2, 0.2);
    if (!random->Chance(options.known_share)) continue;
    ContactHistory& history = problem.contacts.history[i];
    history.known = true;
    history.normal_force = random->Chance(0.2) ? 0.0 : random->Between(0, 200);
    const double angle = random->Between(0, 6.28);
    history.tangential_force =
        mu * history.normal_force * random->Between(0, 1) * Vec3(std::cos(angle), std::sin(angle), 0);
  }
  CompleteProblem(&problem);
  return problem;
}

// A method by name, whose settings are known to be right.
inline Method MethodOf(const std::string& law, const GivenSettings& settings = {}, const std::string& solver = "auto") {
  std::vector<Fault> faults;
  Method method = MakeMethod(law, settings, solver, {}, &faults);
  for (const Fault& fault : faults) throw std::runtime_error(fault.Message());
  return method;
}

inline ContactSolution SolveProblem(const Method& method, const ContactProblem& problem) {
  ProgramSolver solver = method.solver;
  ContactSolution solution = method.law->Solve(problem, solver).solution;
  ContactMotion after;
  ComputeContactMotion(problem, solution.velocity, &after);
  solution.relaxation_gap = method.law->RelaxationGaps(problem, solution, after);
  return solution;
}

struct NamedMethod {
  std::string name;
  Method method;
};

// Every law with complementarity, and `cone`, with both kinds of bounds and both kinds of polygon; max-dissipation has
// its own tests (max_dissipation_test.cpp).
inline std::vector<NamedMethod> EveryLaw() {
  const SettingSpec::Value iterated = std::string("iterated");
  std::vector<NamedMethod> methods = {
      {"coulomb", MethodOf("coulomb")},
      {"cone", MethodOf("cone", {{"gaps", std::string("skin")}})},
      {"polygonal, 4 sides", MethodOf("polygonal")},
      {"polygonal, 8 sides, turned", MethodOf("polygonal", {{"sides", 8.0}, {"orientation", 0.2}})},
  };
  for (const char* law : {"regularized", "bristle", "liang", "box"}) {
    methods.push_back({law, MethodOf(law)});
    methods.push_back(
        {std::string(law) + ", iterated", MethodOf(law, {{"bounds", iterated}, {"bound_iterations", 400.0}})});
  }
  return methods;
}

}  // namespace slipstick::internal::testing
