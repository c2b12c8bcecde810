// A step of small mechanisms: chains of hinges without and with friction, an arm with friction in its joints, a
// four-legged robot that stands on servos; beside MuJoCo on the same mechanisms, where it is installed.
//   trees [mechanism [steps [rounds]]]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "slipstick/simulation/simulation.h"
#include "slipstick/stepping/stepper.h"

#ifdef SLIPSTICK_HAS_MUJOCO
#include <mujoco/mujoco.h>
#endif

namespace {

using slipstick::JointType, slipstick::Mat3, slipstick::Scene, slipstick::Simulation, slipstick::Vec3;

constexpr double kStep = 1e-3;

struct Mechanism {
  std::string name;
  Scene scene;
  std::string mujoco;  // the same in its words
};

std::string Text(const Vec3& v) { return fmt::format("{} {} {}", v[0], v[1], v[2]); }

std::string Mujoco(const std::string& bodies, const std::string& rest = "") {
  return fmt::format(
      "<mujoco><compiler angle=\"radian\" inertiafromgeom=\"false\"/><option timestep=\"{}\" gravity=\"0 0 -9.81\"/>"
      "<size nconmax=\"100\" njmax=\"500\"/><worldbody>{}</worldbody>{}</mujoco>",
      kStep, bodies, rest);
}

// A row of links of 0.1 m that hangs from the world by hinges about y and x in turn and starts from an even bend.
Mechanism Row(const std::string& name, int links, double mass, double friction) {
  Mechanism row{name, {}, {}};
  const double length = 0.1, bend = 0.1;
  const Vec3 inertia = mass * Vec3(1e-3, 1e-3, 2e-4);
  std::string open, close;
  for (int k = 0; k < links; ++k) {
    const std::string link = fmt::format("link{}", k);
    const Vec3 axis = k % 2 == 0 ? Vec3::UnitY() : Vec3::UnitX();
    row.scene.bodies.push_back(
        {.name = link, .mass = mass, .com = Vec3(0, 0, -0.5 * length), .inertia = Mat3(inertia.asDiagonal())});
    row.scene.joints.push_back({.name = fmt::format("joint{}", k),
                                .parent = k == 0 ? "world" : fmt::format("link{}", k - 1),
                                .child = link,
                                .parent_frame = {.position = Vec3(0, 0, k == 0 ? 0 : -length)},
                                .links = {{.name = fmt::format("joint{}", k),
                                           .type = JointType::kRevolute,
                                           .axis = axis,
                                           .position = {bend},
                                           .friction = friction}}});
    open += fmt::format(
        "<body pos=\"0 0 {}\"><inertial mass=\"{}\" pos=\"0 0 {}\" diaginertia=\"{}\"/><joint type=\"hinge\" "
        "axis=\"{}\" frictionloss=\"{}\"/>",
        k == 0 ? 0 : -length, mass, -0.5 * length, Text(inertia), Text(axis), friction);
    close += "</body>";
  }
  row.scene.stepper_settings = {{"step", kStep}};
  row.mujoco = Mujoco(open + close);
  return row;
}

// Stands on four legs of three joints each, all held by servos.
Mechanism Quadruped() {
  Mechanism robot{"quadruped", {}, {}};
  Scene& scene = robot.scene;
  scene.default_material.properties.friction = 0.8;
  scene.world_shapes.push_back({.name = "ground", .geometry = slipstick::Plane{}});
  const double height = 0.2 * std::cos(0.5) + 0.2 * std::cos(0.5) + 0.02;
  const Vec3 trunk_inertia(0.02, 0.06, 0.07), thigh_inertia(1e-3, 1e-3, 2e-4), shank_inertia(5e-4, 5e-4, 1e-4);
  scene.bodies.push_back({.name = "trunk",
                          .mass = 6,
                          .inertia = Mat3(trunk_inertia.asDiagonal()),
                          .pose = {.position = Vec3(0, 0, height)}});
  std::string legs, servos;
  for (int leg = 0; leg < 4; ++leg) {
    const Vec3 hip(leg < 2 ? 0.2 : -0.2, leg % 2 == 0 ? 0.12 : -0.12, 0);
    struct Part {
      std::string name, parent;
      Vec3 place, axis, com, inertia;
      double mass, angle;
    };
    const auto name = [leg](const char* part) { return fmt::format("{}{}", part, leg); };
    const Part parts[] = {
        {name("hip"), "trunk", hip, Vec3::UnitX(), Vec3::Zero(), Vec3(2e-4, 2e-4, 2e-4), 0.3, 0},
        {name("thigh"), name("hip"), Vec3::Zero(), Vec3::UnitY(), Vec3(0, 0, -0.1), thigh_inertia, 0.4, 0.5},
        {name("shank"), name("thigh"), Vec3(0, 0, -0.2), Vec3::UnitY(), Vec3(0, 0, -0.1), shank_inertia, 0.2, -1}};
    std::string close;
    for (const Part& part : parts) {
      slipstick::SceneBody body{
          .name = part.name, .mass = part.mass, .com = part.com, .inertia = Mat3(part.inertia.asDiagonal())};
      if (part.name == name("shank")) {
        body.shapes.push_back(
            {.name = "foot", .geometry = slipstick::Sphere{0.02}, .pose = {.position = Vec3(0, 0, -0.2)}});
      }
      scene.bodies.push_back(body);
      scene.joints.push_back({.name = part.name,
                              .parent = part.parent,
                              .child = part.name,
                              .parent_frame = {.position = part.place},
                              .links = {{.name = part.name,
                                         .type = JointType::kRevolute,
                                         .axis = part.axis,
                                         .position = {part.angle},
                                         .effort_limit = 30}}});
      slipstick::SceneDrive servo{
          .name = part.name + "-servo", .joint = part.name, .stiffness = 150, .damping = 3, .effort = 30};
      servo.position = slipstick::TimeFunction(part.angle);
      scene.drives.push_back(servo);
      legs += fmt::format(
          "<body pos=\"{}\"><inertial mass=\"{}\" pos=\"{}\" diaginertia=\"{}\"/><joint name=\"{}\" type=\"hinge\" "
          "axis=\"{}\" damping=\"3\"/>",
          Text(part.place), part.mass, Text(part.com), Text(part.inertia), part.name, Text(part.axis));
      close += "</body>";
      servos +=
          fmt::format("<position joint=\"{}\" kp=\"150\" forcelimited=\"true\" forcerange=\"-30 30\"/>", part.name);
    }
    legs +=
        "<geom type=\"sphere\" size=\"0.02\" pos=\"0 0 -0.2\" friction=\"0.8 0 0\" contype=\"1\" conaffinity=\"2\"/>";
    legs += close;
  }
  scene.stepper_settings = {{"step", kStep}};
  robot.mujoco = Mujoco(
      fmt::format("<geom type=\"plane\" size=\"5 5 1\" friction=\"0.8 0 0\" contype=\"2\" conaffinity=\"1\"/>"
                  "<body pos=\"0 0 {}\"><freejoint/><inertial mass=\"6\" pos=\"0 0 0\" diaginertia=\"{}\"/>{}</body>",
                  height, Text(trunk_inertia), legs),
      fmt::format("<actuator>{}</actuator>", servos));
  return robot;
}

double Seconds(const std::function<void()>& run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

#ifdef SLIPSTICK_HAS_MUJOCO
class MujocoRun {
 public:
  explicit MujocoRun(const std::string& text) {
    auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "tree.xml", static_cast<int>(text.size()));
    std::memcpy(files->filedata[0], text.data(), text.size());
    char error[500] = "";
    model_ = mj_loadXML("tree.xml", files.get(), error, sizeof(error));
    mj_deleteVFS(files.get());
    if (model_ == nullptr) throw std::runtime_error(std::string(error) + "\n" + text);
    data_ = mj_makeData(model_);
  }
  MujocoRun(const MujocoRun&) = delete;
  ~MujocoRun() {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }
  void Start(const slipstick::State& state, bool floats) {
    mj_resetData(model_, data_);
    // free joints have position before rotation there
    for (int k = 0; k < model_->nq; ++k) data_->qpos[k] = state.q[floats && k < 7 ? (k + 4) % 7 : k];
    for (int k = 0; k < model_->nu; ++k) data_->ctrl[k] = data_->qpos[7 + k];
  }
  void Step() { mj_step(model_, data_); }
  double height() const { return data_->qpos[2]; }

 private:
  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
};
#endif

void Measure(const Mechanism& mechanism, int steps, int rounds) {
  Simulation simulation(mechanism.scene);
  const slipstick::State start = simulation.state();
  std::vector<double> own, other;
  long failed = 0;
#ifdef SLIPSTICK_HAS_MUJOCO
  MujocoRun mujoco(mechanism.mujoco);
#endif
  for (int round = 0; round < rounds; ++round) {
    simulation.SetState(start);
    own.push_back(1e6 / steps * Seconds([&] {
                    for (int k = 0; k < steps; ++k) failed += simulation.Step().certificate.passed ? 0 : 1;
                  }));
#ifdef SLIPSTICK_HAS_MUJOCO
    mujoco.Start(start, mechanism.name == "quadruped");
    other.push_back(1e6 / steps * Seconds([&] {
                      for (int k = 0; k < steps; ++k) mujoco.Step();
                    }));
#endif
  }
  const auto least = [](const std::vector<double>& values) { return *std::min_element(values.begin(), values.end()); };
  fmt::print("{:16} slipstick {:8.2f} µs a step", mechanism.name, least(own));
  if (!other.empty()) fmt::print(", MuJoCo {:8.2f} µs, ratio {:.2f}", least(other), least(own) / least(other));
  fmt::print("; {} steps failed\n", failed);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string only = argc > 1 ? argv[1] : "all";
  const int steps = argc > 2 ? std::atoi(argv[2]) : 1000, rounds = argc > 3 ? std::atoi(argv[3]) : 5;
  const Mechanism mechanisms[] = {Row("chain", 50, 0.1, 0), Row("chain-friction", 50, 0.1, 0.01), Row("arm", 8, 1, 0),
                                  Row("arm-friction", 8, 1, 0.25), Quadruped()};
  for (const Mechanism& mechanism : mechanisms) {
    if (only == "all" || only == mechanism.name) Measure(mechanism, steps, rounds);
  }
}
