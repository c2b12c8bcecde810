#include "slipstick/math/block_rows.h"

#include <cmath>

#include "slipstick/base/check.h"

namespace slipstick::internal {

void BlockRows::Reset(const BlockLayout& layout) {
  layout_ = layout;
  groups_.clear();
  values_.clear();
  rigid_.clear();
  turning_.clear();
  single_.clear();
  total_rows_ = 0;
}

int BlockRows::Append(int rows, int block_a, int block_b) {
  const int group = AppendGroup(rows, false, block_a, block_b, values_.size());
  values_.resize(values_.size() + static_cast<std::size_t>(rows) * (columns(block_a) + columns(block_b)), 0.0);
  return group;
}

int BlockRows::Append(const Frame& frame, int block_a, int block_b) {
  for (const Vec3* axis : {&frame.normal, &frame.tangent}) values_.insert(values_.end(), axis->begin(), axis->end());
  const int group = Append(3, block_a, block_b);
  groups_[group].has_frame = true;
  return group;
}

BlockRows::Frame BlockRows::DenseFrame(const Group& group) const {
  SLIPSTICK_CHECK(group.has_frame, "rows without a frame");
  const double* axes = values_.data() + group.data - 6;
  return {Eigen::Map<const Vec3>(axes), Eigen::Map<const Vec3>(axes + 3)};
}

BlockRows::Piece BlockRows::piece_a(int group) {
  const Group& of = groups_[group];
  SLIPSTICK_CHECK(of.kind >= 0, "the pieces of the group are not stored");
  return {values_.data() + of.data, of.kind, columns(of.block_a)};
}

BlockRows::Piece BlockRows::piece_b(int group) {
  const Group& of = groups_[group];
  SLIPSTICK_CHECK(of.kind >= 0, "the pieces of the group are not stored");
  return {values_.data() + FirstOfB(of), of.kind, columns(of.block_b)};
}

BlockRows::ConstPiece BlockRows::PieceOf(int group, bool second) const {
  const Group& g = groups_[group];
  if (g.kind >= 0) return second ? DenseB(g) : DenseA(g);
  if (const Single* single = SingleOf(g)) {
    RowMatX piece = RowMatX::Zero(1, second ? 0 : columns(g.block_a));
    if (!second) piece(0, single->index) = single->factor;
    return piece;
  }
  if ((second ? g.block_b : g.block_a) < 0) return RowMatX(3, 0);
  const double sign = second ? -1 : 1;
  RowMatX piece = RowMatX::Zero(3, 6);
  const Frame axes = frame(group);
  const Vec3 directions[3] = {axes.normal, axes.tangent, axes.second_tangent()};
  const Rigid* rigid = RigidOf(g);
  for (int k = 0; k < 3; ++k) {
    if (rigid == nullptr) {
      piece.row(k).head<3>() = sign * directions[k];
      continue;
    }
    // d · (v + ω × r) = d · v + (r × d) · ω
    piece.row(k).head<3>() = sign * (second ? rigid->arm_b : rigid->arm_a).cross(directions[k]);
    piece.row(k).tail<3>() = sign * directions[k];
  }
  return piece;
}

void BlockRows::MultiplyGroup(int group, ConstRef<VecX> v, Ref<VecX> rows_of_group) const {
  const int* offset = layout_.offset.data();
  const Group& g = groups_[group];
  const int a = g.block_a, b = g.block_b;
  const auto angular = [&](int block) { return Eigen::Map<const Vec3>(v.data() + offset[block]); };
  if (const Rigid* of = RigidOf(g)) {
    const auto velocity = [&](int block, const Vec3& arm) -> Vec3 {
      return Eigen::Map<const Vec3>(v.data() + offset[block] + 3) + angular(block).cross(arm);
    };
    Vec3 relative = Vec3::Zero();
    if (a >= 0) relative = velocity(a, of->arm_a);
    if (b >= 0) relative -= velocity(b, of->arm_b);
    rows_of_group = of->frame.Components(relative);
    return;
  }
  if (const Turning* of = TurningOf(g)) {
    Vec3 relative = Vec3::Zero();
    if (a >= 0) relative = angular(a);
    if (b >= 0) relative -= angular(b);
    rows_of_group = of->frame.Components(relative);
    return;
  }
  if (const Single* of = SingleOf(g)) {
    rows_of_group[0] = of->factor * v[offset[a] + of->index];
    return;
  }
  rows_of_group.setZero();
  if (a >= 0) rows_of_group.noalias() += DenseA(g) * v.segment(offset[a], layout_.size[a]);
  if (b >= 0) rows_of_group.noalias() += DenseB(g) * v.segment(offset[b], layout_.size[b]);
}

void BlockRows::Multiply(ConstRef<VecX> v, Ref<VecX> out) const {
  for (int g = 0; g < groups(); ++g) MultiplyGroup(g, v, out.segment(first_row(g), rows(g)));
}

void BlockRows::AddTransposedGroup(int group, ConstRef<VecX> x, Ref<VecX> out) const {
  const int* offset = layout_.offset.data();
  const Group& g = groups_[group];
  const int a = g.block_a, b = g.block_b;
  const auto angular = [&](int block) { return Eigen::Map<Vec3>(out.data() + offset[block]); };
  if (const Rigid* of = RigidOf(g)) {
    const Vec3 impulse = of->frame.World(x.segment<3>(g.first_row));
    const auto add = [&](int block, const Vec3& arm, const Vec3& given) {
      angular(block) += arm.cross(given);
      Eigen::Map<Vec3>(out.data() + offset[block] + 3) += given;
    };
    if (a >= 0) add(a, of->arm_a, impulse);
    if (b >= 0) add(b, of->arm_b, -impulse);
    return;
  }
  if (const Turning* of = TurningOf(g)) {
    const Vec3 moment = of->frame.World(x.segment<3>(g.first_row));
    if (a >= 0) angular(a) += moment;
    if (b >= 0) angular(b) -= moment;
    return;
  }
  if (const Single* of = SingleOf(g)) {
    out[offset[a] + of->index] += of->factor * x[g.first_row];
    return;
  }
  const auto part = x.segment(g.first_row, g.kind);
  if (a >= 0) out.segment(offset[a], layout_.size[a]).noalias() += DenseA(g).transpose() * part;
  if (b >= 0) out.segment(offset[b], layout_.size[b]).noalias() += DenseB(g).transpose() * part;
}

void BlockRows::AddTransposed(ConstRef<VecX> x, Ref<VecX> out) const {
  for (int g = 0; g < groups(); ++g) AddTransposedGroup(g, x, out);
}

void BlockRows::AddTransposedSizesGroup(int group, ConstRef<VecX> x, Ref<VecX> out) const {
  const Group& g = groups_[group];
  if (const Single* of = SingleOf(g)) {
    out[layout_.offset[g.block_a] + of->index] += std::abs(of->factor * x[g.first_row]);
    return;
  }
  for (const bool second : {false, true}) {
    const int block = second ? g.block_b : g.block_a;
    if (block < 0) continue;
    const ConstPiece piece = PieceOf(group, second);
    out.segment(layout_.offset[block], layout_.size[block]) +=
        piece.cwiseAbs().transpose() * x.segment(g.first_row, piece.rows()).cwiseAbs();
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

// All rows that touch a block go through its factor at once. Rows of joints have few entries, so that the products go
// by entries.
void AddDelassus(const BlockDiagonal& mass, const BlockRows& j, const BlockRows& k, Ref<MatX> w) {
  const auto touches_j = TouchesByBlock(j);
  const auto touches_k = TouchesByBlock(k);
  const auto rows_of = [](const BlockRows& rows, const std::vector<Touch>& touches) {
    int count = 0;
    for (const Touch& touch : touches) count += rows.rows(touch.group);
    return count;
  };
  MatX columns;
  RowMatX solved, product;
  for (int block = 0; block < mass.layout().count(); ++block) {
    if (touches_j[block].empty() || touches_k[block].empty()) continue;
    columns.resize(mass.layout().size[block], rows_of(k, touches_k[block]));
    int place = 0;
    for (const Touch& touch : touches_k[block]) {
      const BlockRows::ConstPiece piece = PieceOf(k, touch);
      columns.middleCols(place, piece.rows()) = piece.transpose();
      place += static_cast<int>(piece.rows());
    }
    mass.SolveBlockInPlace(block, columns);
    solved = columns;
    for (const Touch& touch : touches_j[block]) {
      const BlockRows::ConstPiece piece = PieceOf(j, touch);
      product.setZero(piece.rows(), solved.cols());
      for (Eigen::Index r = 0; r < piece.rows(); ++r) {
        for (Eigen::Index c = 0; c < piece.cols(); ++c) {
          if (piece(r, c) != 0) product.row(r) += piece(r, c) * solved.row(c);
        }
      }
      place = 0;
      for (const Touch& other : touches_k[block]) {
        const int count = k.rows(other.group);
        w.block(j.first_row(touch.group), k.first_row(other.group), piece.rows(), count) +=
            product.middleCols(place, count);
        place += count;
      }
    }
  }
}

namespace {

// Calls add(row, column, value) for every entry of J M⁻¹ Jᵀ, block by block of M.
template <typename Add>
void VisitDelassus(const BlockDiagonal& mass, const BlockRows& j, const Add& add) {
  const auto touches = TouchesByBlock(j);
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
        product.noalias() = pieces[a].lazyProduct(solved);
        const int first_row = j.first_row(here[a].group), first_column = j.first_row(here[b].group);
        for (int r = 0; r < product.rows(); ++r) {
          for (int c = 0; c < product.cols(); ++c) {
            if (a == b) {
              add(first_row + r, first_column + c, 0.5 * (product(r, c) + product(c, r)));
            } else if (product(r, c) != 0) {
              add(first_row + r, first_column + c, product(r, c));
              add(first_column + c, first_row + r, product(r, c));
            }
          }
        }
      }
    }
  }
}

// Up to so many rows a full matrix is made on the way: sorting triplets costs more than the entries that are zero.
constexpr int kQuickToFill = 100;

}  // namespace

SparseMat SparseDelassus(const BlockDiagonal& mass, const BlockRows& j, ConstRef<VecX> added) {
  const int n = j.rows();
  SparseMat w(n, n);
  if (n <= kQuickToFill) {
    RowMatX full = RowMatX::Zero(n, n);
    full.diagonal() = added;
    VisitDelassus(mass, j, [&](int row, int column, double value) { full(row, column) += value; });
    w.reserve(static_cast<Eigen::Index>(n) * n);
    for (int row = 0; row < n; ++row) {
      w.startVec(row);
      for (int column = 0; column < n; ++column) {
        if (column == row || full(row, column) != 0) w.insertBack(row, column) = full(row, column);
      }
    }
    w.finalize();
    return w;
  }
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(n);
  for (int row = 0; row < n; ++row) entries.emplace_back(row, row, added[row]);
  VisitDelassus(mass, j, [&](int row, int column, double value) { entries.emplace_back(row, column, value); });
  w.setFromTriplets(entries.begin(), entries.end());
  return w;
}

}  // namespace slipstick::internal
