#include "slipstick/simulation/simulation.h"

#include <algorithm>

#include "slipstick/base/check.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/simulation/apply_inputs.h"
#include "slipstick/simulation/check_state.h"
#include "slipstick/simulation/joint_readings.h"
#include "slipstick/simulation/simulation_parts.h"
#include "slipstick/stepping/judge_positions.h"

namespace slipstick {
namespace {

int Find(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

}  // namespace

Simulation::Simulation(const Scene& scene) : Simulation(internal::Prepare(scene)) {}

Simulation::Simulation(std::unique_ptr<internal::SimulationParts> parts) : parts_(std::move(parts)) {
  parts_->motion = internal::StartOf(*parts_->model);
  parts_->stepper->Begin(parts_->motion);
}

Simulation::Simulation(Simulation&& other) noexcept = default;
Simulation& Simulation::operator=(Simulation&& other) noexcept = default;
Simulation::~Simulation() = default;

const internal::StepRecord& Simulation::Step() {
  if (parts_->before_step) parts_->before_step(*this);
  FeedReplayed();
  if (parts_->has_new_inputs) {
    const bool has_parameters = state().inputs.parameters != parts_->parameters;
    internal::ApplyInputs(parts_.get());
    if (has_parameters) CountEnergyAnew();
    RecordInputsGiven();
    parts_->stepper->InputsChanged(parts_->motion);
  }
  parts_->stepper->Step(&parts_->motion, &parts_->record);
  return parts_->record;
}

double Simulation::step() const { return parts_->stepper->step(); }
double Simulation::duration() const { return parts_->stepper->duration(); }
const std::string& Simulation::stepper_name() const { return parts_->stepper_name; }
const State& Simulation::state() const { return parts_->motion.state; }

void Simulation::SetState(const State& state) {
  const std::vector<Fault> faults = internal::CheckState(state, *parts_);
  if (!faults.empty()) throw InputError(faults);
  parts_->motion.state = state;
  StateWasSet();
}

void Simulation::StateWasSet() {
  internal::ComputeKinematics(*parts_->model, parts_->motion.state, &parts_->motion.kinematics);
  internal::ApplyInputs(parts_.get());
  parts_->stepper->Begin(parts_->motion);
}

void Simulation::TakeOver(const State& state) {
  SetState(state);
  CountEnergyAnew();
}

// What was changed from outside brings energy in: it is counted with what released bodies bring.
void Simulation::CountEnergyAnew() {
  auto& [state, kinematics] = parts_->motion;
  state.energy.Release(internal::KineticEnergy(*parts_->model, kinematics),
                       internal::PotentialEnergy(*parts_->model, kinematics));
}

int Simulation::FindBody(const std::string& name) const {
  const std::vector<internal::ModelBody>& bodies = parts_->model->bodies;
  const auto found = std::find_if(bodies.begin(), bodies.end(), [&](const auto& body) { return body.name == name; });
  return found == bodies.end() ? -1 : static_cast<int>(found - bodies.begin());
}
int Simulation::FindDrive(const std::string& name) const {
  const std::vector<internal::JointDrive>& drives = parts_->model->drives;
  const auto found = std::find_if(drives.begin(), drives.end(), [&](const auto& drive) { return drive.name == name; });
  return found == drives.end() ? -1 : static_cast<int>(found - drives.begin());
}
int Simulation::FindCoordinate(const std::string& name) const { return Find(CoordinateNames(), name); }
int Simulation::FindVelocity(const std::string& name) const { return Find(VelocityNames(), name); }
std::vector<std::string> Simulation::BodyNames() const {
  std::vector<std::string> names;
  for (const internal::ModelBody& body : parts_->model->bodies) names.push_back(body.name);
  return names;
}
std::vector<std::string> Simulation::CoordinateNames() const { return parts_->model->CoordinateNames(); }
std::vector<std::string> Simulation::VelocityNames() const { return parts_->model->VelocityNames(); }

Pose Simulation::BodyPose(int body) const { return parts_->motion.kinematics.PoseOf(body); }
Vec3 Simulation::BodyVelocity(int body) const {
  return body == kWorldBody ? Vec3(0, 0, 0) : parts_->motion.kinematics.linear_velocity.at(body);
}
Vec3 Simulation::BodyAngularVelocity(int body) const {
  return body == kWorldBody ? Vec3(0, 0, 0) : parts_->motion.kinematics.angular_velocity.at(body);
}

void Simulation::BeforeEachStep(std::function<void(Simulation&)> callback) {
  parts_->before_step = std::move(callback);
}

const Certificate& Simulation::certificate() const { return parts_->record.certificate; }

std::vector<ContactReading> Simulation::Contacts() const {
  const internal::ContactProblem& problem = parts_->record.problem;
  const internal::ContactSolution& solution = parts_->record.solution;
  const internal::ContactSet& contacts = problem.contacts;
  std::vector<ContactReading> readings;
  if (solution.contact.size() != 3 * contacts.size() || !solution.velocity.allFinite()) return readings;
  readings.reserve(contacts.key.size());
  for (int i = 0; i < contacts.size(); ++i) {
    ContactReading& reading = readings.emplace_back();
    reading.key = contacts.key[i];
    reading.body_a = parts_->model->shapes[reading.key.shape_a].body;
    reading.body_b = parts_->model->shapes[reading.key.shape_b].body;
    reading.position = contacts.position[i];
    reading.normal = contacts.normal(i);
    reading.gap = contacts.gap[i];
    reading.force = contacts.FromComponents(i, solution.contact.segment<3>(3 * i)) / problem.step;
    reading.moment = contacts.FromComponents(i, solution.Moment(problem, i)) / problem.step;
    const internal::PointMotion motion = internal::ComputePointMotion(contacts, i, solution.velocity);
    reading.slip = contacts.World(i, motion.contact.tail<2>()) + contacts.Curvature(i);
  }
  return readings;
}

Vec3 Simulation::ContactForce(int body_a, int body_b, int* count) const {
  Vec3 force(0, 0, 0);
  int found = 0;
  for (const ContactReading& contact : Contacts()) {
    const bool is_same = contact.body_a == body_a && contact.body_b == body_b;
    const bool is_turned = contact.body_a == body_b && contact.body_b == body_a;
    if (!is_same && !is_turned) continue;
    force += is_same ? contact.force : Vec3(-contact.force);
    ++found;
  }
  if (count != nullptr) *count = found;
  return force;
}

std::vector<JointReading> Simulation::JointReactions() const {
  const internal::JointGauges gauges = internal::ListJointGauges(*parts_->model);
  const internal::JointReadings found = internal::ComputeJointReadings(*this);
  std::vector<JointReading> readings;
  for (std::size_t i = 0; i < gauges.reactions.size(); ++i) {
    const auto& [force, torque] = found.reactions[i];
    readings.push_back({gauges.reactions[i].name, gauges.reactions[i].on, force, torque});
  }
  return readings;
}

std::vector<EffortReading> Simulation::Efforts() const {
  const internal::JointGauges gauges = internal::ListJointGauges(*parts_->model);
  const internal::JointReadings found = internal::ComputeJointReadings(*this);
  std::vector<EffortReading> readings;
  for (std::size_t i = 0; i < gauges.efforts.size(); ++i) {
    readings.push_back({gauges.efforts[i].name, gauges.efforts[i].unit, found.efforts[i]});
  }
  return readings;
}

const internal::Model& Simulation::model() const { return *parts_->model; }
const internal::Method& Simulation::method() const { return parts_->method; }
const internal::CertificateTolerances& Simulation::tolerances() const { return parts_->tolerances; }
const internal::Kinematics& Simulation::kinematics() const { return parts_->motion.kinematics; }
const internal::StepRecord& Simulation::last_step() const { return parts_->record; }
const internal::EventLog* Simulation::events() const { return parts_->stepper->events(); }

internal::PositionErrors Simulation::JudgePresentPositions() const {
  internal::Motion motion = parts_->motion;
  static_cast<MotionState&>(motion.state) = parts_->stepper->Judged(motion.state);
  internal::ComputeKinematics(*parts_->model, motion.state, &motion.kinematics);
  return internal::JudgePositions(*parts_->model, motion, step(), parts_->tolerances);
}

}  // namespace slipstick
