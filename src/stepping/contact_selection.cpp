#include "slipstick/stepping/contact_selection.h"

#include <algorithm>
#include <cmath>

#include "slipstick/base/make_room.h"

namespace slipstick::internal {
namespace {

constexpr double kForesight = 2;      // contacts are chosen that close within so many steps
constexpr double kTurnedAside = 0.5;  // or within one if this share of their relative velocity were along the normal

// Velocity of B's point against A's: along the normal it closes the gap.
Vec3 Approach(const ContactPoint& point, int body_a, int body_b, const Kinematics& kinematics,
              const std::vector<Vec3>& angular, const std::vector<Vec3>& linear) {
  Vec3 approach(0, 0, 0);
  if (body_a != kWorld) {
    approach -= linear[body_a] + angular[body_a].cross(point.point_a - kinematics.X_WB[body_a].position);
  }
  if (body_b != kWorld) {
    approach += linear[body_b] + angular[body_b].cross(point.point_b - kinematics.X_WB[body_b].position);
  }
  return approach;
}

}  // namespace

ContactSelection::ContactSelection(const Model& model, const Settings& settings)
    : settings_(settings), detector_(model), foresight_(model) {
  for (const ModelShape& shape : model.shapes) {
    body_of_.push_back(shape.body);
    reach_.push_back(shape.X_BS.position.norm() + BoundingRadius(shape.geometry));
  }
}

void ContactSelection::Choose(const Model& model, const Kinematics& kinematics, const BodyVelocities& free_motion) {
  SetMargins(model, kinematics, free_motion);
  points_ = &detector_.Detect(model, kinematics, margins_);
  foreseen_.clear();
  lost_.clear();
  const std::vector<ContactPoint>& found = *points_;
  is_chosen_.assign(found.size(), 1);
  if (settings_.margin >= 0) return Gather();
  const double h = settings_.step, near = 2 * std::max(settings_.skin, model.gravity.norm() * h * h);
  MakeRoom(&closing_, found.size());
  closing_.resize(found.size());
  push_.assign(model.bodies.size(), 0);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const ContactPoint& point = found[i];
    const int body_a = body_of_[point.shape_a()], body_b = body_of_[point.shape_b()];
    const Vec3 present =
        Approach(point, body_a, body_b, kinematics, kinematics.angular_velocity, kinematics.linear_velocity);
    const Vec3 free = Approach(point, body_a, body_b, kinematics, free_motion.angular, free_motion.linear);
    const double closing = std::max(point.normal.dot(present), point.normal.dot(free));
    closing_[i] = closing;
    // what passes by may be turned aside
    is_chosen_[i] = point.gap <= near + h * std::max(kForesight * closing, kTurnedAside * present.norm());
    if (!is_chosen_[i]) continue;
    for (const int body : {body_a, body_b}) {
      if (body != kWorld) push_[body] = std::max(push_[body], closing);
    }
  }
  const auto push = [&](int shape) {
    const int body = body_of_[shape];
    return body == kWorld ? 0.0 : push_[body];
  };
  for (std::size_t i = 0; i < found.size(); ++i) {
    const ContactPoint& point = found[i];
    const double speed = closing_[i] + std::max(push(point.shape_a()), push(point.shape_b()));
    is_chosen_[i] |= static_cast<char>(point.gap <= h * speed);
  }
  Gather();
}

// A pair is looked at up to the sum of its shapes' margins. A shape's is twice the way of its fastest point in a step,
// with the velocity it has or the one that forces would give it. What hits within the step may give is not foreseen:
// LookFurther.
void ContactSelection::SetMargins(const Model& model, const Kinematics& kinematics, const BodyVelocities& free_motion) {
  const std::size_t count = body_of_.size();
  if (settings_.margin >= 0) {
    margins_.assign(count, 0.5 * settings_.margin);
    return;
  }
  const double h = settings_.step;
  double extent = -1;  // of all that has an end: how far from its body a plane may meet something
  margins_.assign(count, model.gravity.norm() * h * h);
  reach_now_.assign(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const int body = body_of_[i];
    if (body == kWorld) continue;
    double reach = reach_[i];
    if (!std::isfinite(reach)) {
      if (extent < 0) extent = Extent(kinematics);
      reach = extent + kinematics.X_WB[body].position.norm();
    }
    reach_now_[i] = reach;
    const double present = kinematics.linear_velocity[body].norm() + reach * kinematics.angular_velocity[body].norm();
    const double free = free_motion.linear[body].norm() + reach * free_motion.angular[body].norm();
    margins_[i] += 2.0 * std::max(present, free) * h;
  }
}

// Farthest from the world's origin that anything with an end reaches.
double ContactSelection::Extent(const Kinematics& kinematics) const {
  double extent = 0;
  for (std::size_t i = 0; i < body_of_.size(); ++i) {
    const int body = body_of_[i];
    if (!std::isfinite(reach_[i])) continue;
    extent = std::max(extent, reach_[i] + (body == kWorld ? 0.0 : kinematics.X_WB[body].position.norm()));
  }
  return extent;
}

bool ContactSelection::TakeInClosing(const Model& model, const Kinematics& kinematics, const BodyVelocities& answered,
                                     double error) {
  if (settings_.margin >= 0) return false;
  LookFurther(model, kinematics, answered);
  const double h = settings_.step;
  // as (T4) has it, the share of the skin that a step leaves open is not closed
  const double skin = settings_.skin >= 0 ? settings_.skin : model.gravity.norm() * h * h;
  const double kept = (1 - settings_.gap_correction) * skin - error * h;
  bool any = false;
  for (std::size_t i = 0; i < points_->size(); ++i) {
    if (is_chosen_[i]) continue;
    const ContactPoint& point = (*points_)[i];
    const Vec3 approach = Approach(point, body_of_[point.shape_a()], body_of_[point.shape_b()], kinematics,
                                   answered.angular, answered.linear);
    if (h * point.normal.dot(approach) <= point.gap - kept) continue;
    is_chosen_[i] = 1;
    any = true;
  }
  if (any) Gather();
  return any;
}

// Where the answer gives a shape more speed than its margin has room for, as to the last ball of a row that is hit,
// points are looked for again. Those chosen before are kept: they are found by their keys, which ascend in both lists.
void ContactSelection::LookFurther(const Model& model, const Kinematics& kinematics, const BodyVelocities& answered) {
  bool is_wider = false;
  for (std::size_t i = 0; i < margins_.size(); ++i) {
    const int body = body_of_[i];
    if (body == kWorld) continue;
    const double needed =
        settings_.step * (answered.linear[body].norm() + reach_now_[i] * answered.angular[body].norm());
    if (!(needed > margins_[i])) continue;
    margins_[i] = 2 * needed;
    is_wider = true;
  }
  if (!is_wider) return;
  keys_.clear();
  MakeRoom(&keys_, chosen_.size());
  for (const int number : chosen_) keys_.push_back((*points_)[number].key);
  points_ = &detector_.Detect(model, kinematics, margins_);
  is_chosen_.assign(points_->size(), 0);
  auto next = keys_.begin();
  for (std::size_t i = 0; i < points_->size(); ++i) {
    const ContactKey& key = (*points_)[i].key;
    while (next != keys_.end() && *next < key) ++next;
    if (next == keys_.end()) break;
    is_chosen_[i] = static_cast<char>(*next == key);
  }
  MergeForeseen();
  Gather();
}

bool ContactSelection::MayTurn(const Kinematics& kinematics, const BodyVelocities& moved) {
  return settings_.margin < 0 && foresight_.Choose(kinematics, moved, *points_);
}

// What is foreseen stays so within the step; of what is foreseen again the latest counts.
bool ContactSelection::TakeInTurning(const Model& model, const StepMotion& motion) {
  if (!foresight_.Find(model, motion, *points_, lost_, &newly_foreseen_)) return false;
  newly_foreseen_.insert(newly_foreseen_.end(), foreseen_.begin(), foreseen_.end());
  std::stable_sort(newly_foreseen_.begin(), newly_foreseen_.end(),
                   [](const ForeseenContact& x, const ForeseenContact& y) { return x.point.key < y.point.key; });
  const auto same =
      std::unique(newly_foreseen_.begin(), newly_foreseen_.end(),
                  [](const ForeseenContact& x, const ForeseenContact& y) { return x.point.key == y.point.key; });
  newly_foreseen_.erase(same, newly_foreseen_.end());
  std::swap(foreseen_, newly_foreseen_);
  MergeForeseen();
  Gather();
  return true;
}

// Points that are foreseen take their places among those found, in the order of the keys.
void ContactSelection::MergeForeseen() {
  if (foreseen_.empty()) return;
  merging_.clear();
  merging_chosen_.clear();
  lost_.clear();
  auto foreseen = foreseen_.begin();
  const auto take_foreseen = [&] {
    merging_.push_back(foreseen->point);
    merging_chosen_.push_back(1);
    lost_.push_back((foreseen++)->lost);
  };
  for (std::size_t i = 0; i < points_->size(); ++i) {
    const ContactPoint& point = (*points_)[i];
    while (foreseen != foreseen_.end() && foreseen->point.key < point.key) take_foreseen();
    if (foreseen != foreseen_.end() && foreseen->point.key == point.key) {
      take_foreseen();
      continue;
    }
    merging_.push_back(point);
    merging_chosen_.push_back(is_chosen_[i]);
    lost_.push_back(0);
  }
  while (foreseen != foreseen_.end()) take_foreseen();
  std::swap(merged_, merging_);
  std::swap(is_chosen_, merging_chosen_);
  points_ = &merged_;
}

void ContactSelection::Gather() {
  chosen_.clear();
  MakeRoom(&chosen_, is_chosen_.size());
  for (std::size_t i = 0; i < is_chosen_.size(); ++i) {
    if (is_chosen_[i]) chosen_.push_back(static_cast<int>(i));
  }
}

}  // namespace slipstick::internal
