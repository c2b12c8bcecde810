#pragma once

#include <limits>
#include <string>
#include <vector>

#include "slipstick/base/setting_table.h"
#include "slipstick/program/cone_program.h"

namespace slipstick::internal {

struct GaussSeidelNewtonSettings {
  double tolerance = 1e-12;        // on NaturalResidual, relative to the velocities that q and W r are made of
  int max_sweeps = 400;            // of block Gauss–Seidel
  int sweeps_between_newton = 10;  // Newton is tried after the second sweep and then each time after so many
  int max_newton_steps = 30;       // in one try
  int max_convex_steps = 20;       // convex problems on the way to exact Coulomb, where the direct way stalls
  int max_continuations = 2;       // of smoothed problems, where sweeps stall
  int max_restarts = 10;           // from other points, where the first run stalls
  int max_proximal_steps = 20;     // of the last resort
  double seconds = std::numeric_limits<double>::infinity();  // of wall time, looked at between sweeps and stages

  static const SettingTable<GaussSeidelNewtonSettings>& Table();
};

// Why blocks are not for this solver, in words: contacts of other than three rows, or more rows than a dense
// factorization is good for. "" where they are.
std::string GaussSeidelNewtonRefusal(const std::vector<ConeBlock>& blocks);

// Solves a cone program to machine precision where that can be had; made for small ones (up to some hundred rows), as
// it factorizes dense matrices. Deterministic. The stages:
//   1. free rows are eliminated (FreeRowElimination), blocks scaled to trace(W_ii) = rows;
//   2. sweeps of block Gauss–Seidel with exact one-block solutions find who is open, sticks and slips (BlockSweep);
//   3. every few sweeps semismooth Newton steps, then a polish with the sweeps' states held (ConeNewton); kept only
//   where the
//      natural residual falls;
//   4. where that stalls, in this order: the smoothed problem followed from rest and from the best point
//   (ConeContinuation); exact
//      Coulomb as a sequence of convex problems; restarts from other points; the proximal problems W + εI, q − ε r_k;
//   5. the answer is judged by NaturalResidual of the program as given.
// Forces of redundant contacts are not unique: one set of them is returned, with the velocities right.
// kSolved only if NaturalResidual ≤ tolerance · (velocity scale). kNoSolution: free rows contradict each other, or a
// block that no impulse can move has a forbidden velocity. kStalled, kIterationLimit: r is the best point seen. r is in
// K up to rounding, and finite, whatever the status. Zeros with kUnsupported or kTooLarge where
// GaussSeidelNewtonRefusal says why.
ConeAnswer SolveByGaussSeidelNewton(const ConeProgram& program, const GaussSeidelNewtonSettings& settings,
                                    const VecX* warm_start = nullptr);

}  // namespace slipstick::internal
