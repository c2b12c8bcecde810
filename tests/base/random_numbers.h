#pragma once

#include <random>

#include "slipstick/base/eigen.h"

namespace slipstick::internal::testing {

// Numbers for tests, the same on every machine: the standard leaves open what its distributions return.
class RandomNumbers {
 public:
  explicit RandomNumbers(unsigned seed) : engine_(seed) {}
  double Between(double a, double b) { return a + (b - a) * ((engine_() >> 5) / 134217728.0); }
  Vec3 Vector(double size) { return {Between(-size, size), Between(-size, size), Between(-size, size)}; }
  VecX Vector(int n, double size) {
    VecX v(n);
    for (double& x : v) x = Between(-size, size);
    return v;
  }
  Vec3 Direction() {
    for (;;) {
      const Vec3 v = Vector(1);
      if (v.norm() > 0.1 && v.norm() < 1) return v.normalized();
    }
  }
  bool Chance(double probability) { return Between(0, 1) < probability; }
  int Below(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }

 private:
  std::mt19937 engine_;
};

}  // namespace slipstick::internal::testing
