#include "slipstick/solver/velocity/velocity_sweep.h"

#include "slipstick/solver/cone/block_solutions.h"
#include "slipstick/solver/velocity/velocity_form.h"
#include "slipstick/solver/velocity/velocity_run.h"

namespace slipstick::internal {
namespace {

constexpr const char* kName = "velocity-sweep";

class VelocitySweep {
 public:
  VelocitySweep(const VelocityForm& form, const VelocityProgram& program)
      : form_(form),
        program_(program),
        solutions_(program.blocks, program.non_associated, OwnMatrices()),
        change_(form.layout().total) {}

  void Start(const VecX& impulses) { form_.ChangeFrom(impulses, &change_); }

  void Sweep(bool forwards, VecX* impulses) {
    const auto count = static_cast<int>(form_.groups().size());
    for (int step = 0; step < count; ++step) {
      const int g = forwards ? step : count - 1 - step;
      const VelocityForm::Group& group = form_.groups()[g];
      group.of_free_bodies&& group.block_count == 1 ? SolveContact(g, impulses) : SolveGroup(g, impulses);
    }
  }

 private:
  // J M⁻¹ Jᵀ of each group, of which its blocks have their parts; and M⁻¹ Jᵀ of it.
  BlockSolutions::Matrices OwnMatrices() {
    BlockSolutions::Matrices own(program_.blocks.size());
    for (const VelocityForm::Group& group : form_.groups()) {
      const auto solved = [&](int tree, const VelocityForm::Piece& piece) {
        MatX columns = piece.transpose();
        if (tree >= 0) form_.SolveMassBlock(tree, columns);
        return columns;
      };
      responses_a_.push_back(group.a < 0 ? MatX() : solved(group.a, form_.PieceA(group)));
      responses_b_.push_back(group.b < 0 ? MatX() : solved(group.b, form_.PieceB(group)));
      MatX all = MatX::Zero(group.rows, group.rows);
      if (group.a >= 0) all.noalias() += form_.PieceA(group) * responses_a_.back();
      if (group.b >= 0) all.noalias() += form_.PieceB(group) * responses_b_.back();
      for (int k = group.first_block; k < group.first_block + group.block_count; ++k) {
        const ConeBlock& block = program_.blocks[k];
        const int at = block.offset - group.first_row, rows = block.rows();
        own[k] = 0.5 * (all.block(at, at, rows, rows) + all.block(at, at, rows, rows).transpose());
        own[k].diagonal() += program_.compliance.segment(block.offset, rows);
      }
    }
    own_ = own;
    return own;
  }

  // SolveGroup of a contact of free bodies, whose sizes are known.
  void SolveContact(int g, VecX* impulses) {
    const VelocityForm::Group& group = form_.groups()[g];
    const int k = group.first_block, row = group.first_row;
    const Vec3 present = impulses->segment<3>(row);
    const Eigen::Map<const Mat3, 0, Eigen::OuterStride<>> own(own_[k].data(),
                                                              Eigen::OuterStride<>(own_[k].outerStride()));
    Vec3 q = program_.q.segment<3>(row) + program_.compliance.segment<3>(row).cwiseProduct(present) - own * present;
    if (group.a >= 0) q += form_.FreePieceA(group) * form_.FreePart(change_, group.a);
    if (group.b >= 0) q += form_.FreePieceB(group) * form_.FreePart(change_, group.b);
    Vec3 next = present;
    solutions_.Solve(k, q.data(), next.data());
    const Vec3 more = next - present;
    if (more.isZero(0) || !more.allFinite()) return;
    impulses->segment<3>(row) = next;
    using Response = Eigen::Map<const Eigen::Matrix<double, 6, 3>>;
    if (group.a >= 0) form_.FreePart(change_, group.a) += Response(responses_a_[g].data()) * more;
    if (group.b >= 0) form_.FreePart(change_, group.b) += Response(responses_b_[g].data()) * more;
  }

  void SolveGroup(int g, VecX* impulses) {
    const VelocityForm::Group& group = form_.groups()[g];
    for (int k = group.first_block; k < group.first_block + group.block_count; ++k) {
      const ConeBlock& block = program_.blocks[k];
      const int rows = block.rows(), at = block.offset - group.first_row;
      ContactVector present = impulses->segment(block.offset, rows), next = present;
      // what impulses of the others alone would leave
      ContactVector q = program_.q.segment(block.offset, rows) +
                        program_.compliance.segment(block.offset, rows).cwiseProduct(present);
      if (group.a >= 0) q += form_.PieceA(group).middleRows(at, rows) * form_.Part(change_, group.a);
      if (group.b >= 0) q += form_.PieceB(group).middleRows(at, rows) * form_.Part(change_, group.b);
      q -= own_[k] * present;
      solutions_.Solve(k, q.data(), next.data());
      const ContactVector more = next - present;
      if (more.isZero(0) || !more.allFinite()) continue;
      impulses->segment(block.offset, rows) = next;
      if (group.a >= 0) form_.Part(change_, group.a).noalias() += responses_a_[g].middleCols(at, rows) * more;
      if (group.b >= 0) form_.Part(change_, group.b).noalias() += responses_b_[g].middleCols(at, rows) * more;
    }
  }

  const VelocityForm& form_;
  const VelocityProgram& program_;
  std::vector<MatX> responses_a_, responses_b_;  // of the groups
  BlockSolutions::Matrices own_;
  BlockSolutions solutions_;
  VecX change_;  // of velocities, by all impulses
};

}  // namespace

ConeAnswer SolveByVelocitySweep(const VelocityProgram& program, const VelocitySweepSettings& settings,
                                const StopRule& stop, const VecX& start) {
  if (std::optional<ConeAnswer> trivial = TrivialAnswer(program, kName)) return *std::move(trivial);
  const VelocityForm form(program);
  VelocityRun run(program, form, stop);
  VecX impulses = ProjectOnSets(program.blocks, start);
  VelocitySweep sweep(form, program);
  sweep.Start(impulses);
  run.Judge(impulses);
  double last = run.error();
  int count = 0;
  while (!run.solved() && count < settings.max_iterations && !run.TimeIsUp()) {
    for (int i = 0; i < settings.interval && count < settings.max_iterations; ++i, ++count) {
      sweep.Sweep(count % 2 == 0, &impulses);
    }
    run.Judge(impulses);
    if (!(run.error() <= settings.gain * last)) break;
    last = run.error();
  }
  return run.Finish(kName, count < settings.max_iterations ? SolveStatus::kStalled : SolveStatus::kIterationLimit,
                    count);
}

}  // namespace slipstick::internal
