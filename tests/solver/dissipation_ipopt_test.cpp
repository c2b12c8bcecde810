#include <gtest/gtest.h>

#ifdef SLIPSTICK_HAS_IPOPT

#include <cmath>
#include <coin/IpIpoptApplication.hpp>
#include <coin/IpTNLP.hpp>
#include <limits>

#include "tests/solver/dissipation_programs.h"

// Phase II against a solver that has nothing in common with ours: Ipopt, on the program as the paper prints it, with
// squared cones.

namespace slipstick::internal {
namespace {

using testing::DissipationProblem;
using testing::RandomDissipation;
using testing::RandomNumbers;

constexpr double kInfinity = 1e20;
// Of the objective and the cones: Ipopt's tolerance on squares and on products of slacks and multipliers is one on
// their roots for what is sought.
constexpr double kSharper = 1e4;

class SquaredConeProgram : public Ipopt::TNLP {
 public:
  SquaredConeProgram(const DissipationProblem& problem, VecX* answer)
      : program_(problem.program), start_(problem.start), answer_(answer), contacts_(program_.contacts.size()) {}

  bool get_nlp_info(Ipopt::Index& n, Ipopt::Index& m, Ipopt::Index& jacobian, Ipopt::Index& hessian,
                    IndexStyleEnum& style) override {
    n = program_.size();
    // non-penetration, cones, κ; all dense, the programs are small
    m = 2 * contacts_ + 1;
    jacobian = n * m;
    hessian = n * (n + 1) / 2;
    style = C_STYLE;
    return true;
  }
  bool get_bounds_info(Ipopt::Index n, Ipopt::Number* lower, Ipopt::Number* upper, Ipopt::Index m, Ipopt::Number* least,
                       Ipopt::Number* most) override {
    std::fill(lower, lower + n, -kInfinity);
    std::fill(upper, upper + n, kInfinity);
    for (const DissipationContact& contact : program_.contacts) lower[contact.row] = 0;
    for (const DissipationInterval& interval : program_.intervals) {
      lower[interval.row] = interval.lower;
      upper[interval.row] = interval.upper;
    }
    std::fill(least, least + m, 0.0);
    std::fill(most, most + m, kInfinity);
    return true;
  }
  bool get_starting_point(Ipopt::Index n, bool, Ipopt::Number* x, bool, Ipopt::Number*, Ipopt::Number*, Ipopt::Index,
                          bool, Ipopt::Number*) override {
    std::copy(start_.data(), start_.data() + n, x);
    return true;
  }
  bool eval_f(Ipopt::Index n, const Ipopt::Number* x, bool, Ipopt::Number& value) override {
    const Eigen::Map<const VecX> point(x, n);
    value = kSharper * (0.5 * point.dot(program_.A * point) + program_.b.dot(point));
    return true;
  }
  bool eval_grad_f(Ipopt::Index n, const Ipopt::Number* x, bool, Ipopt::Number* gradient) override {
    Eigen::Map<VecX>(gradient, n) = kSharper * (program_.A * Eigen::Map<const VecX>(x, n) + program_.b);
    return true;
  }
  bool eval_g(Ipopt::Index n, const Ipopt::Number* x, bool, Ipopt::Index, Ipopt::Number* g) override {
    const VecX u = program_.A * Eigen::Map<const VecX>(x, n) + program_.b;
    g[2 * contacts_] = program_.normal_limit;
    for (int i = 0; i < contacts_; ++i) {
      const DissipationContact& c = program_.contacts[i];
      g[i] = u[c.row];
      g[contacts_ + i] = 0;
      if (c.rows == 3) {
        const double limit = c.friction * x[c.row] + c.extra;
        g[contacts_ + i] = kSharper * (limit * limit - std::pow(std::hypot(x[c.row + 1], x[c.row + 2]), 2));
      }
      g[2 * contacts_] -= x[c.row];
    }
    return true;
  }
  bool eval_jac_g(Ipopt::Index n, const Ipopt::Number* x, bool, Ipopt::Index m, Ipopt::Index, Ipopt::Index* rows,
                  Ipopt::Index* columns, Ipopt::Number* values) override {
    if (values == nullptr) {
      for (int k = 0; k < n * m; ++k) {
        rows[k] = k / n;
        columns[k] = k % n;
      }
      return true;
    }
    Eigen::Map<RowMatX> jacobian(values, m, n);
    jacobian.setZero();
    for (int i = 0; i < contacts_; ++i) {
      const DissipationContact& c = program_.contacts[i];
      jacobian.row(i) = program_.A.row(c.row);
      if (c.rows == 3) {
        jacobian(contacts_ + i, c.row) = kSharper * 2 * c.friction * (c.friction * x[c.row] + c.extra);
        jacobian(contacts_ + i, c.row + 1) = -kSharper * 2 * x[c.row + 1];
        jacobian(contacts_ + i, c.row + 2) = -kSharper * 2 * x[c.row + 2];
      }
      jacobian(2 * contacts_, c.row) = -1;
    }
    return true;
  }
  bool eval_h(Ipopt::Index n, const Ipopt::Number*, bool, Ipopt::Number factor, Ipopt::Index,
              const Ipopt::Number* lambda, bool, Ipopt::Index, Ipopt::Index* rows, Ipopt::Index* columns,
              Ipopt::Number* values) override {
    MatX hessian;
    if (values != nullptr) {
      hessian = kSharper * factor * program_.A;
      for (int i = 0; i < contacts_; ++i) {
        const DissipationContact& c = program_.contacts[i];
        if (c.rows != 3) continue;
        hessian(c.row, c.row) += kSharper * 2 * c.friction * c.friction * lambda[contacts_ + i];
        hessian(c.row + 1, c.row + 1) -= kSharper * 2 * lambda[contacts_ + i];
        hessian(c.row + 2, c.row + 2) -= kSharper * 2 * lambda[contacts_ + i];
      }
    }
    int k = 0;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j <= i; ++j, ++k) {
        if (values != nullptr) {
          values[k] = hessian(i, j);
        } else {
          rows[k] = i;
          columns[k] = j;
        }
      }
    }
    return true;
  }
  void finalize_solution(Ipopt::SolverReturn, Ipopt::Index n, const Ipopt::Number* x, const Ipopt::Number*,
                         const Ipopt::Number*, Ipopt::Index, const Ipopt::Number*, const Ipopt::Number*, Ipopt::Number,
                         const Ipopt::IpoptData*, Ipopt::IpoptCalculatedQuantities*) override {
    *answer_ = Eigen::Map<const VecX>(x, n);
  }

 private:
  const DissipationProgram& program_;
  const VecX& start_;
  VecX* answer_;
  int contacts_;
};

TEST(DissipationIpoptTest, PhaseTwoAgreesOnRandomPrograms) {
  RandomNumbers random(31);
  const Ipopt::SmartPtr<Ipopt::IpoptApplication> application = new Ipopt::IpoptApplication(false);
  application->Options()->SetIntegerValue("print_level", 0);
  application->Options()->SetStringValue("sb", "yes");
  application->Options()->SetNumericValue("tol", 1e-12);
  application->Options()->SetStringValue("nlp_scaling_method", "none");
  // Most programs have no interior. What Ipopt would move bounds by to make one moves the answer by its root.
  application->Options()->SetNumericValue("bound_relax_factor", 0);
  application->Options()->SetIntegerValue("max_iter", 1000);
  ASSERT_EQ(application->Initialize(), Ipopt::Solve_Succeeded);
  int compared = 0;
  for (int k = 0; k < 100; ++k) {
    SCOPED_TRACE(k);
    const DissipationProblem problem = RandomDissipation(1 + random.Below(6), 1 + random.Below(3), &random);
    VecX theirs;
    const Ipopt::SmartPtr<Ipopt::TNLP> nlp = new SquaredConeProgram(problem, &theirs);
    const Ipopt::ApplicationReturnStatus status = application->OptimizeTNLP(nlp);
    if (status != Ipopt::Solve_Succeeded && status != Ipopt::Solved_To_Acceptable_Level) continue;
    ++compared;
    const VecX ours = SolveDissipation(problem.program, &problem.start).x;
    // velocities are unique, impulses need not be
    EXPECT_LE((problem.program.A * (ours - theirs)).lpNorm<Eigen::Infinity>(), 1e-6);
  }
  // Ipopt gives up on some, as few of the programs have an interior; fewer than half would show little
  EXPECT_GE(compared, 50);
  RecordProperty("compared", compared);
}

}  // namespace
}  // namespace slipstick::internal

#else

TEST(DissipationIpoptTest, PhaseTwoAgreesOnRandomPrograms) {
  GTEST_SKIP() << "built without Ipopt, Debian's coinor-libipopt-dev";
}

#endif
