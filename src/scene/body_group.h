#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "slipstick/scene/scene.h"

// Many bodies from one template, docs/scene-format.md §5. What is made depends on the plan alone, and the first bodies
// of a group do not change when more are asked for.

namespace slipstick {

namespace internal {
class RandomSource;
}

// Of all groups together.
constexpr int kMostBodies = 1000000;

// By which factor the sizes of the template's shapes are multiplied. A normal distribution is cut at both ends.
struct ScalePlan {
  double least = 1, most = 1;
  std::optional<double> mean;  // of the normal distribution; else uniform from least to most
  double deviation = 0;

  bool varies() const { return mean || least != 1 || most != 1; }
  double Draw(internal::RandomSource* random) const;
};

// Places on a grid, x running first, then y, then z.
struct LatticePlan {
  std::array<int, 3> counts = {1, 1, 1};
  Vec3 spacing = Vec3::Zero();
  Vec3 origin = Vec3::Zero();  // of the first body
  double jitter = 0;           // each coordinate is shifted by a random length of at most this
  std::optional<int> count;    // how many of the places are taken; all where not given

  int BodyCount() const {
    return count.value_or(static_cast<int>(std::min(1e9, 1.0 * counts[0] * counts[1] * counts[2])));
  }
};

// A box, or an upright cylinder where there is a radius.
struct PourRegion {
  Vec3 center = Vec3::Zero();
  Vec3 size = Vec3::Zero();  // full lengths, may be 0; of a cylinder only z counts
  std::optional<double> radius;
};

// One body after the other, released at equal intervals in random places of a region, each where it touches none of
// those before it, neither then nor later while all of them fall freely.
struct PourPlan {
  int count = 0;
  double rate = 1;   // bodies a second
  double start = 0;  // release of the first [s]
  PourRegion region;

  int BodyCount() const { return count; }
};

struct BodyGroupPlan {
  SceneBody prototype;  // at scale 1; its name is the group's, its position counts for nothing
  // [kg/m³]; must be there where sizes differ. Mass and inertia of the prototype, where 0, come from it.
  std::optional<double> density;
  ScalePlan scale;
  bool random_orientation = false;  // else the prototype's
  std::uint64_t seed = 0;
  std::variant<LatticePlan, PourPlan> places;
};

struct BodyGroup {
  std::vector<SceneBody> bodies;  // named after the group and their number: stone-0, stone-1, …
  // Pouring stops at a body for which no free place was found; `bodies` then ends before it.
  bool complete = true;
};

// What is wrong with a plan, by the keys of a scene file, as in groups.stone.pour.rate.
std::vector<Fault> Validate(const BodyGroupPlan& plan);

// Of a plan without faults.
BodyGroup MakeGroup(const BodyGroupPlan& plan, const Vec3& gravity);

// The fault of a plan whose group could not be completed.
Fault NoRoomFor(const BodyGroupPlan& plan, const BodyGroup& made);

}  // namespace slipstick
