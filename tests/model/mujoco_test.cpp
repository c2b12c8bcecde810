// Trees of all joints against another simulator: mass matrix, bias, gravity, poses and Jacobians as MuJoCo has them.
#include <gtest/gtest.h>

#ifdef SLIPSTICK_HAS_MUJOCO
#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <Eigen/Eigenvalues>

#include <cstring>
#include <memory>

#include "slipstick/model/dynamics.h"
#include "slipstick/model/joint_kinematics.h"
#endif
#include "tests/model/random_models.h"

namespace slipstick::internal {
namespace {

#ifndef SLIPSTICK_HAS_MUJOCO
TEST(MujocoTest, AgreesOnRandomTrees) {
  GTEST_SKIP() << "MuJoCo is missing (Debian's libmujoco-dev), which ./test installs";
}
#else

std::string Text(const Vec3& v) { return fmt::format("{:.17g} {:.17g} {:.17g}", v[0], v[1], v[2]); }
std::string Text(const Quat& q) { return fmt::format("{:.17g} {:.17g} {:.17g} {:.17g}", q.w(), q.x(), q.y(), q.z()); }

// The chain of joints that moves a body of the user's against the one before: its massless links and itself, with the
// pose of the body in each joint's moving frame where all joints after that one are at 0.
struct Chain {
  int parent = kWorld;
  std::vector<int> links;
  std::vector<Pose> X_MB;
  Pose X_PB;  // all joints at 0
};

Chain ChainOf(const Model& model, int body) {
  Chain chain;
  Pose after = model.bodies[body].X_MB;
  for (int link = body;;) {
    chain.links.insert(chain.links.begin(), link);
    chain.X_MB.insert(chain.X_MB.begin(), after);
    after = model.bodies[link].X_PF * after;
    const int parent = model.bodies[link].parent;
    if (parent == kWorld || !model.bodies[parent].is_link) {
      chain.parent = parent;
      chain.X_PB = after;
      return chain;
    }
    link = parent;
    after = model.bodies[link].X_MB * after;
  }
}

// The same system in MuJoCo's words. Its bodies have several joints where ours have links in between.
class MujocoCopy {
 public:
  explicit MujocoCopy(const Model& model) : model_(model) {
    std::string text =
        fmt::format("<mujoco><compiler angle=\"radian\" inertiafromgeom=\"false\"/><option gravity=\"{}\"/><worldbody>",
                    Text(model.gravity));
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      if (model.bodies[b].is_link) continue;
      const Chain chain = ChainOf(model, static_cast<int>(b));
      if (chain.parent == kWorld) text += BodyText(static_cast<int>(b));
    }
    text += "</worldbody></mujoco>";
    auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "tree.xml", static_cast<int>(text.size()));
    std::memcpy(files->filedata[0], text.data(), text.size());
    char error[500] = "";
    system_ = mj_loadXML("tree.xml", files.get(), error, sizeof(error));
    mj_deleteVFS(files.get());
    if (system_ == nullptr) throw std::runtime_error(std::string(error) + "\n" + text);
    data_ = mj_makeData(system_);
  }
  MujocoCopy(const MujocoCopy&) = delete;
  ~MujocoCopy() {
    mj_deleteData(data_);
    mj_deleteModel(system_);
  }

  int v_size() const { return system_->nv; }

  // Its velocities are `change` × ours. The matrix depends on the turned joints alone and its rate times our velocities
  // is 0, so that forces go back by its transpose, Coriolis forces among them.
  void Set(const MotionState& state) {
    change = MatX::Zero(system_->nv, model_.v_size());
    int q_to = 0, v_to = 0;
    for (const int body : order_) {
      const Chain chain = ChainOf(model_, body);
      for (std::size_t i = 0; i < chain.links.size(); ++i) {
        const ModelBody& link = model_.bodies[chain.links[i]];
        const double *q = &state.q[link.q_offset], *v = &state.v[link.v_offset];
        const Quat after = chain.X_MB[i].rotation;
        const Pose X_FM = ComputeJointKinematics(link.joint, link.axis, link.second_axis, q, v).X_FM;
        const auto put_turn = [&](const Quat& turn, const Mat3& to_own) {
          const double values[] = {turn.w(), turn.x(), turn.y(), turn.z()};
          std::copy_n(values, 4, data_->qpos + q_to);
          change.block<3, 3>(v_to, link.v_offset) = to_own;
          q_to += 4;
          v_to += 3;
        };
        if (link.joint == JointType::kFree) {  // alone, and its frame the body's: see RandomModels
          for (int k = 0; k < 3; ++k) data_->qpos[q_to + k] = q[4 + k];
          change.block<3, 3>(v_to, link.v_offset + 3).setIdentity();
          q_to += 3;
          v_to += 3;
          put_turn(X_FM.rotation, X_FM.rotation.conjugate().toRotationMatrix());
        } else if (link.joint == JointType::kSpherical) {
          put_turn(after.conjugate() * X_FM.rotation * after, (X_FM.rotation * after).conjugate().toRotationMatrix());
        } else {
          for (int k = 0; k < link.v_count; ++k) {
            data_->qpos[q_to++] = q[k];
            change(v_to++, link.v_offset + k) = 1;
          }
        }
      }
    }
    Eigen::Map<VecX>(data_->qvel, system_->nv) = change * state.v;
    mj_kinematics(system_, data_);
    mj_comPos(system_, data_);
    mj_crb(system_, data_);
    mj_comVel(system_, data_);
    mj_rne(system_, data_, 0, data_->qfrc_bias);
  }

  MatX Mass() const {
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> full(system_->nv, system_->nv);
    mj_fullM(system_, full.data(), data_->qM);
    return change.transpose() * full * change;
  }
  // c − f_grav
  VecX Bias() const { return change.transpose() * Eigen::Map<const VecX>(data_->qfrc_bias, system_->nv); }
  int NumberOf(int body) const { return mj_name2id(system_, mjOBJ_BODY, model_.bodies[body].name.c_str()); }
  Pose PoseOf(int body) const {
    const mjtNum *p = data_->xpos + 3 * NumberOf(body), *q = data_->xquat + 4 * NumberOf(body);
    return {Quat(q[0], q[1], q[2], q[3]), Vec3(p[0], p[1], p[2])};
  }
  // Of a point of the body: three rows of its velocity, three of its angular velocity.
  MatX Jacobian(int body, const Vec3& point) const {
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows(6, system_->nv);
    mj_jac(system_, data_, rows.data(), rows.data() + 3 * system_->nv, point.data(), NumberOf(body));
    return rows * change;
  }

  MatX change;

 private:
  std::string BodyText(int body) {
    const Chain chain = ChainOf(model_, body);
    const ModelBody& own = model_.bodies[body];
    order_.push_back(body);
    std::string text = fmt::format("<body name=\"{}\" pos=\"{}\" quat=\"{}\">", own.name, Text(chain.X_PB.position),
                                   Text(chain.X_PB.rotation));
    const Eigen::SelfAdjointEigenSolver<Mat3> principal(own.inertia);
    Mat3 axes = principal.eigenvectors();
    if (axes.determinant() < 0) axes.col(0) *= -1;
    text += fmt::format("<inertial mass=\"{:.17g}\" pos=\"{}\" quat=\"{}\" diaginertia=\"{}\"/>", own.mass,
                        Text(own.com), Text(Quat(axes)), Text(Vec3(principal.eigenvalues())));
    for (std::size_t i = 0; i < chain.links.size(); ++i) {
      const ModelBody& link = model_.bodies[chain.links[i]];
      const Pose X_BM = chain.X_MB[i].Inverse();
      const auto joint = [&](const std::string& type, const Vec3& axis) {
        text += fmt::format("<joint type=\"{}\" pos=\"{}\" axis=\"{}\"/>", type, Text(X_BM.position),
                            Text(Vec3(X_BM.rotation * axis)));
      };
      switch (link.joint) {
        case JointType::kFree:
          text += "<freejoint/>";
          break;
        case JointType::kFixed:
          break;
        case JointType::kRevolute:
          joint("hinge", link.axis);
          break;
        case JointType::kPrismatic:
          joint("slide", link.axis);
          break;
        case JointType::kSpherical:
          joint("ball", link.axis);
          break;
        case JointType::kUniversal:
          joint("hinge", link.axis);
          joint("hinge", link.second_axis);
          break;
        case JointType::kCylindrical:
          joint("hinge", link.axis);
          joint("slide", link.axis);
          break;
        case JointType::kPlanar: {
          Vec3 first, second;
          CompleteFrame(link.axis, &first, &second);
          joint("slide", first);
          joint("slide", second);
          joint("hinge", link.axis);
          break;
        }
      }
    }
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
      if (!model_.bodies[b].is_link && ChainOf(model_, static_cast<int>(b)).parent == body) {
        text += BodyText(static_cast<int>(b));
      }
    }
    return text + "</body>";
  }

  const Model& model_;
  std::vector<int> order_;  // ours, in the order of its bodies
  mjModel* system_ = nullptr;
  mjData* data_ = nullptr;
};

TEST(MujocoTest, AgreesOnRandomTrees) {
  RandomModels random(41);
  random.only_what_mujoco_has = true;
  for (int n = 0; n < 60; ++n) {
    const Model model = CompileModel(random.MakeScene(1 + n % 50));
    if (model.v_size() == 0) continue;
    SCOPED_TRACE(fmt::format("model {} with {} velocities", n, model.v_size()));
    const MotionState state = random.AnyState(model);
    const Kinematics kinematics = KinematicsOf(model, state);
    MujocoCopy copy(model);
    ASSERT_EQ(copy.v_size(), model.v_size());
    copy.Set(state);

    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      if (model.bodies[b].is_link) continue;
      const int body = static_cast<int>(b);
      const Pose pose = copy.PoseOf(body);
      const double reach = 1 + pose.position.norm();
      EXPECT_LT((pose.position - kinematics.X_WB[b].position).norm(), 1e-11 * reach);
      EXPECT_LT(kinematics.X_WB[b].rotation.angularDistance(pose.rotation), 1e-7);  // an arc cosine's rounding
      const Vec3 point = kinematics.X_WB[b] * random.Vector();
      MatX rows = MatX::Zero(6, model.v_size());
      for (int k = 0; k < 3; ++k) {
        Eigen::RowVectorXd row(model.v_size());
        const int tree = model.TreeOf(body);
        if (tree < 0) continue;
        const int first = model.trees.offset[tree], count = model.trees.size[tree];
        row.setZero();
        AddPointRow(model, kinematics, body, point, Vec3::Unit(k), 1, row.segment(first, count));
        rows.row(k) = row;
        row.setZero();
        AddAngularRow(model, kinematics, body, Vec3::Unit(k), 1, row.segment(first, count));
        rows.row(3 + k) = row;
      }
      EXPECT_LT((rows - copy.Jacobian(body, point)).lpNorm<Eigen::Infinity>(), 1e-10 * reach);
    }

    DynamicsWorkspace workspace;
    BlockDiagonal mass;
    ComputeMassMatrix(model, kinematics, &workspace, &mass);
    MatX full = MatX::Zero(model.v_size(), model.v_size());
    for (int t = 0; t < model.trees.count(); ++t) {
      const int first = model.trees.offset[t], count = model.trees.size[t];
      full.block(first, first, count, count) = mass.Dense(t);
    }
    const MatX expected_mass = copy.Mass();
    EXPECT_LT((full - expected_mass).lpNorm<Eigen::Infinity>(), 1e-10 * expected_mass.lpNorm<Eigen::Infinity>());

    VecX bias, gravity;
    ComputeBiasForces(model, kinematics, &workspace, &bias);
    ComputeGravityForces(model, kinematics, &workspace, &gravity);
    const VecX expected_bias = copy.Bias();
    EXPECT_LT((bias - gravity - expected_bias).lpNorm<Eigen::Infinity>(),
              1e-10 * expected_bias.lpNorm<Eigen::Infinity>());
  }
}

#endif

}  // namespace
}  // namespace slipstick::internal
