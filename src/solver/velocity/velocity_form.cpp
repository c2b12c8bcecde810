#include "slipstick/solver/velocity/velocity_form.h"

#include <algorithm>

namespace slipstick::internal {

VelocityForm::VelocityForm(const VelocityProgram& program) : program_(program) {
  const BlockRows& rows = program.rows;
  std::vector<int> numbers(program.mass->layout().count(), -1);
  std::size_t next = 0;
  for (int g = 0; g < rows.groups(); ++g) {
    Group group{.rows = rows.rows(g),
                .first_row = rows.first_row(g),
                .a = NumberOf(rows.block_a(g), &numbers),
                .b = NumberOf(rows.block_b(g), &numbers),
                .first_block = static_cast<int>(next)};
    const int end = group.first_row + group.rows;
    while (next < program.blocks.size() && program.blocks[next].offset < end) ++next;
    group.block_count = static_cast<int>(next) - group.first_block;
    const auto is_free = [&](int tree) { return tree < 0 || layout_.size[tree] == 6; };
    group.of_free_bodies = group.rows == 3 && is_free(group.a) && is_free(group.b);
    if (group.a >= 0) group.data_a = Copy(rows.piece_a(g));
    if (group.b >= 0) group.data_b = Copy(rows.piece_b(g));
    groups_.push_back(group);
  }
  for (const int block : blocks_) masses_.push_back(program.mass->Dense(block));
  SetScales();
}

int VelocityForm::NumberOf(int block, std::vector<int>* numbers) {
  if (block < 0) return -1;
  int& number = (*numbers)[block];
  if (number < 0) {
    number = layout_.count();
    layout_.Append(program_.mass->layout().size[block]);
    blocks_.push_back(block);
  }
  return number;
}

int VelocityForm::Copy(const BlockRows::ConstPiece& piece) {
  const int start = static_cast<int>(values_.size());
  values_.insert(values_.end(), piece.data(), piece.data() + piece.size());
  return start;
}

void VelocityForm::SetScales() {
  VecX diagonal = program_.compliance;
  for (const Group& group : groups_) {
    const auto add = [&](int tree, const Piece& piece) {
      if (tree < 0) return;
      MatX solved = piece.transpose();
      program_.mass->SolveBlockInPlace(blocks_[tree], solved);
      for (int row = 0; row < group.rows; ++row) {
        diagonal[group.first_row + row] += piece.row(row).dot(solved.col(row));
      }
    };
    add(group.a, PieceA(group));
    add(group.b, PieceB(group));
  }
  scales_ = BlockScales(program_.blocks, diagonal);
  velocity_scale_ = program_.q.cwiseAbs().maxCoeff();
  const VecX least = ProjectOnSets(program_.blocks, VecX::Zero(program_.size()));
  if (least.isZero(0)) return;
  VecX change = VecX::Zero(layout_.total), moved(program_.size());
  ChangeFrom(least, &change);
  Multiply(change, &moved);
  velocity_scale_ = std::max(velocity_scale_, moved.cwiseAbs().maxCoeff());
}

void VelocityForm::Multiply(const VecX& x, VecX* out) const {
  for (const Group& group : groups_) {
    if (group.of_free_bodies) {
      Vec3 sum = Vec3::Zero();
      if (group.a >= 0) sum += FreePieceA(group) * FreePart(x, group.a);
      if (group.b >= 0) sum += FreePieceB(group) * FreePart(x, group.b);
      out->segment<3>(group.first_row) = sum;
      continue;
    }
    auto part = out->segment(group.first_row, group.rows);
    part.setZero();
    if (group.a >= 0) part.noalias() += PieceA(group) * Part(x, group.a);
    if (group.b >= 0) part.noalias() += PieceB(group) * Part(x, group.b);
  }
}

void VelocityForm::AddTransposed(const VecX& impulses, VecX* out) const {
  for (const Group& group : groups_) {
    if (group.of_free_bodies) {
      const Vec3 part = impulses.segment<3>(group.first_row);
      if (group.a >= 0) FreePart(*out, group.a) += FreePieceA(group).transpose() * part;
      if (group.b >= 0) FreePart(*out, group.b) += FreePieceB(group).transpose() * part;
      continue;
    }
    const auto part = impulses.segment(group.first_row, group.rows);
    if (group.a >= 0) Part(*out, group.a).noalias() += PieceA(group).transpose() * part;
    if (group.b >= 0) Part(*out, group.b).noalias() += PieceB(group).transpose() * part;
  }
}

void VelocityForm::MultiplyMass(const VecX& x, VecX* out) const {
  for (int i = 0; i < layout_.count(); ++i) {
    if (layout_.size[i] == 6) {
      FreePart(*out, i) = Eigen::Map<const Mat6>(masses_[i].data()) * FreePart(x, i);
    } else {
      Part(*out, i).noalias() = masses_[i] * Part(x, i);
    }
  }
}

void VelocityForm::ChangeFrom(const VecX& impulses, VecX* out) const {
  out->setZero();
  AddTransposed(impulses, out);
  SolveMass(out);
}

void VelocityForm::SolveMass(VecX* x) const {
  for (int i = 0; i < layout_.count(); ++i) program_.mass->SolveBlockInPlace(blocks_[i], Part(*x, i));
}

}  // namespace slipstick::internal
