#include "slipstick/collision/detect_contacts.h"

#include <algorithm>

#include "slipstick/base/check.h"
#include "slipstick/base/make_room.h"
#include "slipstick/collision/collide_plane.h"
#include "slipstick/collision/collide_sphere.h"
#include "slipstick/collision/narrow_phase.h"

namespace slipstick::internal {
namespace {

// Bounds are wider than the margins ask for by this share of the shape, so that rounding in them cannot lose a contact
// that the narrow phase would find.
constexpr double kBoundSpare = 1e-9;

// A shape's skin: what it would use up in a few steps, its margin being about what it moves in one, but no less than a
// small and no more than a large share of its size. A thick skin serves longer and has longer lists.
constexpr double kSkinInMargins = 3;
constexpr double kLeastSkin = 0.05;
constexpr double kMostSkin = 1;
constexpr double kAhead = 0.9;  // share of the skin, or of the margin if that is less

// Share of the shapes that may change before all are listed anew.
constexpr double kMostChanged = 0.25;

constexpr std::size_t kPairsAhead = 16;
// Bodies still to be released lie where they will be: so many of the next ones are listed with the others, or pouring
// would need a new list in every step.
constexpr int kReleasesAhead = 64;

double Skin(double margin, double radius) {
  return std::clamp(kSkinInMargins * margin, kLeastSkin * radius, kMostSkin * radius);
}

// Pairs that the model leaves out although they are of two groups: a constraint stands for the contact, or a joint
// connects the groups.
std::vector<std::pair<int, int>> ExcludedPairs(const Model& model) {
  std::vector<std::pair<int, int>> excluded = model.excluded_shape_pairs;
  std::vector<std::vector<int>> shapes_of(model.bodies.size());  // of each group, by its topmost body
  for (int i = 0; i < static_cast<int>(model.shapes.size()); ++i) {
    const int group = model.GroupOf(model.shapes[i].body);
    if (group != kWorld) shapes_of[group].push_back(i);
  }
  for (int group = 0; group < static_cast<int>(model.bodies.size()); ++group) {
    const int other = model.GroupOf(model.bodies[group].joined_to);
    if (shapes_of[group].empty() || other == kWorld) continue;
    for (const int i : shapes_of[group]) {
      for (const int j : shapes_of[other]) excluded.push_back({i, j});
    }
  }
  return excluded;
}

}  // namespace

ContactDetector::ContactDetector(const Model& model)
    : broad_phase_(ExcludedPairs(model)),
      is_listed_(model.shapes.size()),
      placed_(model.shapes.size()),
      poses_(model.shapes.size()),
      boxes_(model.shapes.size()),
      half_spaces_(model.shapes.size()),
      held_balls_(model.shapes.size()),
      held_boxes_(model.shapes.size()),
      held_half_spaces_(model.shapes.size()) {
  for (const ModelShape& shape : model.shapes) {
    const Kind kind = std::holds_alternative<Sphere>(shape.geometry)  ? Kind::kBall
                      : std::holds_alternative<Plane>(shape.geometry) ? Kind::kPlane
                                                                      : Kind::kOther;
    fixed_.push_back(
        {kind, shape.body, model.GroupOf(shape.body), BoundingRadius(shape.geometry), shape.X_BS.position});
  }
  for (std::size_t i = 0; i < fixed_.size(); ++i) {
    placed_[i].kind = fixed_[i].kind;
    placed_[i].radius = fixed_[i].radius;
  }
}

// Shapes of bodies that are still to be released touch nothing, nor do those that never collide.
void ContactDetector::ChooseShapes(const Model& model, int released) {
  if (released == released_) return;
  const bool is_later = released > released_ && released_ >= 0;
  released_ = released;
  for (std::size_t i = 0; i < fixed_.size(); ++i) placed_[i].waits = model.IsWaiting(fixed_[i].body, released);
  if (is_later && released <= listed_releases_) return;
  list_is_current_ = false;
  listed_releases_ = released + kReleasesAhead;
  for (std::size_t i = 0; i < fixed_.size(); ++i) {
    is_listed_[i] = model.shapes[i].collides && !model.IsWaiting(fixed_[i].body, listed_releases_) ? 1 : 0;
  }
}

// Where shapes are in the world, and the bounds of those that are no balls.
void ContactDetector::PlaceShapes(const Model& model, const Kinematics& kinematics, std::span<const double> margins) {
  for (int i = 0; i < static_cast<int>(fixed_.size()); ++i) {
    if (!is_listed_[i]) continue;
    const Fixed& fixed = fixed_[i];
    placed_[i].margin = margins[i];
    if (fixed.kind == Kind::kBall) {
      Vec3 center = fixed.offset;
      if (fixed.body != kWorld) {
        center = kinematics.X_WB[fixed.body].position;
        if (!fixed.offset.isZero(0)) center += kinematics.R_WB[fixed.body] * fixed.offset;
      }
      placed_[i].center = center;
      continue;
    }
    Pose& pose = poses_[i];
    pose = kinematics.PoseOf(fixed.body) * model.shapes[i].X_BS;
    if (fixed.kind == Kind::kPlane) {
      const Vec3 up = pose.rotation * Vec3::UnitZ();
      half_spaces_[i] = {up, up.dot(pose.position) + margins[i], i, fixed.group};
    } else {
      boxes_[i] = Widened(BoundingBox(model.shapes[i].geometry, pose), margins[i] + kBoundSpare * fixed.radius);
    }
  }
}

// Whether the list reckons with all that a shape may touch now. Poses that are not numbers have no list, and none is
// needed: they touch nothing.
bool ContactDetector::Holds(int i) const {
  switch (fixed_[i].kind) {
    case Kind::kBall: {
      const double reach = held_balls_[i].reach - placed_[i].margin;
      return (placed_[i].center - held_balls_[i].center).squaredNorm() <= reach * std::abs(reach);
    }
    case Kind::kPlane:
      return half_spaces_[i].normal == held_half_spaces_[i].normal &&
             half_spaces_[i].offset <= held_half_spaces_[i].offset;
    case Kind::kOther:
      break;
  }
  return Contains(held_boxes_[i], boxes_[i]);
}

// What the list is to reckon with from now on. A ball's place in it is ahead of the ball, so that what moves fast takes
// longer to leave it.
void ContactDetector::Hold(const Kinematics& kinematics, int i) {
  const double margin = placed_[i].margin, skin = Skin(margin, fixed_[i].radius);
  Vec3 ahead(0, 0, 0);
  if (fixed_[i].kind == Kind::kBall && fixed_[i].body != kWorld) {
    const Vec3& velocity = kinematics.linear_velocity[fixed_[i].body];
    const double speed = velocity.norm();
    if (speed > 0) ahead = (kAhead * std::min(skin, margin) / speed) * velocity;
  }
  held_balls_[i] = {placed_[i].center + ahead, margin + skin};
  held_boxes_[i] = Widened(boxes_[i], skin);
  held_half_spaces_[i] = half_spaces_[i];
}

void ContactDetector::AddBound(int i) {
  const Fixed& fixed = fixed_[i];
  if (fixed.kind == Kind::kBall) {
    const double radius = (1 + kBoundSpare) * fixed.radius + held_balls_[i].reach;
    ball_bounds_.push_back({held_balls_[i].center, radius, i, fixed.group});
  } else if (fixed.kind == Kind::kPlane) {
    half_space_bounds_.push_back(held_half_spaces_[i]);
  } else {
    box_bounds_.push_back({held_boxes_[i], i, fixed.group});
  }
}

void ContactDetector::BuildList(const Kinematics& kinematics) {
  ball_bounds_.clear();
  box_bounds_.clear();
  half_space_bounds_.clear();
  changed_.clear();
  change_.assign(fixed_.size(), Change::kNone);
  for (int i = 0; i < static_cast<int>(fixed_.size()); ++i) {
    if (!is_listed_[i]) continue;
    Hold(kinematics, i);
    AddBound(i);
  }
  broad_phase_.FindPairs(ball_bounds_, box_bounds_, half_space_bounds_, &pairs_);
  list_is_current_ = true;
}

// The pairs of shapes that have used up their skins now are looked for anew, and the rest of the list kept.
void ContactDetector::UpdateList() {
  ball_bounds_.clear();
  box_bounds_.clear();
  for (const int i : changed_) {
    if (change_[i] == Change::kEarlier) AddBound(i);
  }
  const std::size_t old_balls = ball_bounds_.size(), old_boxes = box_bounds_.size();
  for (const int i : changed_) {
    if (change_[i] == Change::kNow) AddBound(i);
  }
  broad_phase_.FindPairsOfChanged(ball_bounds_, ball_bounds_.size() - old_balls, box_bounds_,
                                  box_bounds_.size() - old_boxes, half_space_bounds_, &pairs_of_changed_);
  std::erase_if(pairs_, [&](const auto& pair) {
    return change_[pair.first] == Change::kNow || change_[pair.second] == Change::kNow;
  });
  for (const int i : changed_) change_[i] = Change::kEarlier;
  MakeRoom(&merged_, pairs_.size() + pairs_of_changed_.size());
  merged_.resize(pairs_.size() + pairs_of_changed_.size());
  // where a changed one was, a pair may be found that is on the list
  merged_.erase(
      std::set_union(pairs_.begin(), pairs_.end(), pairs_of_changed_.begin(), pairs_of_changed_.end(), merged_.begin()),
      merged_.end());
  std::swap(pairs_, merged_);
}

void ContactDetector::RefreshList(const Kinematics& kinematics) {
  if (!list_is_current_) return BuildList(kinematics);
  std::size_t listed = 0;
  bool any = false;
  for (int i = 0; i < static_cast<int>(fixed_.size()); ++i) {
    if (!is_listed_[i]) continue;
    ++listed;
    if (Holds(i)) continue;
    if (fixed_[i].kind == Kind::kPlane) return BuildList(kinematics);
    any = true;
    Hold(kinematics, i);
    if (change_[i] == Change::kNone) changed_.push_back(i);
    change_[i] = Change::kNow;
  }
  if (!any) return;
  if (static_cast<double>(changed_.size()) > kMostChanged * static_cast<double>(listed)) {
    return BuildList(kinematics);
  }
  UpdateList();
}

// Whether the bounds of a pair with a shape that is neither ball nor plane meet.
bool ContactDetector::BoundsMeet(int a, int b) const {
  if (placed_[a].kind != Kind::kOther) std::swap(a, b);
  const BoxBound box{boxes_[a], a, 0};
  switch (placed_[b].kind) {
    case Kind::kBall:
      return Meet(BallBound{placed_[b].center, (1 + kBoundSpare) * placed_[b].radius + placed_[b].margin, b, 0}, box);
    case Kind::kPlane:
      return Meet(half_spaces_[b], box);
    case Kind::kOther:
      break;
  }
  return Overlap(boxes_[a], boxes_[b]);
}

void ContactDetector::CollidePair(const Model& model, int a, int b) {
  const Placed &p = placed_[a], &q = placed_[b];
  if (p.waits || q.waits) return;
  const double margin = p.margin + q.margin;
  LocalContact contact;
  // the two pairs that granular matter is made of, without a list and without looking the routine up
  if (p.kind == Kind::kBall && q.kind == Kind::kBall) {
    if (!CollideSpheres(p.center, p.radius, q.center, q.radius, margin, &contact)) return;
    Append(&points_, {KeyOf(a, b, contact), contact.normal, contact.point_a, contact.point_b, contact.gap});
    return;
  }
  if (p.kind == Kind::kBall && q.kind == Kind::kPlane) {
    if (!CollidePlaneSphere(half_spaces_[b].normal, poses_[b].position, p.center, p.radius, margin, &contact)) return;
    Append(&points_, {KeyOf(a, b, contact), -contact.normal, contact.point_b, contact.point_a, contact.gap});
    return;
  }
  if ((p.kind == Kind::kOther || q.kind == Kind::kOther) && !BoundsMeet(a, b)) return;
  const auto pose = [&](int i) {
    return placed_[i].kind == Kind::kBall ? Pose{Quat::Identity(), placed_[i].center} : poses_[i];
  };
  local_.clear();
  Collide(model.shapes[a].geometry, pose(a), model.shapes[b].geometry, pose(b), margin, &local_);
  std::sort(local_.begin(), local_.end(),
            [&](const LocalContact& x, const LocalContact& y) { return KeyOf(a, b, x) < KeyOf(a, b, y); });
  for (const LocalContact& c : local_) Append(&points_, {KeyOf(a, b, c), c.normal, c.point_a, c.point_b, c.gap});
}

const std::vector<ContactPoint>& ContactDetector::Detect(const Model& model, const Kinematics& kinematics,
                                                         std::span<const double> margins) {
  SLIPSTICK_CHECK(margins.size() == model.shapes.size() && fixed_.size() == model.shapes.size(),
                  "one margin for each shape");
  ChooseShapes(model, kinematics.released);
  PlaceShapes(model, kinematics, margins);
  RefreshList(kinematics);
  points_.clear();
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    // partners are anywhere in memory: ask for those of pairs to come
    if (k + kPairsAhead < pairs_.size()) __builtin_prefetch(&placed_[pairs_[k + kPairsAhead].second]);
    CollidePair(model, pairs_[k].first, pairs_[k].second);
  }
  return points_;
}

const std::vector<ContactPoint>& ContactDetector::Detect(const Model& model, const Kinematics& kinematics,
                                                         double margin) {
  equal_margins_.assign(model.shapes.size(), 0.5 * margin);
  return Detect(model, kinematics, equal_margins_);
}

}  // namespace slipstick::internal
