#include "slipstick/math/block_rows.h"

#include "slipstick/base/check.h"

namespace slipstick {

void BlockRows::Reset(const BlockLayout& layout) {
  layout_ = layout;
  rows_.clear();
  first_row_.clear();
  block_a_.clear();
  block_b_.clear();
  data_a_.clear();
  data_b_.clear();
  values_.clear();
  total_rows_ = 0;
}

int BlockRows::Append(int rows, int block_a, int block_b) {
  SLIPSTICK_CHECK(block_a < 0 || block_a != block_b, "a group names the same block twice");
  const int group = groups();
  rows_.push_back(rows);
  first_row_.push_back(total_rows_);
  block_a_.push_back(block_a);
  block_b_.push_back(block_b);
  data_a_.push_back(static_cast<int>(values_.size()));
  values_.resize(values_.size() + static_cast<std::size_t>(rows) * columns(block_a), 0.0);
  data_b_.push_back(static_cast<int>(values_.size()));
  values_.resize(values_.size() + static_cast<std::size_t>(rows) * columns(block_b), 0.0);
  total_rows_ += rows;
  return group;
}

namespace {

// Rows of a contact with a free body, the case that counts: sizes known when compiled.
using ContactPiece = Eigen::Map<const Eigen::Matrix<double, 3, 6, Eigen::RowMajor>>;

bool IsContactPiece(const BlockRows::ConstPiece& piece) { return piece.rows() == 3 && piece.cols() == 6; }

void AddProduct(const BlockRows::ConstPiece& piece, const double* v, double* out) {
  if (IsContactPiece(piece)) {
    Eigen::Map<Vec3>(out).noalias() += ContactPiece(piece.data()) * Eigen::Map<const Vec6>(v);
  } else {
    Eigen::Map<VecX>(out, piece.rows()).noalias() += piece * Eigen::Map<const VecX>(v, piece.cols());
  }
}

void AddTransposedProduct(const BlockRows::ConstPiece& piece, const double* x, double* out) {
  if (IsContactPiece(piece)) {
    Eigen::Map<Vec6>(out).noalias() += ContactPiece(piece.data()).transpose() * Eigen::Map<const Vec3>(x);
  } else {
    Eigen::Map<VecX>(out, piece.cols()).noalias() += piece.transpose() * Eigen::Map<const VecX>(x, piece.rows());
  }
}

}  // namespace

void BlockRows::Multiply(ConstRef<VecX> v, Ref<VecX> out) const {
  out.setZero();
  for (int g = 0; g < groups(); ++g) {
    const int a = block_a_[g], b = block_b_[g];
    if (a >= 0) AddProduct(piece_a(g), v.data() + layout_.offset[a], out.data() + first_row_[g]);
    if (b >= 0) AddProduct(piece_b(g), v.data() + layout_.offset[b], out.data() + first_row_[g]);
  }
}

void BlockRows::AddTransposed(ConstRef<VecX> x, Ref<VecX> out) const {
  for (int g = 0; g < groups(); ++g) {
    const int a = block_a_[g], b = block_b_[g];
    if (a >= 0) AddTransposedProduct(piece_a(g), x.data() + first_row_[g], out.data() + layout_.offset[a]);
    if (b >= 0) AddTransposedProduct(piece_b(g), x.data() + first_row_[g], out.data() + layout_.offset[b]);
  }
}

namespace {

struct Touch {
  int group;
  bool second;  // the group's piece b rather than a
};

std::vector<std::vector<Touch>> TouchesByBlock(const BlockRows& rows) {
  std::vector<std::vector<Touch>> touches(rows.layout().count());
  for (int g = 0; g < rows.groups(); ++g) {
    if (rows.block_a(g) >= 0) touches[rows.block_a(g)].push_back({g, false});
    if (rows.block_b(g) >= 0) touches[rows.block_b(g)].push_back({g, true});
  }
  return touches;
}

BlockRows::ConstPiece PieceOf(const BlockRows& rows, const Touch& touch) {
  return touch.second ? rows.piece_b(touch.group) : rows.piece_a(touch.group);
}

}  // namespace

void AddDelassus(const BlockDiagonal& mass, const BlockRows& j, const BlockRows& k, Ref<MatX> w) {
  const auto touches_j = TouchesByBlock(j);
  const auto touches_k = TouchesByBlock(k);
  MatX solved;
  for (int block = 0; block < mass.layout().count(); ++block) {
    for (const Touch& tk : touches_k[block]) {
      solved = PieceOf(k, tk).transpose();
      mass.SolveBlockInPlace(block, solved);
      for (const Touch& tj : touches_j[block]) {
        w.block(j.first_row(tj.group), k.first_row(tk.group), j.rows(tj.group), k.rows(tk.group)).noalias() +=
            PieceOf(j, tj) * solved;
      }
    }
  }
}

}  // namespace slipstick
