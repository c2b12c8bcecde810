#pragma once

#include "slipstick/program/cone_program.h"

namespace slipstick::internal {

// A cone program as equations Φ(x, u) = 0, block by block, for Newton's method. x and u are those of a scaled program
// (ρ = 1).
enum class ConeFormulation {
  // normal: x_N − (x_N − u_N)₊; each part k: x_k − its projection on the disk of radius c_k (x_N − u_N)₊ about zero
  // (Alart & Curnier 1991 in the form of Christensen et al. 1998). The convex relaxation takes x − P_K(x − u).
  kAlartCurnier,
  // (X² + V²)^½ − X − V in the Jordan algebra of the second-order cone, X and V = u + s stretched to the self-dual
  // cone (Fukushima, Luo & Tseng 2001). Of cones with sliding rows alone; the others take the form above.
  kFischerBurmeister,
};

struct BlockEquation {
  ContactVector phi;
  ContactMatrix by_x, by_u;  // an element of ∂Φ/∂x, ∂Φ/∂u
  bool open = false;         // Φ = x whatever u is: the block drops out of the linear system
};

void EvaluateBlock(const ConeBlock& block, bool non_associated, ConeFormulation formulation, const double* x,
                   const double* u, BlockEquation* out);

}  // namespace slipstick::internal
