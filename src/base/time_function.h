#pragma once

#include <memory>
#include <optional>
#include <string>

namespace slipstick {

// A value with its first and second derivative by time.
struct TimeJet {
  double value = 0;
  double rate = 0;
  double acceleration = 0;

  bool IsFinite() const;
};

// A function of time t given as text, such as "0.1*sin(2*pi*t)" or "12". Immutable and cheap to copy.
//
//   numbers        2  0.5  1e-3              names   t, pi, e, deg (π/180), inf
//   operators      + - * / ^ and ( )         ^ binds to the right and before a sign: -2^2 = -4, 2^-1 = 0.5
//   one argument   sin cos tan asin acos atan exp log sqrt abs
//                  sign(a)      −1, 0, 1
//                  step(a)      0 for a < 0, 1 from a = 0 on
//                  ramp(a)      0 for a < 0, a from a = 0 on
//                  smooth(a)    0 for a < 0, 1 for a > 1, a³(10 − 15a + 6a²) between: rate and acceleration have no
//                  jump
//   two arguments  pulse(a, w)  1 for 0 ≤ a < w, else 0
//   two or more    min max
//
// Derivatives are exact (second-order jets), so a prescribed position yields its exact velocity. At a jump or kink they
// are those of the branch chosen at that argument; the jump itself has no derivative. Outside of a function's domain,
// as in sqrt(-1) or 1/0, the jet is not finite: whoever evaluates asks IsFinite().
class TimeFunction {
 public:
  // The constant.
  explicit TimeFunction(double constant = 0);
  // Parses `text`; where that fails returns nothing and says in *problem what was expected and where.
  static std::optional<TimeFunction> Parse(const std::string& text, std::string* problem);

  TimeJet At(double t) const;
  double operator()(double t) const { return At(t).value; }
  bool is_constant() const;  // does not mention t
  const std::string& text() const { return text_; }
  // Of constants the value, of formulas the text: 1+1 and 2 are equal, t+t and 2*t are not.
  bool operator==(const TimeFunction& other) const {
    if (is_constant() && other.is_constant()) return At(0).value == other.At(0).value;
    return text() == other.text();
  }

  struct Node;

 private:
  TimeFunction(std::shared_ptr<const Node> root, std::string text);

  std::shared_ptr<const Node> root_;
  std::string text_;
};

}  // namespace slipstick
