#pragma once

#include <array>

#include "slipstick/base/eigen.h"

// Problems of a single block, u = W r + q with W symmetric positive semidefinite, solved to machine precision: the
// building stones of block Gauss–Seidel. Sliding is a condition on the direction d = (cos θ, sin θ) alone, namely that
// a trigonometric polynomial F(θ) vanishes; all its roots are found (math/trigonometric_polynomial.h), so no solution
// is overlooked.

namespace slipstick::internal {

enum class ContactState {
  kTakeOff,  // r = 0
  kStick,    // u = 0
  kSlip,     // on the cone's (or the disk's) border, r_T opposite to the sliding direction
  kNone,     // no solution found: the normal reaction cannot keep the bodies apart (Painlevé), or W is too singular
};

struct OneContactAnswer {
  Vec3 r = Vec3::Zero();
  Vec3 u = Vec3::Zero();
  ContactState state = ContactState::kNone;
};

// Which law holds at the contact, as `non_associated` in ConeProgram.
enum class FrictionRule { kCoulomb, kAssociated };

// One contact with the cone |r_T| ≤ μ r_N.
class OneContact {
 public:
  OneContact(const Mat3& W, double mu, FrictionRule rule);

  // Coulomb: of several solutions the first of take-off, stick, slip (the slip of least normal impulse). For W positive
  // definite there is always one; otherwise, if none is found, r is the nearest thing to it: a point of the cone.
  // Associated: the minimum of ½ rᵀWr + qᵀr over the cone.
  OneContactAnswer Solve(const Vec3& q) const;

  // Every solution of exact Coulomb, at most one take-off, one stick and four slips. More than one tells of a
  // Painlevé-type configuration: W_NN − μ W_NT·d < 0 for some direction d, or strong coupling of normal and tangents.
  struct Solutions {
    std::array<OneContactAnswer, 6> values;
    int count = 0;
  };
  Solutions AllSolutions(const Vec3& q) const;

  const Mat3& W() const { return W_; }
  // |r − P(r − ρ(u + s))|/ρ of this one contact, as NaturalResidual.
  double Residual(const Vec3& r, const Vec3& q) const;

 private:
  OneContactAnswer Answer(const Vec3& r, const Vec3& q, ContactState state) const;
  OneContactAnswer WithoutFriction(const Vec3& q) const;
  bool SolveStick(const Vec3& q, Vec3* r) const;
  bool StickOnLine(const Vec3& start, Vec3* r) const;
  template <typename Visitor>
  void VisitCoulombSlips(const Vec3& q, Visitor visit) const;
  template <typename Visitor>
  void VisitAssociatedSlips(const Vec3& q, Visitor visit) const;
  Vec3 StickImpulse(const Vec3& q) const;
  bool InCone(const Vec3& r) const;
  double Magnitude(const Vec3& r, const Vec3& q) const;

  Mat3 W_;
  double mu_;
  FrictionRule rule_;
  double scale_;         // 1/ρ = trace(W)/3
  Mat3 vectors_;         // eigenvectors of W
  Vec3 values_;          // eigenvalues in increasing order
  Vec3 inverse_values_;  // their inverses, 0 for those that are rounding
  int rank_;             // of W within rounding
};

struct OneDiskAnswer {
  Vec2 r = Vec2::Zero();
  ContactState state = ContactState::kNone;  // kStick: inside; kSlip: |r| = radius
};

// The minimum of ½ rᵀWr + qᵀr over the disk |r| ≤ radius: u = 0 inside, u = |u| d with r = −radius d on the border.
OneDiskAnswer SolveOneDisk(const Mat2& W, const Vec2& q, double radius);

}  // namespace slipstick::internal
