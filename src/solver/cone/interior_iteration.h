#pragma once

#include <vector>

#include "slipstick/math/friction_cone.h"
#include "slipstick/math/second_order_cone.h"
#include "slipstick/program/cone_program.h"

namespace slipstick::internal {

// The iteration of SolveByInteriorPoint (interior_point.h), whatever W is held as: who derives from it solves the
// linear systems. Blocks must stand in the order of their rows, be scaled so that their own matrices have the mean
// diagonal 1, and outlive the object, as must q.
class InteriorIteration {
 public:
  virtual ~InteriorIteration() = default;

  // One step. False where the linear system has no finite solution.
  bool Step();

  const VecX& x() const { return x_; }
  double length() const { return length_; }
  // Where contacts are on the verge between two states, only smaller y ∘ z bring the answer nearer.
  void AimLower() { least_gap_ *= 0.03; }

 protected:
  InteriorIteration(const std::vector<ConeBlock>& blocks, bool non_associated, const VecX& q, const VecX& start,
                    double tolerance);

  virtual void Multiply(const VecX& x, VecX* out) const = 0;  // out = W x
  // For the present scalings and slips.
  virtual bool Factorize() = 0;
  // dx, dy, dz with
  //   W dx + ds − Gᵀ dz = −dual,  G dx − dy = −primal,  V⁻¹ dy + V dz = target,  ds = Σ slope · slipᵀ dz.
  virtual void Solve() = 0;

  // y = G x + h ∈ the second-order cone: y_0 = slope · x_axis + offset, y_i = x_{first + i − 1}.
  struct Constraint {
    int dimension = 1;
    int axis = -1;  // −1: y_0 is the offset alone
    double slope = 0, offset = 0;
    int first = 0;
    int block = 0;
    bool slips = false;  // a part of a contact's cone under the non-associated law

    Vec3 Linear(const VecX& x) const {
      Vec3 y = Vec3::Zero();
      if (axis >= 0) y[0] = slope * x[axis];
      for (int i = 1; i < dimension; ++i) y[i] = x[first + i - 1];
      return y;
    }
    Vec3 Image(const VecX& x) const { return Linear(x) + Vec3(offset, 0, 0); }
    // *out += Gᵀ z
    void AddTransposed(const Vec3& z, VecX* out) const {
      if (axis >= 0) (*out)[axis] += slope * z[0];
      for (int i = 1; i < dimension; ++i) (*out)[first + i - 1] += z[i];
    }
    // *block += Gᵀ D G, the block's rows counted from block_offset
    void AddSandwich(const Mat3& D, int block_offset, ContactMatrix* out) const {
      const int rows[3] = {axis - block_offset, first - block_offset, first - block_offset + 1};
      const double factors[3] = {slope, 1, 1};
      for (int i = axis >= 0 ? 0 : 1; i < dimension; ++i) {
        for (int j = axis >= 0 ? 0 : 1; j < dimension; ++j)
          (*out)(rows[i], rows[j]) += factors[i] * D(i, j) * factors[j];
      }
    }
  };
  const std::vector<ConeBlock>& blocks_;
  std::vector<Constraint> constraints_;  // in the order of the blocks
  std::vector<int> first_constraint_;    // of each block, and one past the last
  VecX x_, dx_, dual_;
  std::vector<Vec3> y_, z_, slip_, primal_, dy_, dz_;
  std::vector<Vec3> target_;
  std::vector<NesterovToddScaling> scalings_;

 private:
  static std::vector<Constraint> ConstraintsOf(const std::vector<ConeBlock>& blocks, bool non_associated);
  void Linearize();
  bool SolveFor();
  double LongestStep() const;

  const VecX& q_;
  std::vector<Vec3> right_;  // of λ ∘ (V⁻¹ dy + V dz)
  double length_ = 1;
  double least_gap_ = 0;   // y ∘ z aims at, once there
  double slip_share_ = 1;  // of the derivative of s
};

}  // namespace slipstick::internal
