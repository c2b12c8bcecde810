#include "slipstick/measure/angle_of_repose.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick::internal {
namespace {

constexpr double kPointsPerDiameter = 4;
constexpr double kQuantile = 0.8;
constexpr double kInnerShare = 0.2, kOuterShare = 0.8;  // of the radius, the ends of the line
constexpr double kMostPoints = 2000;                    // of the grid along a side: a grain far away costs no more

// Heights over a square grid about the axis.
class HeightMap {
 public:
  HeightMap(std::span<const PileGrain> grains, const Vec2& axis, double diameter, double floor) : axis_(axis) {
    double reach = 0;
    for (const PileGrain& grain : grains)
      reach = std::max(reach, (grain.center.head<2>() - axis).cwiseAbs().maxCoeff() + grain.radius);
    spacing_ = diameter / kPointsPerDiameter;
    half_ = static_cast<int>(std::min(std::ceil(reach / spacing_), kMostPoints / 2));
    heights_.assign(static_cast<std::size_t>(side()) * side(), 0.0);
    for (const PileGrain& grain : grains) Cover(grain, floor);
  }

  // Heights of the points at a distance within [inner, outer) of the axis.
  void Collect(double inner, double outer, std::vector<double>* heights) const {
    heights->clear();
    const int last = std::min(half_, static_cast<int>(outer / spacing_) + 1);
    for (int i = -last; i <= last; ++i) {
      for (int j = -last; j <= last; ++j) {
        const double r = spacing_ * std::hypot(i, j);
        if (r >= inner && r < outer) heights->push_back(heights_[IndexOf(i, j)]);
      }
    }
  }

  double reach() const { return spacing_ * half_; }

 private:
  int side() const { return 2 * half_ + 1; }
  std::size_t IndexOf(int i, int j) const { return static_cast<std::size_t>(i + half_) * side() + (j + half_); }

  void Cover(const PileGrain& grain, double floor) {
    const Vec2 p = grain.center.head<2>() - axis_;
    const auto first = [&](double x) {
      return std::max(-half_, static_cast<int>(std::ceil((x - grain.radius) / spacing_)));
    };
    const auto last = [&](double x) {
      return std::min(half_, static_cast<int>(std::floor((x + grain.radius) / spacing_)));
    };
    if (p.cwiseAbs().maxCoeff() > reach() + grain.radius) return;
    for (int i = first(p.x()); i <= last(p.x()); ++i) {
      for (int j = first(p.y()); j <= last(p.y()); ++j) {
        const double square = grain.radius * grain.radius - (Vec2(i, j) * spacing_ - p).squaredNorm();
        if (square < 0) continue;
        double& height = heights_[IndexOf(i, j)];
        height = std::max(height, grain.center.z() + std::sqrt(square) - floor);
      }
    }
  }

  Vec2 axis_;
  double spacing_ = 0;
  int half_ = 0;
  std::vector<double> heights_;
};

double Quantile(std::vector<double>* values) {
  if (values->empty()) return 0;
  const auto at = values->begin() + static_cast<std::ptrdiff_t>(kQuantile * static_cast<double>(values->size() - 1));
  std::nth_element(values->begin(), at, values->end());
  return *at;
}

Vec2 CenterOf(std::span<const PileGrain> grains) {
  Vec2 center = Vec2::Zero();
  double volume = 0;
  for (const PileGrain& grain : grains) {
    const double share = grain.radius * grain.radius * grain.radius;
    center += share * grain.center.head<2>();
    volume += share;
  }
  return volume > 0 ? Vec2(center / volume) : center;
}

void FitLine(PileShape* shape) {
  double count = 0, r_sum = 0, h_sum = 0, rr = 0, rh = 0;
  const auto each = [&](auto&& action) {
    for (std::size_t k = 0; k < shape->ring_radius.size(); ++k) {
      const double r = shape->ring_radius[k];
      if (r >= kInnerShare * shape->radius && r <= kOuterShare * shape->radius) action(r, shape->ring_height[k]);
    }
  };
  each([&](double r, double h) { count += 1, r_sum += r, h_sum += h; });
  if (count < 3) {
    shape->angle = shape->deviation = std::numeric_limits<double>::quiet_NaN();
    return;
  }
  const double r_mean = r_sum / count, h_mean = h_sum / count;
  each([&](double r, double h) { rr += (r - r_mean) * (r - r_mean), rh += (r - r_mean) * (h - h_mean); });
  const double slope = rh / rr;
  double squares = 0;
  each([&](double r, double h) { squares += std::pow(h - h_mean - slope * (r - r_mean), 2); });
  shape->angle = std::atan(-slope);
  shape->deviation = std::sqrt(squares / count);
}

}  // namespace

PileShape MeasurePile(std::span<const PileGrain> grains, const PileSettings& settings) {
  PileShape shape;
  double diameter = 0;
  for (const PileGrain& grain : grains) diameter += 2 * grain.radius / static_cast<double>(grains.size());
  if (diameter > 0) {
    const HeightMap map(grains, settings.axis.value_or(CenterOf(grains)), diameter, settings.floor);
    const double reach = settings.reach.value_or(std::numeric_limits<double>::infinity());
    std::vector<double> heights;
    for (int k = 0; (k + 1) * diameter <= std::min(reach, map.reach() + diameter); ++k) {
      map.Collect(k * diameter, (k + 1) * diameter, &heights);
      shape.ring_radius.push_back((k + 0.5) * diameter);
      shape.ring_height.push_back(Quantile(&heights));
    }
    for (const double height : shape.ring_height) {
      shape.height = std::max(shape.height, height);
      if (!(height > 0.5 * diameter)) break;
      shape.radius += diameter;
    }
  }
  FitLine(&shape);
  return shape;
}

}  // namespace slipstick::internal
