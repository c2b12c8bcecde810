#include "slipstick/math/block_rows.h"

#include <cmath>

#include "slipstick/base/check.h"

namespace slipstick {

void BlockRows::Reset(const BlockLayout& layout) {
  layout_ = layout;
  groups_.clear();
  values_.clear();
  rigid_.clear();
  total_rows_ = 0;
}

BlockRows::Group& BlockRows::AppendGroup(int rows, int block_a, int block_b) {
  SLIPSTICK_CHECK(block_a < 0 || block_a != block_b, "a group names the same block twice");
  const int data = static_cast<int>(values_.size());
  groups_.push_back({rows, total_rows_, block_a, block_b, data, data, -1});
  total_rows_ += rows;
  return groups_.back();
}

int BlockRows::Append(int rows, int block_a, int block_b) {
  AppendGroup(rows, block_a, block_b).data_b += rows * columns(block_a);
  values_.resize(values_.size() + static_cast<std::size_t>(rows) * (columns(block_a) + columns(block_b)), 0.0);
  return groups() - 1;
}

int BlockRows::Append(const Rigid& rigid, int block_a, int block_b) {
  SLIPSTICK_CHECK((block_a < 0 || columns(block_a) == 6) && (block_b < 0 || columns(block_b) == 6),
                  "a rigid group needs free bodies");
  AppendGroup(3, block_a, block_b).rigid = static_cast<int>(rigid_.size());
  rigid_.push_back(rigid);
  return groups() - 1;
}

BlockRows::Piece BlockRows::piece_a(int group) {
  const Group& of = groups_[group];
  SLIPSTICK_CHECK(of.rigid < 0, "the pieces of a rigid group are not stored");
  return {values_.data() + of.data_a, of.rows, columns(of.block_a)};
}

BlockRows::Piece BlockRows::piece_b(int group) {
  const Group& of = groups_[group];
  SLIPSTICK_CHECK(of.rigid < 0, "the pieces of a rigid group are not stored");
  return {values_.data() + of.data_b, of.rows, columns(of.block_b)};
}

BlockRows::ConstPiece BlockRows::PieceOf(int group, bool second) const {
  const Group& g = groups_[group];
  const Rigid* of = RigidOf(g);
  if (of == nullptr) return second ? DenseB(g) : DenseA(g);
  if ((second ? g.block_b : g.block_a) < 0) return RowMatX(3, 0);
  const double sign = second ? -1 : 1;
  const Vec3& arm = second ? of->arm_b : of->arm_a;
  RowMatX piece = RowMatX::Zero(3, 6);
  for (int k = 0; k < 3; ++k) {
    // d · (v + ω × r) = d · v + (r × d) · ω
    const Vec3 direction = of->frame.col(k);
    piece.row(k).head<3>() = sign * (of->turning ? direction : Vec3(arm.cross(direction)));
    if (!of->turning) piece.row(k).tail<3>() = sign * direction;
  }
  return piece;
}

void BlockRows::MultiplyGroup(int group, ConstRef<VecX> v, Ref<VecX> out) const {
  const int* offset = layout_.offset.data();
  const Group& g = groups_[group];
  const int a = g.block_a, b = g.block_b;
  if (const Rigid* of = RigidOf(g)) {
    const auto velocity = [&](int block, const Vec3& arm) -> Vec3 {
      const Eigen::Map<const Vec3> angular(v.data() + offset[block]), linear(v.data() + offset[block] + 3);
      if (of->turning) return angular;
      return linear + angular.cross(arm);
    };
    Vec3 relative = Vec3::Zero();
    if (a >= 0) relative = velocity(a, of->arm_a);
    if (b >= 0) relative -= velocity(b, of->arm_b);
    Eigen::Map<Vec3>(out.data() + g.first_row).noalias() = of->frame.transpose() * relative;
    return;
  }
  auto part = out.segment(g.first_row, g.rows);
  part.setZero();
  if (a >= 0) part.noalias() += DenseA(g) * v.segment(offset[a], layout_.size[a]);
  if (b >= 0) part.noalias() += DenseB(g) * v.segment(offset[b], layout_.size[b]);
}

void BlockRows::Multiply(ConstRef<VecX> v, Ref<VecX> out) const {
  for (int g = 0; g < groups(); ++g) MultiplyGroup(g, v, out);
}

void BlockRows::AddTransposedGroup(int group, ConstRef<VecX> x, Ref<VecX> out) const {
  const int* offset = layout_.offset.data();
  const Group& g = groups_[group];
  const int a = g.block_a, b = g.block_b;
  if (const Rigid* of = RigidOf(g)) {
    const Vec3 impulse = of->frame * Eigen::Map<const Vec3>(x.data() + g.first_row);
    const auto add = [&](int block, const Vec3& arm, const Vec3& given) {
      Eigen::Map<Vec3> angular(out.data() + offset[block]), linear(out.data() + offset[block] + 3);
      if (of->turning) {
        angular += given;
      } else {
        angular += arm.cross(given);
        linear += given;
      }
    };
    if (a >= 0) add(a, of->arm_a, impulse);
    if (b >= 0) add(b, of->arm_b, -impulse);
    return;
  }
  const auto part = x.segment(g.first_row, g.rows);
  if (a >= 0) out.segment(offset[a], layout_.size[a]).noalias() += DenseA(g).transpose() * part;
  if (b >= 0) out.segment(offset[b], layout_.size[b]).noalias() += DenseB(g).transpose() * part;
}

void BlockRows::AddTransposed(ConstRef<VecX> x, Ref<VecX> out) const {
  for (int g = 0; g < groups(); ++g) AddTransposedGroup(g, x, out);
}

void BlockRows::AddTransposedSizesGroup(int group, ConstRef<VecX> x, Ref<VecX> out) const {
  const Group& g = groups_[group];
  const int a = g.block_a, b = g.block_b;
  if (const Rigid* of = RigidOf(g)) {
    const Vec3 size = Eigen::Map<const Vec3>(x.data() + g.first_row).cwiseAbs();
    if (size.isZero(0)) return;
    const auto add = [&](int block, const Vec3& arm) {
      Eigen::Map<Vec3> angular(out.data() + layout_.offset[block]), linear(out.data() + layout_.offset[block] + 3);
      for (int k = 0; k < 3; ++k) {
        const Vec3 direction = of->frame.col(k);
        angular += size[k] * (of->turning ? direction : Vec3(arm.cross(direction))).cwiseAbs();
        if (!of->turning) linear += size[k] * direction.cwiseAbs();
      }
    };
    if (a >= 0) add(a, of->arm_a);
    if (b >= 0) add(b, of->arm_b);
    return;
  }
  for (int row = 0; row < g.rows; ++row) {
    const double size = std::abs(x[g.first_row + row]);
    if (size == 0) continue;
    if (a >= 0) out.segment(layout_.offset[a], layout_.size[a]) += size * DenseA(g).row(row).cwiseAbs().transpose();
    if (b >= 0) out.segment(layout_.offset[b], layout_.size[b]) += size * DenseB(g).row(row).cwiseAbs().transpose();
  }
}

void BlockRows::AddTransposedSizes(ConstRef<VecX> x, Ref<VecX> out) const {
  for (int g = 0; g < groups(); ++g) AddTransposedSizesGroup(g, x, out);
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

SparseMat SparseDelassus(const BlockDiagonal& mass, const BlockRows& j, ConstRef<VecX> added) {
  const auto touches = TouchesByBlock(j);
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(j.rows());
  for (int row = 0; row < j.rows(); ++row) entries.emplace_back(row, row, added[row]);
  MatX solved, product;
  std::vector<RowMatX> pieces;
  for (int block = 0; block < mass.layout().count(); ++block) {
    const std::vector<Touch>& here = touches[block];
    pieces.clear();
    for (const Touch& touch : here) pieces.push_back(PieceOf(j, touch));
    for (std::size_t b = 0; b < here.size(); ++b) {
      solved = pieces[b].transpose();
      mass.SolveBlockInPlace(block, solved);
      // the lower half alone, mirrored; of a group with itself the mean of both halves
      for (std::size_t a = b; a < here.size(); ++a) {
        product.noalias() = pieces[a] * solved;
        const int first_row = j.first_row(here[a].group), first_column = j.first_row(here[b].group);
        for (int r = 0; r < product.rows(); ++r) {
          for (int c = 0; c < product.cols(); ++c) {
            if (a == b) {
              entries.emplace_back(first_row + r, first_column + c, 0.5 * (product(r, c) + product(c, r)));
            } else if (product(r, c) != 0) {
              entries.emplace_back(first_row + r, first_column + c, product(r, c));
              entries.emplace_back(first_column + c, first_row + r, product(r, c));
            }
          }
        }
      }
    }
  }
  SparseMat w(j.rows(), j.rows());
  w.setFromTriplets(entries.begin(), entries.end());
  return w;
}

}  // namespace slipstick
