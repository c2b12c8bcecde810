#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "slipstick/scene_file/scene_library.h"
#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/simulation/simulation_parts.h"

// The bits of scenes after some steps, as they are known to be. A change that means to leave results alone leaves
// these; one that does not raises the number in the first line of golden_hashes.txt and says in CHANGELOG.md why bits
// changed. SLIPSTICK_WRITE_GOLDEN=1 test_determinism --gtest_filter=Golden* writes the present ones.

namespace slipstick::internal {
namespace {

const std::string kFile = SLIPSTICK_SOURCE_DIR "/tests/determinism/golden_hashes.txt";

struct Golden {
  std::string scene, law;  // law: "-" that of the scene
  int steps = 0;
  std::string hash;
};

struct GoldenFile {
  std::string bits, math;
  std::vector<Golden> entries;
};

GoldenFile ReadGolden() {
  GoldenFile golden;
  std::ifstream stream(kFile);
  std::string line, word;
  while (std::getline(stream, line)) {
    std::istringstream words(line);
    if (line.starts_with("bits ")) {
      words >> word >> golden.bits;
    } else if (line.starts_with("math ")) {
      words >> word >> golden.math;
    } else if (!line.empty() && line[0] != '#') {
      Golden& entry = golden.entries.emplace_back();
      words >> entry.scene >> entry.law >> entry.steps >> entry.hash;
    }
  }
  return golden;
}

std::string InHex(std::uint64_t value) {
  char buffer[17];
  std::snprintf(buffer, sizeof buffer, "%016llx", static_cast<unsigned long long>(value));
  return buffer;
}

// How the functions of the C library are rounded here. They may differ in the last bit from one library, or one
// processor that it chooses its code for, to another; then so does everything.
std::string MathFingerprint() {
  State state;
  state.q.resize(7 * 4000);
  for (int k = 0; k < 4000; ++k) {
    const double x = 1e-3 * k + 1e-7 * k * k;
    const double values[] = {std::sin(x),        std::cos(x),          std::exp(-x),   std::cbrt(x),
                             std::atan2(x, 1.5), std::pow(x + 1, 1.5), std::log(x + 1)};
    for (int i = 0; i < 7; ++i) state.q[7 * k + i] = values[i];
  }
  return InHex(state.MotionHash());
}

std::string HashOf(const Golden& entry) {
  std::vector<Override> overrides;
  if (entry.law != "-") overrides.push_back({"law", entry.law});
  Simulation simulation(ReadScene(FindScene(entry.scene), overrides));
  for (int k = 0; k < entry.steps; ++k) simulation.Step();
  return InHex(simulation.StateHash());
}

TEST(GoldenHashes, OfTwentyScenes) {
  GoldenFile golden = ReadGolden();
  ASSERT_GE(golden.entries.size(), 20u);
  const std::string math = MathFingerprint();
  if (std::getenv("SLIPSTICK_WRITE_GOLDEN") != nullptr) {
    std::ofstream stream(kFile);
    stream << "bits " << golden.bits << "\nmath " << math << "\n# scene law steps hash\n";
    for (const Golden& entry : golden.entries) {
      stream << entry.scene << " " << entry.law << " " << entry.steps << " " << HashOf(entry) << "\n";
    }
    return;
  }
  if (math != golden.math) GTEST_SKIP() << "functions such as sin and exp are rounded otherwise here: " << math;
  for (const Golden& entry : golden.entries) {
    EXPECT_EQ(HashOf(entry), entry.hash) << entry.scene << " " << entry.law << ", " << entry.steps << " steps";
  }
}

TEST(GoldenHashes, AChangeOfBitsIsInTheChangelog) {
  std::ifstream stream(SLIPSTICK_SOURCE_DIR "/CHANGELOG.md");
  const std::string changes{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_NE(changes.find("bits " + ReadGolden().bits), std::string::npos)
      << "CHANGELOG.md does not say what changed with bits " << ReadGolden().bits;
}

}  // namespace
}  // namespace slipstick::internal
