#include "slipstick/law/dissipation_stage.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick::internal {
namespace {

constexpr double kOpen = 1e-9;        // of the largest velocity: what parts faster in phase I does not touch
constexpr double kAcceptable = 1e-6;  // residual above which phase II has failed,
constexpr double kUsable = 1e-2;      // and where contacts are many: friction to a hundredth is nearer to it than none
constexpr std::size_t kManyRows = 90;

class Stage {
 public:
  Stage(const DissipationInput& input, ProgramSolver& solver)
      : input_(input), solver_(solver), count_(static_cast<int>(input.friction.size())) {
    const VecX& b = input.b;
    scale_ = b.size() > 0 ? b.lpNorm<Eigen::Infinity>() : 0.0;
    out_.first = out_.x = VecX::Zero(b.size());
    out_.push = VecX::Zero(count_);
    out_.takes_part.assign(count_, 0);
  }

  DissipationOutput Run() {
    SolveFirst();
    const VecX after = input_.space->Times(out_.first) + input_.b;
    bool has_friction = false;
    for (const int i : input_.contacts) {
      const bool is_loaded = !input_.is_loaded.empty() && input_.is_loaded[i];
      out_.takes_part[i] = static_cast<char>(is_loaded || out_.first[3 * i] > 0 || after[3 * i] <= kOpen * scale_);
      has_friction |= out_.takes_part[i] && HasFriction(i);
    }
    out_.x = out_.first;
    // what friction closes comes in, and all is solved anew
    while (has_friction && SolveSecond() && TakeInClosing()) {
    }
    return std::move(out_);
  }

 private:
  bool HasFriction(int i) const { return input_.friction[i] > 0 || input_.extra[i] > 0; }
  bool is_factored() const { return input_.space->gram.rows() > 0; }
  int bounded() const { return static_cast<int>(input_.lower.size()); }

  // Phase I (QP 3): normals and bounded rows alone.
  void SolveFirst() {
    std::vector<int> rows;
    rows.reserve(input_.contacts.size() + input_.lower.size());
    for (const int i : input_.contacts) rows.push_back(3 * i);
    const auto normals = static_cast<Eigen::Index>(rows.size());
    for (int k = 0; k < bounded(); ++k) rows.push_back(3 * count_ + k);
    if (rows.empty()) return;
    VecX lower = VecX::Zero(normals + bounded()),
         upper = VecX::Constant(normals + bounded(), std::numeric_limits<double>::infinity());
    lower.tail(bounded()) = input_.lower;
    upper.tail(bounded()) = input_.upper;
    const MlcpAnswer answer =
        is_factored() ? solver_.factored_box({input_.space->gram.Selected(rows), input_.b(rows), lower, upper}, nullptr)
                      : solver_.box({input_.space->A(rows, rows), input_.b(rows), lower, upper}, nullptr);
    out_.first(rows) = answer.z;
    out_.report = answer.report;
    ++out_.programs;
  }

  // Phase II (QP 1) of the contacts that take part. False where it fails: phase I stands.
  bool SolveSecond() {
    DissipationProgram program;
    std::vector<int> rows, members;
    for (const int i : input_.contacts) {
      if (!out_.takes_part[i]) continue;
      const int size = HasFriction(i) ? 3 : 1;
      program.contacts.push_back({static_cast<int>(rows.size()), size, input_.friction[i], input_.extra[i]});
      program.normal_limit += out_.first[3 * i];
      members.push_back(i);
      for (int k = 0; k < size; ++k) rows.push_back(3 * i + k);
    }
    for (int k = 0; k < bounded(); ++k) {
      program.intervals.push_back({static_cast<int>(rows.size()), input_.lower[k], input_.upper[k]});
      rows.push_back(3 * count_ + k);
    }
    if (is_factored()) {
      program.gram = input_.space->gram.Selected(rows);
    } else {
      program.A = input_.space->A(rows, rows);
    }
    program.b = input_.b(rows);
    // many contacts go on from what was last, few from phase I, where their program has a feasible point
    const bool has_many = rows.size() > kManyRows, is_again = has_many && has_second_;
    VecX start = is_again ? out_.x : out_.first;
    for (const int i : members) {
      if (is_again) continue;
      start.segment<2>(3 * i + 1) = input_.remembered.segment<2>(3 * i + 1);
      if (has_many && input_.remembered[3 * i] > 0) start[3 * i] = input_.remembered[3 * i];
    }
    const VecX warm = start(rows);
    const DissipationAnswer answer = solver_.dissipation(program, &warm);
    ++out_.programs;
    const SolveReport first = out_.report;
    out_.report = answer.report;
    const bool is_solved = answer.report.status == SolveStatus::kSolved;
    if (!is_solved && !(answer.report.residual <= (has_many ? kUsable : kAcceptable))) {
      out_.x = out_.first;
      out_.push.setZero();
      out_.tax = 0;
      out_.report.solver = first.solver;
      return false;
    }
    has_second_ = true;
    const double reached = answer.report.residual * program.b.lpNorm<Eigen::Infinity>();
    closing_ = has_many ? std::max(kOpen * scale_, reached) : kOpen * scale_;
    out_.x.setZero();
    out_.x(rows) = answer.x;
    for (std::size_t k = 0; k < members.size(); ++k) {
      out_.push[members[k]] = answer.multipliers.push[static_cast<Eigen::Index>(k)];
    }
    out_.tax = answer.multipliers.tax;
    return true;
  }

  bool TakeInClosing() {
    const VecX after = input_.space->Times(out_.x) + input_.b;
    bool found = false;
    for (const int i : input_.contacts) {
      if (out_.takes_part[i] || !(after[3 * i] < -closing_)) continue;
      out_.takes_part[i] = 1;
      found = true;
    }
    return found;
  }

  const DissipationInput& input_;
  ProgramSolver& solver_;
  int count_;
  double scale_;
  double closing_ = 0;  // speed: what closes more slowly than the program's answer is exact does not
  bool has_second_ = false;
  DissipationOutput out_;
};

}  // namespace

DissipationOutput SolveDissipationStage(const DissipationInput& input, ProgramSolver& solver) {
  return Stage(input, solver).Run();
}

}  // namespace slipstick::internal
