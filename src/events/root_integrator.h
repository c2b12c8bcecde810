#pragma once

#include <functional>
#include <memory>

#include "slipstick/base/eigen.h"

namespace slipstick::internal {

// ẏ = f(t, y) with an error control of its own and roots g(t, y) = 0 on the way: Adams methods of order 1 to 12 of
// SUNDIALS' CVODE (Hindmarsh et al. 2005), which is all that knows of that library. Roots count where g falls.
class RootIntegrator {
 public:
  struct Functions {
    // False where f cannot be evaluated there: a shorter step is tried.
    std::function<bool(double t, const VecX& y, VecX* rate)> rate;
    std::function<bool(double t, const VecX& y, VecX* roots)> roots;
  };
  struct Tolerances {
    double relative = 0, absolute = 0, longest_step = 0;
    int most_steps = 20000;  // on the way to one `end`
  };
  enum class Outcome { kEnd, kRoot, kFailed };

  explicit RootIntegrator(Functions functions);
  ~RootIntegrator();
  RootIntegrator(const RootIntegrator&) = delete;
  RootIntegrator& operator=(const RootIntegrator&) = delete;

  // Begins anew from y, with so many root functions.
  void Start(double t, const VecX& y, int roots, const Tolerances& tolerances);
  // Goes on until `end`, a root, or where it cannot; *t and *y are where it has come to.
  Outcome Advance(double end, double* t, VecX* y);
  // After kRoot: which functions have fallen to zero.
  std::vector<int> FoundRoots() const;

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace slipstick::internal
