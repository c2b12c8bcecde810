#include "slipstick/state_file/state_archive.h"

#include <type_traits>

namespace slipstick::internal {
namespace {

template <typename Archive, typename T>
void Describe(Archive& archive, const std::string& name, T& value);

template <typename Archive, typename T>
void DescribeWhole(Archive& archive, const std::string& name, T& value) {
  if constexpr (Archive::kLoads) {
    value = static_cast<std::remove_const_t<T>>(archive.Whole(name));
  } else {
    archive.Whole(name, static_cast<std::int64_t>(value));
  }
}

template <typename Archive, typename Vector>
void DescribeFixed(Archive& archive, const std::string& name, Vector& vector) {
  for (auto& value : vector) archive.Value(name, value);
}

template <typename Archive, typename Vector>
void DescribeEigen(Archive& archive, const std::string& name, Vector& vector) {
  if constexpr (Archive::kLoads) {
    vector.resize(static_cast<Eigen::Index>(archive.Count(name)));
  } else {
    archive.Count(name, static_cast<std::size_t>(vector.size()));
  }
  for (auto& value : vector) archive.Value(name, value);
}

template <typename Archive, typename List>
void DescribeList(Archive& archive, const std::string& name, List& list) {
  if constexpr (Archive::kLoads) {
    list.resize(archive.Count(name));
  } else {
    archive.Count(name, list.size());
  }
  for (auto& item : list) Describe(archive, name, item);
}

template <typename T>
using Plain = std::remove_const_t<T>;
template <typename T>
struct IsList : std::false_type {};
template <typename T>
struct IsList<std::vector<T>> : std::true_type {};

template <typename Archive, typename T>
void DescribeMembers(Archive& archive, const std::string& name, T& value) {
  const auto member = [&](const char* of, auto& part) { Describe(archive, name + "." + of, part); };
  if constexpr (std::is_same_v<Plain<T>, ContactKey>) {
    member("shape_a", value.shape_a);
    member("shape_b", value.shape_b);
    member("place_a", value.place_a);
    member("place_b", value.place_b);
  } else if constexpr (std::is_same_v<Plain<T>, ContactPoint>) {
    member("key", value.key);
    member("normal", value.normal);
    member("point_a", value.point_a);
    member("point_b", value.point_b);
    member("gap", value.gap);
  } else if constexpr (std::is_same_v<Plain<T>, ContactHistory>) {
    member("known", value.known);
    member("normal_force", value.normal_force);
    member("tangential_force", value.tangential_force);
    member("moment", value.moment);
    member("position", value.position);
  } else if constexpr (std::is_same_v<Plain<T>, MemorySlot>) {
    member("name", value.name);
    member("unit", value.unit);
    member("meaning", value.meaning);
    member("kind", value.kind);
  } else if constexpr (std::is_same_v<Plain<T>, ContactMemory>) {
    member("keys", value.keys);
    member("histories", value.histories);
    member("slots", value.slots);
    member("values", value.values);
  } else if constexpr (std::is_same_v<Plain<T>, JointMemory>) {
    member("forces", value.forces);
    member("slots", value.slots);
    member("values", value.values);
  } else if constexpr (std::is_same_v<Plain<T>, MotionState>) {
    member("time", value.time);
    member("released", value.released);
    member("q", value.q);
    member("v", value.v);
  } else if constexpr (std::is_same_v<Plain<T>, ClosedContact>) {
    member("key", value.key);
    member("point", value.point);
    member("mode", value.mode);
    member("direction", value.direction);
    member("begins", value.begins);
    member("reference", value.reference);
  } else if constexpr (std::is_same_v<Plain<T>, Modes>) {
    member("contacts", value.contacts);
    member("joints", value.joints);
    member("joint_reference", value.joint_reference);
    member("bilateral_reference", value.bilateral_reference);
  } else if constexpr (std::is_same_v<Plain<T>, WatchedFunction>) {
    member("kind", value.kind);
    member("key", value.key);
  } else if constexpr (std::is_same_v<Plain<T>, ImpactTimes>) {
    member("key", value.key);
    member("times", value.times);
  } else if constexpr (std::is_same_v<Plain<T>, EventMemory>) {
    member("modes", value.modes);
    member("is_settled", value.is_settled);
    member("fallen", value.fallen);
    member("muted", value.muted);
    member("series", value.series);
    member("settled_time", value.settled_time);
    member("settled_often", value.settled_often);
    member("events", value.events);
    member("begun", value.begun);
    member("steps_since", value.steps_since);
  } else if constexpr (std::is_same_v<Plain<T>, Inputs::Wrench>) {
    member("body", value.body);
    member("force", value.force);
    member("torque", value.torque);
    member("point", value.point);
  } else if constexpr (std::is_same_v<Plain<T>, Inputs::Drive>) {
    member("position", value.position);
    member("velocity", value.velocity);
    member("stiffness", value.stiffness);
    member("damping", value.damping);
    member("effort", value.effort);
  } else if constexpr (std::is_same_v<Plain<T>, Inputs::Parameter>) {
    member("number", value.number);
    member("value", value.value);
  } else if constexpr (std::is_same_v<Plain<T>, Inputs>) {
    member("efforts", value.efforts);
    member("wrenches", value.wrenches);
    member("drives", value.drives);
    member("parameters", value.parameters);
  } else if constexpr (std::is_same_v<Plain<T>, InputChange>) {
    member("step_count", value.step_count);
    member("q", value.q);
    member("v", value.v);
    member("has_inputs", value.has_inputs);
    member("inputs", value.inputs);
  } else if constexpr (std::is_same_v<Plain<T>, StepWork>) {
    member("applied", value.applied);
    member("bilateral", value.bilateral);
    member("bounded", value.bounded);
    member("drives", value.drives);
    member("normal", value.normal);
    member("friction", value.friction);
    member("rolling", value.rolling);
  } else if constexpr (std::is_same_v<Plain<T>, EnergyAccount>) {
    member("initial", value.initial);
    member("released", value.released);
    member("kinetic", value.kinetic);
    member("potential", value.potential);
    member("work", value.work);
    member("remainder", value.remainder);
    member("gained", value.gained);
    member("scale", value.scale);
    member("largest_kinetic", value.largest_kinetic);
  } else {
    static_assert(std::is_same_v<Plain<T>, State>, "a kind of value that Describe does not know");
    member("time", value.time);
    member("released", value.released);
    member("q", value.q);
    member("v", value.v);
    member("start_time", value.start_time);
    member("step_count", value.step_count);
    member("contacts", value.contacts);
    member("joints", value.joints);
    member("drive_modes", value.drive_modes);
    member("load_limits", value.load_limits);
    member("redundant_rows", value.redundant_rows);
    member("velocity_change", value.velocity_change);
    member("impulse_change", value.impulse_change);
    member("events", value.events);
    member("inputs", value.inputs);
    member("energy", value.energy);
  }
}

template <typename Archive, typename T>
void Describe(Archive& archive, const std::string& name, T& value) {
  using P = Plain<T>;
  if constexpr (std::is_same_v<P, double> || std::is_same_v<P, std::string>) {
    archive.Value(name, value);
  } else if constexpr (std::is_integral_v<P> || std::is_enum_v<P>) {
    DescribeWhole(archive, name, value);
  } else if constexpr (std::is_same_v<P, Vec3>) {
    DescribeFixed(archive, name, value);
  } else if constexpr (std::is_same_v<P, VecX>) {
    DescribeEigen(archive, name, value);
  } else if constexpr (IsList<P>::value) {
    DescribeList(archive, name, value);
  } else {
    DescribeMembers(archive, name, value);
  }
}

}  // namespace

namespace {

template <typename T>
StateLists Save(const char* name, const T& value) {
  StateLists lists;
  StateSaver saver(&lists);
  Describe(saver, name, value);
  return lists;
}

template <typename T>
T Load(const char* name, const StateSource& source) {
  StateLoader loader(source);
  T value;
  Describe(loader, name, value);
  return value;
}

}  // namespace

StateLists ListsOf(const State& state) { return Save("state", state); }
StateLists ListsOf(const InputLog& log) { return Save("inputs", log); }
State StateOf(const StateSource& source) { return Load<State>("state", source); }
InputLog InputsOf(const StateSource& source) { return Load<InputLog>("inputs", source); }

}  // namespace slipstick::internal
