#include <fmt/format.h>

#include <cmath>

#include "slipstick/scene/body_group.h"
#include "slipstick/scene/shape_mass.h"
#include "slipstick/scene/validate_parts.h"

namespace slipstick::internal {
namespace {

void CheckScale(const Key& key, const ScalePlan& scale, Findings* findings) {
  const Key range = key.Of(scale.mean ? "within" : "uniform"), normal = key.Of("normal");
  const bool least = findings->Number(range.Of(std::size_t{0}), scale.least, AboveZero());
  const bool most = findings->Number(range.Of(std::size_t{1}), scale.most, AboveZero());
  const bool right = least && most && scale.least <= scale.most;
  if (least && most && !right)
    findings->Add(range, "the smaller factor first", fmt::format("{:g}, {:g}", scale.least, scale.most));
  if (!scale.mean) return;
  const Key mean = normal.Of(std::size_t{0});
  if (findings->Number(mean, *scale.mean, AboveZero()) && right &&
      (*scale.mean < scale.least || *scale.mean > scale.most))
    findings->Add(mean, fmt::format("a mean within {:g} and {:g}", scale.least, scale.most),
                  fmt::format("{}", *scale.mean));
  findings->Number(normal.Of(std::size_t{1}), scale.deviation, AboveZero());
}

// Whole numbers of at least 1.
bool CheckCount(const Key& key, int count, Findings* findings) {
  if (count < 1) {
    findings->Add(key, "a whole number of at least 1", fmt::format("{}", count));
  } else if (count > kMostBodies) {
    findings->Add(key, fmt::format("at most {}", kMostBodies), fmt::format("{}", count));
  }
  return count >= 1 && count <= kMostBodies;
}

void CheckPlaces(const Key& group, const LatticePlan& lattice, Findings* findings) {
  const Key key = group.Of("lattice"), counts = key.Of("counts"), spacing = key.Of("spacing");
  double places = 1;
  bool counts_are_right = true;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    places *= lattice.counts[axis];
    if (lattice.counts[axis] >= 1) continue;
    counts_are_right = CheckCount(counts.Of(axis), lattice.counts[axis], findings);
  }
  if (counts_are_right && places > kMostBodies) {
    findings->Add(counts, fmt::format("at most {} places", kMostBodies), fmt::format("{:g} places", places));
    counts_are_right = false;
  }
  const Vec3& step = lattice.spacing;
  if (step[0] == step[1] && step[1] == step[2]) {
    findings->Number(spacing, step[0], AboveZero("m"));
  } else {
    findings->Vector(spacing, step, AtLeastZero("m"));
  }
  findings->Vector(key.Of("origin"), lattice.origin);
  findings->Number(key.Of("jitter"), lattice.jitter, AtLeastZero("m"));
  if (!lattice.count || !CheckCount(key.Of("count"), *lattice.count, findings)) return;
  if (counts_are_right && *lattice.count > places)
    findings->Add(key.Of("count"), fmt::format("at most the {:.0f} places there are", places),
                  fmt::format("{}", *lattice.count));
}

void CheckPlaces(const Key& group, const PourPlan& pour, Findings* findings) {
  const Key key = group.Of("pour"), region = key.Of("region");
  CheckCount(key.Of("count"), pour.count, findings);
  findings->Number(key.Of("rate"), pour.rate, AboveZero("1/s"));
  findings->Number(key.Of("start"), pour.start, AtLeastZero("s"));
  findings->Vector(region.Of("center"), pour.region.center);
  if (pour.region.radius) {
    findings->Number(region.Of("radius"), *pour.region.radius, AboveZero("m"));
    findings->Number(region.Of("height"), pour.region.size.z(), AtLeastZero("m"));
  } else {
    findings->Vector(region.Of("size"), pour.region.size, AtLeastZero("m"));
  }
}

}  // namespace
}  // namespace slipstick::internal

namespace slipstick {

std::vector<Fault> Validate(const BodyGroupPlan& plan) {
  using namespace internal;
  Findings findings;
  const Key list("groups"), key = list.Item(plan.prototype.name, 0), body = key.Of("template");
  NameCheck("a group").Required(key, plan.prototype.name, &findings);
  const std::size_t before = findings.count();
  // where there is a density, mass and inertia come from it
  CheckBody(body, plan.prototype, !plan.density, &findings);
  const bool body_is_right = findings.count() == before;
  if (plan.density) {
    if (findings.Number(body.Of("density"), *plan.density, DensityRule()) && body_is_right &&
        !HasUniformMass(plan.prototype.shapes))
      findings.Add(body.Of("inertia"), "an inertia, or shapes with volume to compute it from", "nothing");
  } else if (plan.scale.varies() || HasStones(plan.prototype)) {
    findings.Add(body.Of("density"), "a density, because the bodies differ in size", "nothing");
  }
  if (std::holds_alternative<PourPlan>(plan.places) && body_is_right && !std::isfinite(ReachOf(plan.prototype.shapes)))
    findings.Add(body, "shapes that have an end", "a plane");
  CheckScale(key.Of("scale"), plan.scale, &findings);
  std::visit([&](const auto& places) { CheckPlaces(key, places, &findings); }, plan.places);
  return findings.Take();
}

Fault NoRoomFor(const BodyGroupPlan& plan, const BodyGroup& made) {
  return {"", 0, fmt::format("groups.{}.pour.region", plan.prototype.name),
          "room for the bodies: a larger region, a lower rate, or a velocity that takes them away faster",
          fmt::format("no free place for '{}-{}'", plan.prototype.name, made.bodies.size())};
}

}  // namespace slipstick
