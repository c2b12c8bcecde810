// The smallest program on the installed library: a quarter turn about z carries x to y.
#include <cmath>
#include <iostream>
#include <numbers>

#include "slipstick/base/rotation.h"

int main() {
  const slipstick::Quat turn = slipstick::ExpRotation(slipstick::Vec3(0, 0, 0.5 * std::numbers::pi));
  const slipstick::Vec3 turned = turn * slipstick::Vec3::UnitX();
  std::cout << turned.transpose() << '\n';
  return (turned - slipstick::Vec3::UnitY()).norm() < 1e-12 ? 0 : 1;
}
