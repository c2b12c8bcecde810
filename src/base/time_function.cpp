#include "slipstick/base/time_function.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "slipstick/base/check.h"

namespace slipstick {

bool TimeJet::IsFinite() const { return std::isfinite(value) && std::isfinite(rate) && std::isfinite(acceleration); }

namespace {

enum class Operation {
  kConstant,
  kTime,
  kNegate,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kPower,
  kSin,
  kCos,
  kTan,
  kAsin,
  kAcos,
  kAtan,
  kExp,
  kLog,
  kSqrt,
  kAbs,
  kSign,
  kStep,
  kRamp,
  kSmooth,
  kPulse,
  kMin,
  kMax,
};

struct FunctionName {
  const char* name;
  Operation operation;
  int least_arguments;
  int most_arguments;
};

constexpr int kAnyNumber = 1000;
constexpr FunctionName kFunctions[] = {
    {"sin", Operation::kSin, 1, 1},          {"cos", Operation::kCos, 1, 1},         {"tan", Operation::kTan, 1, 1},
    {"asin", Operation::kAsin, 1, 1},        {"acos", Operation::kAcos, 1, 1},       {"atan", Operation::kAtan, 1, 1},
    {"exp", Operation::kExp, 1, 1},          {"log", Operation::kLog, 1, 1},         {"sqrt", Operation::kSqrt, 1, 1},
    {"abs", Operation::kAbs, 1, 1},          {"sign", Operation::kSign, 1, 1},       {"step", Operation::kStep, 1, 1},
    {"ramp", Operation::kRamp, 1, 1},        {"smooth", Operation::kSmooth, 1, 1},   {"pulse", Operation::kPulse, 2, 2},
    {"min", Operation::kMin, 2, kAnyNumber}, {"max", Operation::kMax, 2, kAnyNumber}};

// 0 · ∞ = 0: a factor that vanishes identically, as the rate of a constant, keeps an infinite slope out of the result.
double Times(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

// f(a) by the chain rule, from f, f′, f″ at a.value.
TimeJet Chain(const TimeJet& a, double f, double first, double second) {
  return {f, Times(first, a.rate), Times(second, a.rate * a.rate) + Times(first, a.acceleration)};
}

TimeJet Add(const TimeJet& a, const TimeJet& b) {
  return {a.value + b.value, a.rate + b.rate, a.acceleration + b.acceleration};
}

TimeJet Negate(const TimeJet& a) { return {-a.value, -a.rate, -a.acceleration}; }

TimeJet Multiply(const TimeJet& a, const TimeJet& b) {
  return {a.value * b.value, Times(a.rate, b.value) + Times(a.value, b.rate),
          Times(a.acceleration, b.value) + 2 * Times(a.rate, b.rate) + Times(a.value, b.acceleration)};
}

TimeJet Divide(const TimeJet& a, const TimeJet& b) {
  const double x = b.value;
  TimeJet quotient = Multiply(a, Chain(b, 1 / x, -1 / (x * x), 2 / (x * x * x)));
  quotient.value = a.value / x;  // one rounding, so that 1/3 written in a file is the nearest number to it
  return quotient;
}

TimeJet Power(const TimeJet& a, const TimeJet& b) {
  const double x = a.value, n = b.value;
  if (b.rate == 0 && b.acceleration == 0) {
    // aⁿ; a vanishing coefficient ends the series before pow(0, negative) can enter
    const double first = n == 0 ? 0 : n * std::pow(x, n - 1);
    const double second = n == 0 || n == 1 ? 0 : n * (n - 1) * std::pow(x, n - 2);
    return Chain(a, std::pow(x, n), first, second);
  }
  // aᵇ = exp(b log a)
  const TimeJet exponent = Multiply(b, Chain(a, std::log(x), 1 / x, -1 / (x * x)));
  const double value = std::pow(x, n);
  return Chain({exponent.value, exponent.rate, exponent.acceleration}, value, value, value);
}

TimeJet Smooth(const TimeJet& a) {
  const double x = a.value;
  if (x <= 0) return {0, 0, 0};
  if (x >= 1) return {1, 0, 0};
  return Chain(a, x * x * x * (10 + x * (6 * x - 15)), 30 * x * x * (1 - x) * (1 - x), 60 * x * (1 - x) * (1 - 2 * x));
}

}  // namespace

struct TimeFunction::Node {
  Operation operation = Operation::kConstant;
  double constant = 0;
  std::vector<std::shared_ptr<const Node>> arguments;
  bool mentions_time = false;
  int depth = 1;

  TimeJet At(double t) const;
};

TimeJet TimeFunction::Node::At(double t) const {
  if (operation == Operation::kConstant) return {constant, 0, 0};
  if (operation == Operation::kTime) return {t, 1, 0};
  const TimeJet a = arguments[0]->At(t);
  const double x = a.value;
  switch (operation) {
    case Operation::kConstant:
    case Operation::kTime:
      break;
    case Operation::kNegate:
      return Negate(a);
    case Operation::kAdd:
      return Add(a, arguments[1]->At(t));
    case Operation::kSubtract:
      return Add(a, Negate(arguments[1]->At(t)));
    case Operation::kMultiply:
      return Multiply(a, arguments[1]->At(t));
    case Operation::kDivide:
      return Divide(a, arguments[1]->At(t));
    case Operation::kPower:
      return Power(a, arguments[1]->At(t));
    case Operation::kSin:
      return Chain(a, std::sin(x), std::cos(x), -std::sin(x));
    case Operation::kCos:
      return Chain(a, std::cos(x), -std::sin(x), -std::cos(x));
    case Operation::kTan: {
      const double tangent = std::tan(x), slope = 1 + tangent * tangent;
      return Chain(a, tangent, slope, 2 * tangent * slope);
    }
    case Operation::kAsin: {
      const double slope = 1 / std::sqrt(1 - x * x);
      return Chain(a, std::asin(x), slope, x * slope * slope * slope);
    }
    case Operation::kAcos: {
      const double slope = 1 / std::sqrt(1 - x * x);
      return Chain(a, std::acos(x), -slope, -x * slope * slope * slope);
    }
    case Operation::kAtan: {
      const double slope = 1 / (1 + x * x);
      return Chain(a, std::atan(x), slope, -2 * x * slope * slope);
    }
    case Operation::kExp:
      return Chain(a, std::exp(x), std::exp(x), std::exp(x));
    case Operation::kLog:
      return Chain(a, std::log(x), 1 / x, -1 / (x * x));
    case Operation::kSqrt: {
      const double root = std::sqrt(x);
      return Chain(a, root, 0.5 / root, -0.25 / (root * x));
    }
    case Operation::kAbs:
      return x < 0 ? Negate(a) : a;
    case Operation::kSign:
      return {std::isnan(x) ? x : static_cast<double>((x > 0) - (x < 0)), 0, 0};
    case Operation::kStep:
      return {std::isnan(x) ? x : (x < 0 ? 0.0 : 1.0), 0, 0};
    case Operation::kRamp:
      return x < 0 ? TimeJet{0, 0, 0} : a;
    case Operation::kSmooth:
      return Smooth(a);
    case Operation::kPulse: {
      const double width = arguments[1]->At(t).value;
      return {std::isnan(x + width) ? x + width : (x >= 0 && x < width ? 1.0 : 0.0), 0, 0};
    }
    case Operation::kMin:
    case Operation::kMax: {
      TimeJet best = a;
      for (size_t i = 1; i < arguments.size(); ++i) {
        const TimeJet other = arguments[i]->At(t);
        const bool better = operation == Operation::kMin ? other.value < best.value : other.value > best.value;
        if (better || std::isnan(other.value)) best = other;
      }
      return best;
    }
  }
  SLIPSTICK_CHECK(false, "operation of a time function");
  return {};
}

namespace {

using NodePointer = std::shared_ptr<const TimeFunction::Node>;

// Deeper trees would let a hostile text overflow the stack, here, in At and when the tree is freed.
constexpr int kDeepest = 400;
constexpr size_t kLongestText = 20000;

NodePointer MakeNode(Operation operation, std::vector<NodePointer> arguments) {
  auto node = std::make_shared<TimeFunction::Node>();
  node->operation = operation;
  node->mentions_time = operation == Operation::kTime;
  for (const NodePointer& argument : arguments) {
    node->mentions_time = node->mentions_time || argument->mentions_time;
    node->depth = std::max(node->depth, argument->depth + 1);
  }
  node->arguments = std::move(arguments);
  return node;
}

NodePointer MakeConstant(double value) {
  auto node = std::make_shared<TimeFunction::Node>();
  node->constant = value;
  return node;
}

// Recursive descent; the first problem stops it and every function then returns null.
//   sum     = product {(+|-) product}          product = signed {(*|/) signed}
//   signed  = (+|-) signed | power             power   = atom [^ signed]
//   atom    = number | name | name ( sum {, sum} ) | ( sum )
class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) {}

  NodePointer Parse() {
    if (text_.size() > kLongestText) return Fail(fmt::format("at most {} characters", kLongestText));
    NodePointer root = Sum();
    SkipBlanks();
    if (root && position_ < text_.size()) return Fail("an operator or the end");
    return root;
  }
  const std::string& problem() const { return problem_; }

 private:
  NodePointer Fail(const std::string& expected) {
    if (problem_.empty()) problem_ = fmt::format("{} at column {}", expected, position_ + 1);
    return nullptr;
  }

  void SkipBlanks() {
    while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\t')) ++position_;
  }

  char Peek() {
    SkipBlanks();
    return position_ < text_.size() ? text_[position_] : '\0';
  }

  NodePointer Join(Operation operation, std::vector<NodePointer> arguments) {
    for (const NodePointer& argument : arguments)
      if (!argument) return nullptr;
    NodePointer node = MakeNode(operation, std::move(arguments));
    // constants are folded at once, so only what depends on t costs depth and time
    if (!node->mentions_time) return MakeConstant(node->At(0).value);
    return node->depth > kDeepest ? Fail("a formula nested less deeply") : node;
  }

  NodePointer Sum() {
    NodePointer left = Product();
    while (left && (Peek() == '+' || Peek() == '-')) {
      const Operation operation = text_[position_++] == '+' ? Operation::kAdd : Operation::kSubtract;
      left = Join(operation, {left, Product()});
    }
    return left;
  }

  NodePointer Product() {
    NodePointer left = Signed();
    while (left && (Peek() == '*' || Peek() == '/')) {
      const Operation operation = text_[position_++] == '*' ? Operation::kMultiply : Operation::kDivide;
      left = Join(operation, {left, Signed()});
    }
    return left;
  }

  NodePointer Signed() {
    if (++nesting_ > kDeepest) return Fail("a formula nested less deeply");
    NodePointer node;
    if (Peek() == '-') {
      ++position_;
      node = Join(Operation::kNegate, {Signed()});
    } else if (Peek() == '+') {
      ++position_;
      node = Signed();
    } else {
      node = Atom();
      if (node && Peek() == '^') {
        ++position_;
        node = Join(Operation::kPower, {node, Signed()});
      }
    }
    --nesting_;
    return node;
  }

  NodePointer Atom() {
    const char next = Peek();
    if ((next >= '0' && next <= '9') || next == '.') return Number();
    if (std::isalpha(static_cast<unsigned char>(next)) || next == '_') return Name();
    if (next != '(') return Fail("a number, a name or '('");
    ++position_;
    NodePointer inside = Sum();
    return inside && !Close() ? nullptr : inside;
  }

  bool Close() {
    if (Peek() != ')') {
      Fail("an operator or ')'");
      return false;
    }
    ++position_;
    return true;
  }

  NodePointer Number() {
    double value = 0;
    const char* begin = text_.data() + position_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range) return Fail("a number that a double can hold");
    if (error != std::errc()) return Fail("a number");
    position_ += end - begin;
    return MakeConstant(value);
  }

  NodePointer Name() {
    const size_t begin = position_;
    size_t end = begin;
    while (end < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[end])) || text_[end] == '_')) ++end;
    const std::string name = text_.substr(begin, end - begin);
    if (name == "t") return position_ = end, MakeNode(Operation::kTime, {});
    if (name == "pi") return position_ = end, MakeConstant(std::numbers::pi);
    if (name == "e") return position_ = end, MakeConstant(std::numbers::e);
    if (name == "deg") return position_ = end, MakeConstant(std::numbers::pi / 180);
    if (name == "inf") return position_ = end, MakeConstant(std::numeric_limits<double>::infinity());
    for (const FunctionName& function : kFunctions) {
      if (name != function.name) continue;
      position_ = end;
      return Call(function);
    }
    std::string known = "t, pi, e, deg, inf";
    for (const FunctionName& function : kFunctions) known += std::string(", ") + function.name;
    return Fail(fmt::format("one of the names {}", known));
  }

  NodePointer Call(const FunctionName& function) {
    if (Peek() != '(') return Fail(fmt::format("'(' after {}", function.name));
    const size_t open = position_++;
    std::vector<NodePointer> arguments;
    do {
      arguments.push_back(Sum());
      if (!arguments.back()) return nullptr;
    } while (Peek() == ',' && ++position_);
    if (!Close()) return nullptr;
    const int count = static_cast<int>(arguments.size());
    if (count < function.least_arguments || count > function.most_arguments) {
      position_ = open;
      return Fail(fmt::format("{}{} argument{} of {}", function.least_arguments,
                              function.most_arguments == kAnyNumber ? " or more" : "",
                              function.most_arguments == 1 ? "" : "s", function.name));
    }
    return Join(function.operation, std::move(arguments));
  }

  const std::string& text_;
  size_t position_ = 0;
  int nesting_ = 0;
  std::string problem_;
};

}  // namespace

TimeFunction::TimeFunction(double constant) : root_(MakeConstant(constant)), text_(fmt::format("{}", constant)) {}

TimeFunction::TimeFunction(std::shared_ptr<const Node> root, std::string text)
    : root_(std::move(root)), text_(std::move(text)) {}

std::optional<TimeFunction> TimeFunction::Parse(const std::string& text, std::string* problem) {
  Parser parser(text);
  NodePointer root = parser.Parse();
  if (!root) {
    *problem = parser.problem();
    return std::nullopt;
  }
  return TimeFunction(std::move(root), text);
}

TimeJet TimeFunction::At(double t) const { return root_->At(t); }

bool TimeFunction::is_constant() const { return !root_->mentions_time; }

}  // namespace slipstick
