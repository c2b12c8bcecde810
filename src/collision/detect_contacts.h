#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "slipstick/collision/broad_phase.h"
#include "slipstick/collision/local_contact.h"
#include "slipstick/model/kinematics.h"
#include "slipstick/state/state.h"

namespace slipstick::internal {

// Finds the contacts of a model's shapes, in ascending order of their keys.
//
// The broad phase looks for pairs with bounds that are wider than asked for by a skin. Its list serves a shape until it
// has used up its skin by moving or by asking for a larger margin (Verlet 1967); then the shape's pairs are looked for
// anew, and all pairs where many shapes have moved so far. Each pair of the list is judged by the present poses, so
// that what is found depends on the kinematics alone (the poses, and which bodies are released), not on how old the
// list is. Keeps storage from step to step.
class ContactDetector {
 public:
  explicit ContactDetector(const Model& model);

  // All contacts with a gap of at most the sum of the two shapes' margins; one for each shape, none negative.
  const std::vector<ContactPoint>& Detect(const Model& model, const Kinematics& kinematics,
                                          std::span<const double> margins);
  // The same with one margin for all pairs.
  const std::vector<ContactPoint>& Detect(const Model& model, const Kinematics& kinematics, double margin);

 private:
  enum class Kind : std::uint8_t { kBall, kPlane, kOther };
  // When a shape last used up its skin.
  enum class Change : std::uint8_t { kNone, kEarlier, kNow };

  // What of a shape does not change.
  struct Fixed {
    Kind kind = Kind::kOther;
    int body = kWorld;
    int group = 0;
    double radius = 0;           // that holds the shape, about its origin
    Vec3 offset = Vec3::Zero();  // of the origin in the body
  };
  // What of a shape every pair asks for, in one line of the processor's cache.
  struct alignas(64) Placed {
    Vec3 center = Vec3::Zero();  // of a ball
    double radius = 0;           // of a ball
    double margin = 0;
    Kind kind = Kind::kOther;
    bool waits = false;  // to be released
  };
  struct HeldBall {
    Vec3 center = Vec3::Zero();
    double reach = 0;  // of margin and way together
  };

  void ChooseShapes(const Model& model, int released);
  void PlaceShapes(const Model& model, const Kinematics& kinematics, std::span<const double> margins);
  bool Holds(int shape) const;
  void Hold(const Kinematics& kinematics, int shape);
  void AddBound(int shape);
  void BuildList(const Kinematics& kinematics);
  void UpdateList();
  void RefreshList(const Kinematics& kinematics);
  bool BoundsMeet(int a, int b) const;
  void CollidePair(const Model& model, int a, int b);

  BroadPhase broad_phase_;
  std::vector<Fixed> fixed_;
  int released_ = -1;
  int listed_releases_ = 0;  // those that the list reckons with: some more than have happened
  std::vector<std::uint8_t> is_listed_;
  std::vector<double> equal_margins_;
  // of each shape, as far as its kind has it, at the present poses and with the present margins
  std::vector<Placed> placed_;
  std::vector<Pose> poses_;
  std::vector<Aabb> boxes_;
  std::vector<HalfSpaceBound> half_spaces_;

  // pairs that may touch, and how long they are all: while balls are near a centre, boxes inside larger ones, and
  // half-spaces where they were
  bool list_is_current_ = false;
  std::vector<std::pair<int, int>> pairs_;
  std::vector<HeldBall> held_balls_;
  std::vector<Aabb> held_boxes_;
  std::vector<HalfSpaceBound> held_half_spaces_;
  // shapes that have used up their skins since all were listed
  std::vector<int> changed_;
  std::vector<Change> change_;  // of each shape
  std::vector<std::pair<int, int>> pairs_of_changed_, merged_;

  std::vector<BallBound> ball_bounds_;
  std::vector<BoxBound> box_bounds_;
  std::vector<HalfSpaceBound> half_space_bounds_;
  std::vector<LocalContact> local_;
  std::vector<ContactPoint> points_;
};

}  // namespace slipstick::internal
