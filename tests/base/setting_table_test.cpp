#include "slipstick/base/setting_table.h"

#include <gtest/gtest.h>

namespace slipstick::internal {
namespace {

enum class Colour { kRed, kGreen };

struct PartSettings {
  double share = 0.25;

  static const SettingTable<PartSettings>& Table() {
    using S = PartSettings;
    static const SettingTable<S> table = {{&S::share, "share", "", "of the whole", Between(0, 1)}};
    return table;
  }
};

struct SampleSettings {
  int count = 3;
  double length = 2.5;
  bool quiet = true;
  std::string title = "none";
  Colour colour = Colour::kGreen;
  PartSettings part{.share = 0.75};
  double untold = 7;

  static const SettingTable<SampleSettings>& Table() {
    using S = SampleSettings;
    static const SettingTable<S> table = {
        {&S::count, "count", "", "how many", AtLeast(1)},
        {&S::length, "length", "m", "how long", AboveUpTo(0, 9)},
        {&S::part, PartSettings::Table()},
        {&S::quiet, "quiet", "", "whether nothing is said"},
        {&S::title, "title", "", "what is written above"},
        {&S::colour, "colour", "", "of all", {{"red", Colour::kRed}, {"green", Colour::kGreen}}},
    };
    return table;
  }
};

SampleSettings Read(const GivenSettings& given, std::vector<Fault>* faults) {
  return SampleSettings::Table().From(Settings::Read(SampleSettings::Table().Specs(), given, "sample", faults));
}

TEST(SettingTable, TellsEverySettingWithTheDefaultOfItsMember) {
  const std::vector<SettingSpec> specs = SampleSettings::Table().Specs();
  ASSERT_EQ(specs.size(), 6u);
  EXPECT_EQ(specs[0].name, "count");
  EXPECT_TRUE(specs[0].integer);
  EXPECT_EQ(specs[0].default_value, SettingSpec::Value(3.0));
  EXPECT_EQ(specs[0].least, 1);
  EXPECT_EQ(specs[1].unit, "m");
  EXPECT_EQ(specs[1].meaning, "how long");
  EXPECT_FALSE(specs[1].integer);
  EXPECT_TRUE(specs[1].least_excluded);
  EXPECT_EQ(specs[1].most, 9);
  EXPECT_EQ(specs[2].name, "share");
  EXPECT_EQ(specs[2].default_value, SettingSpec::Value(0.75)) << "as the owner has its part, not as the part is alone";
  EXPECT_EQ(specs[3].default_value, SettingSpec::Value(true));
  EXPECT_EQ(specs[4].default_value, SettingSpec::Value(std::string("none")));
  EXPECT_EQ(specs[5].default_value, SettingSpec::Value(std::string("green")));
  EXPECT_EQ(specs[5].choices, (std::vector<std::string>{"red", "green"}));
}

TEST(SettingTable, GivesMembersWhatIsReadAndKeepsDefaults) {
  std::vector<Fault> faults;
  const SampleSettings standard = Read({}, &faults);
  EXPECT_EQ(standard.count, 3);
  EXPECT_EQ(standard.length, 2.5);
  EXPECT_EQ(standard.part.share, 0.75);
  EXPECT_TRUE(standard.quiet);
  EXPECT_EQ(standard.title, "none");
  EXPECT_EQ(standard.colour, Colour::kGreen);
  const SampleSettings read = Read({{"count", 4.0},
                                    {"length", 0.5},
                                    {"share", 0.125},
                                    {"quiet", false},
                                    {"title", std::string("all")},
                                    {"colour", std::string("red")}},
                                   &faults);
  EXPECT_EQ(read.count, 4);
  EXPECT_EQ(read.length, 0.5);
  EXPECT_EQ(read.part.share, 0.125);
  EXPECT_FALSE(read.quiet);
  EXPECT_EQ(read.title, "all");
  EXPECT_EQ(read.colour, Colour::kRed);
  EXPECT_EQ(read.untold, 7);
  EXPECT_TRUE(faults.empty());
}

TEST(SettingTable, WhatIsNotAllowedIsAFault) {
  std::vector<Fault> faults;
  const SampleSettings read = Read(
      {{"count", 1.5}, {"length", 0.0}, {"share", 2.0}, {"colour", std::string("blue")}, {"untold", 1.0}}, &faults);
  ASSERT_EQ(faults.size(), 5u);
  EXPECT_EQ(faults[0].key, "sample.count");
  EXPECT_EQ(faults[0].expected, "a whole number of at least 1");
  EXPECT_EQ(faults[1].expected, "a number above 0 and at most 9 in m");
  EXPECT_EQ(faults[2].expected, "a number of at least 0 and at most 1");
  EXPECT_EQ(faults[3].expected, "one of red, green");
  EXPECT_EQ(faults[4].key, "sample.untold");
  EXPECT_EQ(read.count, 3);
}

}  // namespace
}  // namespace slipstick::internal
