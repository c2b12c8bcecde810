#include "slipstick/base/time_function.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace slipstick::internal {
namespace {

using ::testing::HasSubstr;

TimeFunction Must(const std::string& text) {
  std::string problem;
  const auto function = TimeFunction::Parse(text, &problem);
  EXPECT_TRUE(function.has_value()) << text << ": " << problem;
  return function.value_or(TimeFunction(std::nan("")));
}

TEST(TimeFunctionTest, ConstantsFollowThePrecedenceOfArithmetic) {
  const std::pair<const char*, double> cases[] = {{"12", 12},
                                                  {"-2^2", -4},
                                                  {"2^-1", 0.5},
                                                  {"2^3^2", 512},
                                                  {"8/4/2", 1},
                                                  {"1-2-3", -4},
                                                  {"2+3*4", 14},
                                                  {"(2+3)*4", 20},
                                                  {"--3", 3},
                                                  {"+3", 3},
                                                  {"1e-3", 1e-3},
                                                  {".5", 0.5},
                                                  {"90*deg", std::numbers::pi / 2},
                                                  {"e", std::numbers::e},
                                                  {"min(3,1,2)", 1},
                                                  {"max(3, 1, 2)", 3},
                                                  {"abs(-4)", 4},
                                                  {"sign(-4)", -1},
                                                  {"sign(0)", 0},
                                                  {"step(0)", 1},
                                                  {"step(-1e-300)", 0},
                                                  {"ramp(-1)", 0},
                                                  {"ramp(2)", 2},
                                                  {"pulse(0,1)", 1},
                                                  {"pulse(1,1)", 0},
                                                  {"smooth(0.5)", 0.5},
                                                  {"smooth(2)", 1},
                                                  {"sqrt(16)", 4},
                                                  {"  1 +\t1 ", 2},
                                                  {"0.5*cos(20*deg)", 0.5 * std::cos(20 * (std::numbers::pi / 180))}};
  for (const auto& [text, value] : cases) {
    const TimeFunction function = Must(text);
    EXPECT_DOUBLE_EQ(function(0), value) << text;
    EXPECT_TRUE(function.is_constant()) << text;
  }
  EXPECT_EQ(Must("inf")(0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(Must("1/3")(0), 1.0 / 3);
}

TEST(TimeFunctionTest, ConstantIsWhatDoesNotMentionTime) {
  EXPECT_FALSE(Must("0*t").is_constant());
  EXPECT_FALSE(Must("12*step(t-1)").is_constant());
  EXPECT_TRUE(TimeFunction(3).is_constant());
}

TEST(TimeFunctionTest, TextOfAConstantReadsBackExactly) {
  for (const double value : {0.1, -1.0 / 3, 1e300, -std::numeric_limits<double>::infinity()})
    EXPECT_EQ(Must(TimeFunction(value).text())(0), value);
}

// Central differences with Richardson's extrapolation as the independent method.
TEST(TimeFunctionTest, DerivativesAgreeWithFiniteDifferences) {
  const char* texts[] = {"sin(2*pi*t)",
                         "cos(t^2)",
                         "tan(0.3*t)",
                         "asin(t/9)",
                         "acos(t/9)",
                         "atan(3*t)",
                         "exp(-t/2)*t",
                         "log(1+t)",
                         "sqrt(2+t)",
                         "t^3-2*t",
                         "t^0.5",
                         "2^t",
                         "(1+t)^sin(t)",
                         "1/(1+t^2)",
                         "t/(2+cos(t))",
                         "abs(t-9)*t",
                         "ramp(t)*t",
                         "smooth(t/7)",
                         "min(t,100)*t",
                         "max(t^2,-1)",
                         "0.1*sin(2*pi*t)",
                         "sin(cos(exp(-t)))",
                         "t*t*t*t",
                         "-t^2",
                         "pulse(t,100)*t^2",
                         "step(t)*sin(t)",
                         "sign(t)*t^2",
                         "e^(0.2*t)*cos(3*t)",
                         "(t+1)/(t+2)/t",
                         "smooth(smooth(t/8))"};
  std::mt19937 random(7);
  std::uniform_real_distribution<double> times(0.3, 5);
  for (const char* text : texts) {
    const TimeFunction f = Must(text);
    for (int i = 0; i < 20; ++i) {
      const double t = times(random), h = 1e-3;
      const auto slope = [&](double d) { return (f(t + d) - f(t - d)) / (2 * d); };
      const auto bend = [&](double d) { return (f(t + d) - 2 * f(t) + f(t - d)) / (d * d); };
      const TimeJet jet = f.At(t);
      const double rate = (4 * slope(h) - slope(2 * h)) / 3, acceleration = (4 * bend(h) - bend(2 * h)) / 3;
      EXPECT_NEAR(jet.rate, rate, 1e-7 * (1 + std::abs(rate))) << text << " at " << t;
      EXPECT_NEAR(jet.acceleration, acceleration, 2e-6 * (1 + std::abs(acceleration))) << text << " at " << t;
    }
  }
}

// d/dt of a product equals the product rule for random polynomials, to round-off: no step size enters.
TEST(TimeFunctionTest, PolynomialsHaveExactDerivatives) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> number(-2, 2);
  for (int trial = 0; trial < 50; ++trial) {
    double c[5];
    std::string text = "0";
    for (int i = 0; i < 5; ++i) {
      c[i] = number(random);
      text += "+(" + std::to_string(c[i]) + ")*t^" + std::to_string(i);
      c[i] = std::stod(std::to_string(c[i]));
    }
    const double t = trial == 0 ? 0 : number(random);
    const TimeJet jet = Must(text).At(t);
    EXPECT_NEAR(jet.value, c[0] + t * (c[1] + t * (c[2] + t * (c[3] + t * c[4]))), 1e-12);
    EXPECT_NEAR(jet.rate, c[1] + t * (2 * c[2] + t * (3 * c[3] + t * 4 * c[4])), 1e-12);
    EXPECT_NEAR(jet.acceleration, 2 * c[2] + t * (6 * c[3] + t * 12 * c[4]), 1e-12);
  }
}

TEST(TimeFunctionTest, SmoothJoinsItsEndsWithoutJump) {
  const TimeFunction f = Must("smooth(t)");
  for (const double end : {0.0, 1.0})
    for (const double d : {-1e-9, 1e-9}) {
      EXPECT_NEAR(f.At(end + d).value, end, 1e-14);
      EXPECT_NEAR(f.At(end + d).rate, 0, 1e-15);
      EXPECT_NEAR(f.At(end + d).acceleration, 0, 1e-7);
    }
}

TEST(TimeFunctionTest, ConstantPartsKeepInfiniteSlopesOut) {
  // the slope of the root is infinite at 0, but 0 does not move
  const TimeJet jet = Must("sqrt(0)*1 + t").At(0);
  EXPECT_TRUE(jet.IsFinite());
  EXPECT_TRUE(Must("sqrt(ramp(t-1))").At(0).IsFinite());
  EXPECT_TRUE(Must("t^2").At(0).IsFinite());
  EXPECT_TRUE(Must("t^1").At(0).IsFinite());
  EXPECT_TRUE(Must("t^0").At(0).IsFinite());
}

TEST(TimeFunctionTest, OutsideOfTheDomainIsNotFinite) {
  EXPECT_FALSE(Must("sqrt(t)").At(-1).IsFinite());
  EXPECT_FALSE(Must("1/t").At(0).IsFinite());
  EXPECT_FALSE(Must("log(t)").At(0).IsFinite());
  EXPECT_FALSE(Must("step(sqrt(t))").At(-1).IsFinite());
  EXPECT_FALSE(Must("max(1,sqrt(t))").At(-1).IsFinite());
  EXPECT_FALSE(Must("smooth(sqrt(t))").At(-1).IsFinite());
  EXPECT_FALSE(Must("ramp(sqrt(t))").At(-1).IsFinite());
}

TEST(TimeFunctionTest, SaysWhatIsWrongAndWhere) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "a number, a name or '(' at column 1"},
      {"   ", "a number, a name or '(' at column 4"},
      {"2*", "a number, a name or '(' at column 3"},
      {"(1+2", "an operator or ')' at column 5"},
      {"1+2)", "an operator or the end at column 4"},
      {"sin t", "'(' after sin at column 5"},
      {"sin()", "a number, a name or '(' at column 5"},
      {"sin(1,2)", "1 argument of sin at column 4"},
      {"pulse(t)", "2 arguments of pulse at column 6"},
      {"min(t)", "2 or more arguments of min at column 4"},
      {"2 t", "an operator or the end at column 3"},
      {"foo+1", "one of the names t, pi"},
      {"1+foo(2)", "at column 3"},
      {"1,2", "an operator or the end at column 2"},
      {"1e999", "a number that a double can hold at column 1"},
      {".", "a number at column 1"},
      {"2**3", "a number, a name or '(' at column 3"},
      {"µ", "a number, a name or '(' at column 1"},
      {"nan", "one of the names"},
  };
  for (const auto& [text, expected] : cases) {
    std::string problem;
    EXPECT_FALSE(TimeFunction::Parse(text, &problem).has_value()) << text;
    EXPECT_THAT(problem, HasSubstr(expected)) << text;
  }
}

TEST(TimeFunctionTest, DepthAndLengthAreLimited) {
  const auto fails = [](const std::string& text) {
    std::string problem;
    return !TimeFunction::Parse(text, &problem).has_value() && !problem.empty();
  };
  EXPECT_TRUE(fails(std::string(10000, '(') + "t" + std::string(10000, ')')));
  EXPECT_TRUE(fails(std::string(10000, '-') + "t"));
  std::string tower = "t", sum = "t", calls = "t";
  for (int i = 0; i < 3000; ++i) {
    tower += "^t";
    sum += "+t";
    if (i < 1500) calls = "sin(" + calls + ")";
  }
  EXPECT_TRUE(fails(tower));
  EXPECT_TRUE(fails(sum));
  EXPECT_TRUE(fails(calls));
  EXPECT_TRUE(fails(std::string(1 << 20, '1')));
  EXPECT_FALSE(fails(std::string(100, '(') + "t" + std::string(100, ')')));
  // constants fold, so a long sum of numbers is no deep tree
  std::string numbers = "1";
  for (int i = 0; i < 3000; ++i) numbers += "+1";
  EXPECT_EQ(Must(numbers)(0), 3001);
}

TEST(TimeFunctionTest, RandomTextsNeverCrash) {
  const std::string pieces[] = {"t", "1",    "2.5",  "+",      "-", "*", "/", "^",        "(", ")",
                                ",", "sin(", "max(", "pulse(", " ", "e", "x", "\xC2\xB5", "."};
  std::mt19937 random(3);
  int good = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    std::string text;
    const int count = 1 + static_cast<int>(random() % 8);
    for (int i = 0; i < count; ++i) text += pieces[random() % std::size(pieces)];
    std::string problem;
    const auto function = TimeFunction::Parse(text, &problem);
    EXPECT_NE(function.has_value(), !problem.empty()) << text;
    if (function) {
      ++good;
      function->At(0.7);
    }
  }
  EXPECT_GT(good, 500);
}

}  // namespace
}  // namespace slipstick::internal
