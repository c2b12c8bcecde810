#include "slipstick/run/record_run.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "slipstick/run/sampling.h"
#include "slipstick/run/version.h"
#include "slipstick/state_file/state_file.h"

namespace slipstick::internal {
namespace {

struct Column {
  const char* name;
  std::vector<double> Trajectory::*values;
};

constexpr Column kColumns[] = {
    {"kinetic_energy", &Trajectory::kinetic},           {"potential_energy", &Trajectory::potential},
    {"numerical_remainder", &Trajectory::remainder},    {"energy_released", &Trajectory::released},
    {"work_applied", &Trajectory::work_applied},        {"work_bilateral", &Trajectory::work_bilateral},
    {"work_joint_friction", &Trajectory::work_bounded}, {"work_drives", &Trajectory::work_drives},
    {"work_normal", &Trajectory::work_normal},          {"work_friction", &Trajectory::work_friction},
    {"work_rolling", &Trajectory::work_rolling},        {"loaded_contacts", &Trajectory::contacts},
    {"normal_force", &Trajectory::normal_force},        {"friction_force", &Trajectory::friction_force},
    {"friction_ratio", &Trajectory::friction_ratio},    {"slip_speed", &Trajectory::slip_speed},
    {"misalignment", &Trajectory::misalignment},        {"momentum_residual", &Trajectory::momentum_residual},
    {"law_residual", &Trajectory::law_residual},        {"coulomb_residual", &Trajectory::coulomb_residual},
    {"cone_violation", &Trajectory::cone_violation},    {"relaxation_gap", &Trajectory::relaxation_gap},
    {"penetration", &Trajectory::penetration},          {"constraint_drift", &Trajectory::drift},
};

std::vector<double> SizesOf(const ShapeGeometry& geometry) {
  if (const auto* sphere = std::get_if<Sphere>(&geometry)) return {sphere->radius};
  if (const auto* box = std::get_if<Box>(&geometry)) {
    return {box->half_extents.x(), box->half_extents.y(), box->half_extents.z()};
  }
  if (const auto* capsule = std::get_if<Capsule>(&geometry)) return {capsule->radius, capsule->half_length};
  if (const auto* cylinder = std::get_if<Cylinder>(&geometry)) return {cylinder->radius, cylinder->half_length};
  if (const auto* disk = std::get_if<Disk>(&geometry)) return {disk->radius};
  if (const auto* hull = std::get_if<Hull>(&geometry)) {
    const Eigen::Map<const VecX> corners(hull->polyhedron->corners.front().data(),
                                         3 * static_cast<Eigen::Index>(hull->polyhedron->corners.size()));
    return {corners.begin(), corners.end()};
  }
  return {};
}

// As RecordingHeader::Shape has them.
std::vector<std::int32_t> FacesOf(const ShapeGeometry& geometry) {
  std::vector<std::int32_t> faces;
  if (const auto* hull = std::get_if<Hull>(&geometry)) {
    const Polyhedron& polyhedron = *hull->polyhedron;
    for (const Polyhedron::Face& face : polyhedron.faces) {
      faces.push_back(face.count);
      const auto loop = polyhedron.loops.begin() + face.first;
      faces.insert(faces.end(), loop, loop + face.count);
    }
  }
  return faces;
}

// Half the thickness of the thinnest shape [m]; of a scene without any, a metre.
double SmallestSize(const Model& model) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const ModelShape& shape : model.shapes) smallest = std::min(smallest, SmallestHalfExtent(shape.geometry));
  return std::isfinite(smallest) ? smallest : 1.0;
}

// All, or where there are more than `most` those that carry load, the strongest of them, in their order.
std::vector<int> ChooseContacts(const ContactSolution& solution, int count, std::size_t most) {
  std::vector<int> chosen;
  const bool all = static_cast<std::size_t>(count) <= most;
  for (int i = 0; i < count; ++i) {
    if (all || solution.Normal(i) > 0) chosen.push_back(i);
  }
  if (chosen.size() <= most) return chosen;
  const auto stronger = [&](int a, int b) {
    const double x = solution.contact.segment<3>(3 * a).squaredNorm(),
                 y = solution.contact.segment<3>(3 * b).squaredNorm();
    return x > y || (x == y && a < b);
  };
  std::nth_element(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(most), chosen.end(), stronger);
  chosen.resize(most);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace

RecordingHeader MakeRecordingHeader(const Scene& scene, const Simulation& simulation) {
  const Model& model = simulation.model();
  RecordingHeader header;
  header.scene_name = scene.name;
  header.scene_yaml = scene.effective_text;
  header.law = scene.law;
  header.solver = scene.solver;
  header.stepper = scene.stepper;
  header.version = kVersion;
  header.step = simulation.step();
  for (const ModelBody& body : model.bodies) {
    if (body.is_link) continue;
    header.body_names.push_back(body.name);
    header.body_inertias.push_back({body.mass, body.com, body.inertia});
    header.body_releases.push_back(body.release_number < 0 ? 0.0 : model.releases[body.release_number].time);
  }
  for (const ModelShape& shape : model.shapes) {
    header.shapes.push_back({shape.body == kWorld ? "world" : model.bodies[shape.body].name, shape.name,
                             ShapeName(shape.geometry), SizesOf(shape.geometry), shape.X_BS, FacesOf(shape.geometry)});
  }
  for (const Column& column : kColumns) header.scalar_names.push_back(column.name);
  if (DetailOfRecording(scene) == RecordingDetail::kReplay) {
    header.pose_rounding = SmallestSize(model) / 2048;
  } else {
    header.coordinate_names = model.CoordinateNames();
    header.velocity_names = model.VelocityNames();
    const JointGauges gauges = ListJointGauges(model);
    for (const JointGauges::Effort& effort : gauges.efforts) {
      header.effort_names.push_back(effort.name);
      header.effort_units.push_back(effort.unit);
    }
    for (const JointGauges::Reaction& reaction : gauges.reactions) {
      header.reaction_names.push_back(reaction.name);
      header.reaction_bodies.push_back(reaction.on);
    }
  }
  return header;
}

RunRecorder::RunRecorder(const std::filesystem::path& folder, const Scene& scene, const Simulation& simulation)
    : folder_(folder),
      records_state_(DetailOfRecording(scene) == RecordingDetail::kFull),
      most_contacts_(MostRecordedContacts(scene)),
      writer_(folder, MakeRecordingHeader(scene, simulation)) {
  // those of an older run
  std::error_code ignored;
  std::filesystem::remove(folder / "inputs.h5", ignored);
}

void RunRecorder::Close(const Simulation& simulation) {
  writer_.Close();
  if (!simulation.recorded_inputs().empty()) SaveInputs(folder_ / "inputs.h5", simulation.recorded_inputs());
}

std::vector<Pose> RecordedPoses(const Simulation& simulation) {
  std::vector<Pose> poses;
  const Model& model = simulation.model();
  poses.reserve(model.bodies.size());
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    if (!model.bodies[i].is_link) poses.push_back(simulation.kinematics().X_WB[i]);
  }
  return poses;
}

std::vector<RecordingContact> RecordedContacts(const Simulation& simulation, std::size_t most) {
  std::vector<RecordingContact> contacts;
  const StepRecord& record = simulation.last_step();
  const ContactSet& set = record.problem.contacts;
  if (set.size() == 0 || record.solution.contact.size() != 3 * set.size()) return contacts;
  const std::vector<int> chosen = ChooseContacts(record.solution, set.size(), most);
  contacts.reserve(chosen.size());
  ContactMotion after;
  ComputeEndMotion(record.problem, record.solution.velocity, &after);
  const auto angular_velocity_of = [&](int shape) -> Vec3 {
    const int body = simulation.model().shapes[shape].body;
    return body == kWorld ? Vec3::Zero() : simulation.kinematics().angular_velocity[body];
  };
  for (const int i : chosen) {
    const double h = record.problem.step, normal = record.solution.Normal(i);
    const Vec2 slip = after.contact.segment<2>(3 * i + 1);
    RecordingContact contact;
    const ContactKey& key = set.key[i];
    contact.shape_a = static_cast<int>(key.shape_a);
    contact.shape_b = static_cast<int>(key.shape_b);
    contact.place_a = key.place_a;
    contact.place_b = key.place_b;
    contact.position = set.position[i];
    contact.normal = set.normal(i);
    contact.force = (normal * set.normal(i) + set.World(i, record.solution.Tangential(i))) / h;
    contact.moment = set.FromComponents(i, record.solution.Moment(record.problem, i)) / h;
    contact.slip_velocity = set.World(i, slip);
    contact.gap = set.gap[i];
    if (record.solution.relaxation_gap.size() > 0) contact.relaxation_gap = record.solution.relaxation_gap[i];
    contact.state = !(normal > 0) ? 0 : slip.norm() > Trajectory::kSlipping ? 2 : 1;
    contact.angular_velocity = angular_velocity_of(contact.shape_a) - angular_velocity_of(contact.shape_b);
    contact.friction_static = set.surface(i).friction_static;
    contact.friction_kinetic = set.surface(i).friction_kinetic;
    contact.rolling = set.surface(i).rolling;
    contact.spinning = set.surface(i).spinning;
    contact.coulomb_residual = CoulombResidual(record.problem, record.solution, after, i);
    contacts.push_back(contact);
  }
  return contacts;
}

void RunRecorder::Record(const Simulation& simulation, const Trajectory& trajectory) {
  const std::vector<Pose> poses = RecordedPoses(simulation);
  scalars_.clear();
  for (const Column& column : kColumns) scalars_.push_back((trajectory.*column.values).back());
  const std::vector<RecordingContact> contacts = RecordedContacts(simulation, most_contacts_);
  const State& state = simulation.state();
  RecordingFrame frame{.t = state.time, .poses = poses, .scalars = scalars_, .contacts = contacts};
  JointReadings readings;
  std::vector<RecordingWrench> reactions;
  if (records_state_) {
    frame.q = {state.q.data(), static_cast<std::size_t>(state.q.size())};
    frame.v = {state.v.data(), static_cast<std::size_t>(state.v.size())};
    readings = trajectory.joints ? trajectory.joints->last : ComputeJointReadings(simulation);
    for (const JointReadings::Wrench& reaction : readings.reactions) {
      reactions.push_back({reaction.force, reaction.torque});
    }
    frame.efforts = readings.efforts;
    frame.reactions = reactions;
  }
  writer_.Append(frame);
}

}  // namespace slipstick::internal
