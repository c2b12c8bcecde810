#include "slipstick/solver/velocity/velocity_run.h"

#include <cmath>
#include <limits>

namespace slipstick::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

std::optional<ConeAnswer> TrivialAnswer(const VelocityProgram& program, const char* solver) {
  if (program.size() == 0) return ConeAnswer{program.q, program.q, {SolveStatus::kSolved, 0, 0, solver}};
  if (program.q.allFinite() && program.compliance.allFinite()) return std::nullopt;
  const VecX none = VecX::Zero(program.size());
  return ConeAnswer{none, none, {SolveStatus::kBadInput, 0, kInfinity, solver}};
}

VelocityRun::VelocityRun(const VelocityProgram& program, const VelocityForm& form, const StopRule& stop)
    : program_(program),
      form_(form),
      stop_(stop),
      begin_(std::chrono::steady_clock::now()),
      change_(form.layout().total),
      u_(program.size()),
      error_(kInfinity),
      best_error_(kInfinity) {
  // something to return, whatever happens
  Judge(ProjectOnSets(program.blocks, VecX::Zero(program.size())));
}

bool VelocityRun::Judge(const VecX& impulses) {
  form_.ChangeFrom(impulses, &change_);
  form_.Multiply(change_, &u_);
  u_ += program_.q + program_.compliance.cwiseProduct(impulses);
  const double residual = NaturalResidual(program_.blocks, program_.non_associated, form_.scales(), impulses, u_);
  const double scale = form_.velocity_scale();
  error_ = residual == 0 ? 0.0 : scale > 0 ? residual / scale : kInfinity;
  history_.push_back(error_);
  if (error_ < best_error_ || best_.size() == 0) {
    best_error_ = error_;
    best_ = impulses;
    best_u_ = u_;
  }
  return solved();
}

bool VelocityRun::TimeIsUp() const {
  return std::isfinite(stop_.seconds) &&
         std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count() > stop_.seconds;
}

ConeAnswer VelocityRun::Finish(const char* solver, SolveStatus otherwise, int iterations) {
  ConeAnswer answer{best_, best_u_, {}};
  answer.report.status = solved() ? SolveStatus::kSolved : otherwise;
  answer.report.iterations = iterations;
  answer.report.residual = best_error_;
  answer.report.solver = solver;
  answer.report.history = std::move(history_);
  return answer;
}

}  // namespace slipstick::internal
