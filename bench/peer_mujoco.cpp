#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "bench/peer.h"

namespace slipstick::internal {
namespace {

std::string Text(const Vec3& v) { return fmt::format("{:.17g} {:.17g} {:.17g}", v[0], v[1], v[2]); }
std::string Text(const Quat& q) { return fmt::format("{:.17g} {:.17g} {:.17g} {:.17g}", q.w(), q.x(), q.y(), q.z()); }
std::string Text(const Pose& pose) {
  return fmt::format("pos=\"{}\" quat=\"{}\"", Text(pose.position), Text(pose.rotation));
}

std::string GeomText(const ModelShape& shape) {
  std::string kind;
  if (std::holds_alternative<Plane>(shape.geometry)) {
    kind = "type=\"plane\" size=\"0 0 1\"";
  } else if (const auto* sphere = std::get_if<Sphere>(&shape.geometry)) {
    kind = fmt::format("type=\"sphere\" size=\"{:.17g}\"", sphere->radius);
  } else if (const auto* box = std::get_if<Box>(&shape.geometry)) {
    kind = fmt::format("type=\"box\" size=\"{}\"", Text(box->half_extents));
  } else if (const auto* capsule = std::get_if<Capsule>(&shape.geometry)) {
    kind = fmt::format("type=\"capsule\" size=\"{:.17g} {:.17g}\"", capsule->radius, capsule->half_length);
  } else if (const auto* cylinder = std::get_if<Cylinder>(&shape.geometry)) {
    kind = fmt::format("type=\"cylinder\" size=\"{:.17g} {:.17g}\"", cylinder->radius, cylinder->half_length);
  } else {
    throw std::runtime_error("a shape that MuJoCo is not given here");
  }
  return fmt::format("<geom {} {}/>", kind, Text(shape.X_BS));
}

// The model in MuJoCo's words: trees of hinges and slides, free bodies, dry friction, damping, servos.
class ModelText {
 public:
  ModelText(const Model& model, double step) : model_(model) {
    // by default the stack is for a full matrix of all rows, gigabytes in heaps
    const std::size_t contacts = 20 + 8 * model.shapes.size(), rows = 3 * contacts + 4 * model.bodies.size();
    const std::size_t stack = 1'000'000 + 10 * rows * static_cast<std::size_t>(model.v_size());
    text_ = fmt::format(
        "<mujoco><compiler angle=\"radian\" inertiafromgeom=\"false\"/><size njmax=\"{}\" nconmax=\"{}\" "
        "nstack=\"{}\"/>"
        "<option timestep=\"{:.17g}\" gravity=\"{}\" cone=\"elliptic\" solver=\"Newton\"/>"
        "<default><geom friction=\"{:.17g} 0 0\" condim=\"3\"/></default><worldbody>",
        rows, contacts, stack, step, Text(model.gravity), FrictionOf(model));
    AddShapes(kWorld);
    AddBodiesOf(kWorld);
    text_ += "</worldbody><actuator>";
    for (const JointDrive& drive : model.drives) AddDrive(drive);
    text_ += "</actuator></mujoco>";
  }
  const std::string& text() const { return text_; }

 private:
  void AddShapes(int body) {
    for (const ModelShape& shape : model_.shapes)
      if (shape.body == body && shape.collides) text_ += GeomText(shape);
  }

  void AddBodiesOf(int parent) {
    for (std::size_t b = 0; b < model_.bodies.size(); ++b)
      if (model_.bodies[b].parent == parent) AddBody(static_cast<int>(b));
  }

  void AddBody(int number) {
    const ModelBody& body = model_.bodies[number];
    const double* q = &model_.initial_state.q[body.q_offset];
    const bool is_free = body.joint == JointType::kFree;
    if (body.is_link) throw std::runtime_error("a joint of several parts");
    const Pose at = is_free ? Pose{Quat(q[0], q[1], q[2], q[3]), Vec3(q[4], q[5], q[6])} : body.X_PF * body.X_MB;
    const Eigen::SelfAdjointEigenSolver<Mat3> principal(body.inertia);
    Mat3 axes = principal.eigenvectors();
    if (axes.determinant() < 0) axes.col(0) *= -1;
    text_ += fmt::format("<body name=\"b{}\" {}><inertial mass=\"{:.17g}\" {} diaginertia=\"{}\"/>", number, Text(at),
                         body.mass, Text(Pose{Quat(axes), body.com}), Text(Vec3(principal.eigenvalues())));
    if (is_free) {
      text_ += "<freejoint/>";
    } else if (body.joint == JointType::kRevolute || body.joint == JointType::kPrismatic) {
      AddJoint(number);
    } else if (body.joint != JointType::kFixed) {
      throw std::runtime_error("a joint that MuJoCo is not given here");
    }
    AddShapes(number);
    AddBodiesOf(number);
    text_ += "</body>";
  }

  void AddJoint(int number) {
    const ModelBody& body = model_.bodies[number];
    const Pose joint = body.X_MB.Inverse();
    std::string resistance;
    for (const JointResistance& r : model_.joint_resistances) {
      if (r.body != number) continue;
      resistance = fmt::format(" frictionloss=\"{:.17g}\"", r.kinetic);
      if (r.has_stops()) resistance += fmt::format(" limited=\"true\" range=\"{:.17g} {:.17g}\"", r.lower, r.upper);
      // slipstick's `viscous` widens the limit of dry friction with speed: while the joint moves that is damping
      if (r.viscous > 0) resistance += fmt::format(" damping=\"{:.17g}\"", r.viscous);
    }
    text_ += fmt::format("<joint name=\"j{}\" type=\"{}\" pos=\"{}\" axis=\"{}\"{}/>", number,
                         body.joint == JointType::kRevolute ? "hinge" : "slide", Text(joint.position),
                         Text(Vec3(joint.rotation * body.axis)), resistance);
  }

  void AddDrive(const JointDrive& drive) {
    if (drive.kind != JointDrive::Kind::kServo) throw std::runtime_error("a drive that is no servo");
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
      if (model_.bodies[b].v_count != 1 || model_.bodies[b].v_offset != drive.v_index) continue;
      text_ +=
          fmt::format("<general joint=\"j{}\" gainprm=\"{:.17g}\" biastype=\"affine\" biasprm=\"0 {:.17g} {:.17g}\"", b,
                      drive.stiffness, -drive.stiffness, -drive.damping);
      if (std::isfinite(drive.most_effort))
        text_ +=
            fmt::format(" forcelimited=\"true\" forcerange=\"{:.17g} {:.17g}\"", -drive.most_effort, drive.most_effort);
      text_ += "/>";
    }
  }

  const Model& model_;
  std::string text_;
};

class MujocoWorld final : public PeerWorld {
 public:
  MujocoWorld(const Model& model, double step) : model_(model) {
    if (!model.constraints.empty()) throw std::runtime_error("constraints");
    const ModelText text(model, step);
    auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "scene.xml", static_cast<int>(text.text().size()));
    std::memcpy(files->filedata[0], text.text().data(), text.text().size());
    char error[500] = "";
    system_ = mj_loadXML("scene.xml", files.get(), error, sizeof(error));
    mj_deleteVFS(files.get());
    if (system_ == nullptr) throw std::runtime_error(error);
    data_ = mj_makeData(system_);
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      const ModelBody& body = model.bodies[b];
      if (body.v_count == 0) continue;
      const int joint = system_->body_jntadr[NumberOf(b)];
      const double* v = &model.initial_state.v[body.v_offset];
      double *position = data_->qpos + system_->jnt_qposadr[joint],
             *velocity = data_->qvel + system_->jnt_dofadr[joint];
      if (body.joint != JointType::kFree) {
        position[0] = model.initial_state.q[body.q_offset];
        velocity[0] = v[0];
      } else {
        // its angular velocities are along the body's axes
        const double* q = &model.initial_state.q[body.q_offset];
        const Vec3 turning = Quat(q[0], q[1], q[2], q[3]).conjugate() * Vec3(v[0], v[1], v[2]);
        for (int k = 0; k < 3; ++k) {
          velocity[k] = v[3 + k];
          velocity[3 + k] = turning[k];
        }
      }
    }
    GiveTargets();
  }
  ~MujocoWorld() override {
    mj_deleteData(data_);
    mj_deleteModel(system_);
  }

  void Step() override {
    mj_step(system_, data_);
    GiveTargets();
  }
  int contacts() const override { return data_->ncon; }
  void Read(const Model& model, VecX* q) const override {
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      const ModelBody& body = model.bodies[b];
      if (body.v_count == 0) continue;
      const double* position = data_->qpos + system_->jnt_qposadr[system_->body_jntadr[NumberOf(b)]];
      if (body.joint != JointType::kFree) {
        (*q)[body.q_offset] = position[0];
      } else {
        PutPose(body, {Quat(position[3], position[4], position[5], position[6]), Eigen::Map<const Vec3>(position)}, q);
      }
    }
  }

 private:
  int NumberOf(std::size_t body) const { return mj_name2id(system_, mjOBJ_BODY, fmt::format("b{}", body).c_str()); }
  void GiveTargets() {
    for (std::size_t k = 0; k < model_.drives.size(); ++k) data_->ctrl[k] = model_.drives[k].PositionAt(data_->time);
  }

  const Model& model_;
  mjModel* system_ = nullptr;
  mjData* data_ = nullptr;
};

}  // namespace
}  // namespace slipstick::internal

int main(int count, char** arguments) {
  using namespace slipstick::internal;
  return RunPeer(count, arguments, {{fmt::format("MuJoCo {}", mj_versionString()), [](const Model& model, double step) {
                                       return std::make_unique<MujocoWorld>(model, step);
                                     }}});
}
