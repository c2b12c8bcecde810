#include "slipstick/scene_file/shape_copies.h"

#include <fmt/format.h>

#include <numbers>

namespace slipstick::internal {
namespace {

constexpr double kMostCopies = 10000;  // of one shape

// What takes each copy to the next one.
struct Repetition {
  int count = 1;
  Vec3 shift = Vec3::Zero();
  Vec3 axis = Vec3::UnitZ(), about = Vec3::Zero();
  double angle = 0;

  // The k-th power: turns about one axis add up, and so do shifts, whichever direction they have.
  Pose Power(int k) const {
    const Quat turn(Eigen::AngleAxisd(k * angle, axis));
    return {turn, about - turn * about + k * shift};
  }
};

Repetition ReadRepetition(const Place& item, DocumentReader* reader) {
  Repetition repetition;
  const auto count = item.Child("count");
  if (count && count->node->is_number() && count->node->number >= 1 && count->node->number <= kMostCopies) {
    repetition.count = static_cast<int>(count->node->number);
  } else if (count && count->node->is_number() && count->node->number > kMostCopies) {
    reader->Fail(*count, fmt::format("at most {:.0f}", kMostCopies));
  }
  if (const auto shift = item.Child("shift")) repetition.shift = reader->FiniteVector(*shift);
  if (const auto turn = item.Child("turn")) {
    if (const auto axis = turn->Child("axis")) repetition.axis = reader->UnitVector(*axis);
    if (const auto about = turn->Child("about")) repetition.about = reader->FiniteVector(*about);
    const auto angle = turn->Child("angle");
    repetition.angle = angle ? reader->Number(*angle) : 2 * std::numbers::pi / repetition.count;
  }
  return repetition;
}

}  // namespace

std::vector<SceneShape> CopiesOf(const SceneShape& shape, const Place& item, DocumentReader* reader) {
  std::vector<SceneShape> shapes = {shape};
  const auto list = item.Child("copies");
  if (!list) return shapes;
  for (const Place& one : list->Items()) {
    const Repetition repetition = ReadRepetition(one, reader);
    if (static_cast<double>(shapes.size()) * repetition.count > kMostCopies) {
      reader->Fail(*list, fmt::format("at most {:.0f} copies in all", kMostCopies));
      return {shape};
    }
    const std::size_t before = shapes.size();
    for (int k = 1; k < repetition.count; ++k) {
      const Pose power = repetition.Power(k);
      for (std::size_t i = 0; i < before; ++i) {
        shapes.push_back(shapes[i]);
        shapes.back().pose = power * shapes[i].pose;
      }
    }
  }
  return shapes;
}

}  // namespace slipstick::internal
