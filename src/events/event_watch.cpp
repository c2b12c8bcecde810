#include "slipstick/events/event_watch.h"

#include <algorithm>
#include <cmath>

namespace slipstick::internal {
namespace {

constexpr double kFar = 1;              // of what is not there
constexpr double kLeastOffset = 1e-16;  // [m]
constexpr double kTurnedBack = 1e-10;   // [m/s]: a slip that begins and turns back at once
constexpr double kLeastGive = 1e-6;     // below, pressing harder and harder would not keep the bodies apart
constexpr std::size_t kSpareGaps = 16;

bool IsClosed(const Modes& modes, ContactKey key) {
  return std::any_of(modes.contacts.begin(), modes.contacts.end(),
                     [&](const ClosedContact& contact) { return contact.key == key; });
}

}  // namespace

bool EventWatch::List(const Instant& instant, const Modes& modes, const std::vector<double>& approach, double resting,
                      double contact_tolerance) {
  for (Gap& gap : gaps_) gap.in_use = false;
  std::size_t used = 0;
  bool has_room = true;
  for (std::size_t i = 0; i < instant.points.size(); ++i) {
    const ContactPoint& point = instant.points[i];
    if (IsClosed(modes, point.key)) continue;
    double offset = 0;
    if (point.gap <= contact_tolerance) {
      // what has just bounced comes back to where it was; what only touches must not be taken for what falls
      offset = std::abs(approach[i]) <= resting ? contact_tolerance - std::min(point.gap, 0.0)
               : point.gap > 0                  ? 0.0
                                                : kLeastOffset - point.gap;
    }
    if (used == gaps_.size()) {
      gaps_.resize(2 * gaps_.size() + kSpareGaps);
      has_room = false;
    }
    gaps_[used++] = {point.key, true, offset};
  }

  rest_.clear();
  for (std::size_t i = 0; i < modes.contacts.size(); ++i) {
    const ClosedContact& contact = modes.contacts[i];
    const int k = static_cast<int>(i);
    rest_.push_back({Kind::kNormalForce, k, contact.key, 0});
    if (contact.mode == ClosedMode::kSticking) {
      rest_.push_back({Kind::kCone, k, contact.key, 0});
    } else if (!contact.direction.isZero(0)) {
      rest_.push_back({Kind::kSlip, k, contact.key, contact.begins ? kTurnedBack : 0.0});
      rest_.push_back({Kind::kGive, k, contact.key, -kLeastGive});
    }
  }
  for (std::size_t i = 0; i < modes.joints.size(); ++i) {
    const ContactKey row{.shape_a = static_cast<std::uint32_t>(i)};
    rest_.push_back({modes.joints[i] == 0 ? Kind::kJointForce : Kind::kJointSlip, static_cast<int>(i), row, 0});
  }
  return has_room;
}

EventWatch::Name EventWatch::NameOf(int number) const {
  const std::size_t place = static_cast<std::size_t>(number);
  if (place == 0) return {Kind::kNewPoint, {}};
  if (place <= gaps_.size()) return {Kind::kGap, gaps_[place - 1].key};
  const Other& other = rest_[place - 1 - gaps_.size()];
  return {other.kind, other.key};
}

void EventWatch::Evaluate(const Instant& instant, const Modes& modes, const SmoothForces& forces, VecX* values) const {
  values->setConstant(Size(), kFar);
  const auto gap_of = [&](ContactKey key) -> Gap const* {
    const auto found =
        std::find_if(gaps_.begin(), gaps_.end(), [&](const Gap& gap) { return gap.in_use && gap.key == key; });
    return found == gaps_.end() ? nullptr : &*found;
  };
  for (const ContactPoint& point : instant.points) {
    const ContactKey key = point.key;
    if (IsClosed(modes, key)) continue;
    if (const Gap* gap = gap_of(key)) {
      (*values)[1 + (gap - gaps_.data())] = point.gap + gap->offset;
    } else {
      (*values)[0] = std::min((*values)[0], point.gap);
    }
  }
  for (std::size_t i = 0; i < rest_.size(); ++i) {
    const Other& other = rest_[i];
    const int k = other.number;
    double value = kFar;
    switch (other.kind) {
      case Kind::kNormalForce:
        value = forces.contact[k][0];
        break;
      case Kind::kCone:
        value = forces.friction_static[k] * forces.contact[k][0] - forces.contact[k].tail<2>().norm();
        break;
      case Kind::kSlip:
        value = forces.slip[k].dot(modes.contacts[k].direction) + other.offset;
        break;
      case Kind::kGive:
        value = forces.give[k] + other.offset;
        break;
      case Kind::kJointForce:
        value = forces.joint_limit[k] - std::abs(forces.bounded[k]);
        break;
      case Kind::kJointSlip:
        value = modes.joints[k] * forces.joint_velocity[k];
        break;
      default:
        break;
    }
    (*values)[1 + static_cast<Eigen::Index>(gaps_.size() + i)] = value;
  }
  for (int i = 0; !muted_.empty() && i < Size(); ++i) {
    if (muted_.count(NameOf(i)) > 0) (*values)[i] = kFar;
  }
}

}  // namespace slipstick::internal
