#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "slipstick/base/eigen.h"

namespace slipstick::internal {

// Random numbers that depend on the seed alone, on every machine: the distributions of <random> are free to differ from
// one library to the next. The generator is SplitMix64 (Steele, Lea & Flood, OOPSLA 2014).
class RandomSource {
 public:
  explicit RandomSource(std::uint64_t seed) : state_(seed) {}

  std::uint64_t Bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
  }

  // 0 ≤ u < 1, all 53 bits
  double Uniform() { return static_cast<double>(Bits() >> 11) * 0x1p-53; }
  double Uniform(double least, double most) { return least + (most - least) * Uniform(); }

  // uniform over all rotations (Shoemake, Graphics Gems III, 1992)
  Quat Rotation() {
    const double u = Uniform(), a = 2.0 * std::numbers::pi * Uniform(), b = 2.0 * std::numbers::pi * Uniform();
    const double p = std::sqrt(1.0 - u), q = std::sqrt(u);
    return Quat(q * std::cos(b), p * std::sin(a), p * std::cos(a), q * std::sin(b)).normalized();
  }

 private:
  std::uint64_t state_;
};

}  // namespace slipstick::internal
