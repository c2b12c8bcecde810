#include "slipstick/model/springs.h"

#include <array>
#include <cmath>
#include <limits>

namespace slipstick::internal {
namespace {

// A spring where it is: its length, and the row of its rate in the velocities of each tree that it is fixed to.
struct Pull {
  std::array<Vec3, 2> ends;
  Vec3 direction;  // from the first to the second
  double length = 0;
  std::array<int, 2> tree = {-1, -1};  // the first twice where both ends are in it
  std::array<Eigen::RowVectorXd, 2> row;

  bool is_in_one_tree() const { return tree[0] < 0 || tree[1] < 0 || tree[0] == tree[1]; }
  double Rate(const BlockLayout& trees, ConstRef<VecX> v) const {
    double rate = 0;
    for (int end = 0; end < 2; ++end) {
      if (tree[end] < 0) continue;
      rate += row[end].dot(v.segment(trees.offset[tree[end]], trees.size[tree[end]]));
    }
    return rate;
  }
  void AddForce(const BlockLayout& trees, double tension, VecX* force) const {
    for (int end = 0; end < 2; ++end) {
      if (tree[end] < 0) continue;
      force->segment(trees.offset[tree[end]], trees.size[tree[end]]) -= tension * row[end].transpose();
    }
  }
};

Pull PullOf(const Model& model, const Kinematics& kin, const PointSpring& spring) {
  Pull pull;
  for (int end = 0; end < 2; ++end) pull.ends[end] = kin.PoseOf(spring.body[end]) * spring.point[end];
  const Vec3 along = pull.ends[1] - pull.ends[0];
  pull.length = along.norm();
  // of no length it has no direction and pulls nowhere
  pull.direction = pull.length > 0 ? Vec3(along / pull.length) : Vec3::Zero();
  for (int end = 0; end < 2; ++end) {
    const int tree = spring.body[end] == kWorld ? -1 : model.TreeOf(spring.body[end]);
    pull.tree[end] = tree;
    if (tree < 0) continue;
    pull.row[end].setZero(model.trees.size[tree]);
    AddPointRow(model, kin, spring.body[end], pull.ends[end], pull.direction, end == 0 ? -1 : 1, pull.row[end]);
  }
  if (pull.tree[0] >= 0 && pull.tree[0] == pull.tree[1]) {
    pull.row[0] += pull.row[1];
    pull.tree[1] = -1;
  }
  return pull;
}

double Tension(const PointSpring& spring, double length, double rate) {
  return spring.stiffness * (length - spring.length) + spring.damping * rate;
}

// What a spring within one tree pulls with in a step.
double LeadTension(const PointSpring& spring, double length, const ImplicitLead& lead, double rate_before,
                   double rate_after, double h) {
  return Tension(spring, length + h * (lead.position_after * rate_after - lead.position_before * rate_before),
                 lead.velocity_after * rate_after + lead.velocity_before * rate_before);
}

// What a spring has pulled with in a step.
double PulledTension(const Model& model, int i, const Pull& pull, const SpringStep& step) {
  const PointSpring& spring = model.springs[i];
  if (!pull.is_in_one_tree()) return Tension(spring, pull.length, pull.Rate(model.trees, step.v_between));
  return LeadTension(spring, pull.length, ImplicitLead::Of(step.shares[i]), pull.Rate(model.trees, step.v_before),
                     pull.Rate(model.trees, step.v_after), step.h);
}

// The mass that a spring within one tree moves, about: each velocity alone.
double MovedMass(const Pull& pull, int end, const BlockDiagonal::Block& mass) {
  double mobility = 0;
  for (Eigen::Index i = 0; i < pull.row[end].size(); ++i) {
    if (mass(i, i) > 0) mobility += pull.row[end][i] * pull.row[end][i] / mass(i, i);
  }
  return mobility > 0 ? 1 / mobility : 0.0;
}

}  // namespace

void AddSpringForces(const Model& model, const Kinematics& kin, ConstRef<VecX> v, VecX* force) {
  for (const PointSpring& spring : model.springs) {
    const Pull pull = PullOf(model, kin, spring);
    pull.AddForce(model.trees, Tension(spring, pull.length, pull.Rate(model.trees, v)), force);
  }
}

void AddStepSprings(const Model& model, const Kinematics& kin, ConstRef<VecX> v, ConstRef<VecX> v_between, double h,
                    bool at_end, std::vector<double>* shares, BlockDiagonal* mass, VecX* force) {
  shares->assign(model.springs.size(), 1.0);
  for (std::size_t i = 0; i < model.springs.size(); ++i) {
    const PointSpring& spring = model.springs[i];
    const Pull pull = PullOf(model, kin, spring);
    if (!pull.is_in_one_tree()) {
      pull.AddForce(model.trees, Tension(spring, pull.length, pull.Rate(model.trees, v_between)), force);
      continue;
    }
    const int end = pull.tree[0] >= 0 ? 0 : 1;
    if (pull.tree[end] < 0) continue;
    auto block = mass->block(pull.tree[end]);
    if (!at_end) (*shares)[i] = StiffShare(spring.stiffness, spring.damping, MovedMass(pull, end, block), h);
    const ImplicitLead lead = ImplicitLead::Of((*shares)[i]);
    const double rate = pull.Rate(model.trees, v);
    pull.AddForce(model.trees, LeadTension(spring, pull.length, lead, rate, rate, h), force);
    block += lead.Gain(spring.stiffness, spring.damping, h) * pull.row[end].transpose() * pull.row[end];
  }
}

void AddPulledForces(const Model& model, const Kinematics& kin, const SpringStep& step, VecX* force) {
  for (std::size_t i = 0; i < model.springs.size(); ++i) {
    const Pull pull = PullOf(model, kin, model.springs[i]);
    pull.AddForce(model.trees, PulledTension(model, static_cast<int>(i), pull, step), force);
  }
}

void AddPulledWrenches(const Model& model, const Kinematics& kin, const SpringStep& step, BodyWrenches* wrenches) {
  for (std::size_t i = 0; i < model.springs.size(); ++i) {
    const PointSpring& spring = model.springs[i];
    const Pull pull = PullOf(model, kin, spring);
    const Vec3 force = PulledTension(model, static_cast<int>(i), pull, step) * pull.direction;
    wrenches->AddForce(kin, spring.body[0], pull.ends[0], force);
    wrenches->AddForce(kin, spring.body[1], pull.ends[1], -force);
  }
}

SpringLimit FindSpringLimit(const Model& model, const Kinematics& kin, const BlockDiagonal& mass) {
  SpringLimit limit;
  for (std::size_t i = 0; i < model.springs.size(); ++i) {
    const PointSpring& spring = model.springs[i];
    const Pull pull = PullOf(model, kin, spring);
    if (pull.is_in_one_tree()) continue;
    double mobility = 0;  // 1/m of the two ends together
    for (int end = 0; end < 2; ++end) {
      MatX answer = pull.row[end].transpose();
      mass.SolveBlockInPlace(pull.tree[end], answer);
      mobility += pull.row[end].dot(answer.col(0));
    }
    // of l̈ = −w (k l + d l̇) by v⁺ = v + h l̈, l⁺ = l + h v⁺: stable where h² w k + 2 h w d < 4; half of that for others
    // on the same bodies
    const double k = mobility * spring.stiffness, d = mobility * spring.damping;
    const double longest = k > 0   ? (std::sqrt(d * d + 2 * k) - d) / k
                           : d > 0 ? 1 / d
                                   : std::numeric_limits<double>::infinity();
    if (limit.spring < 0 || longest < limit.longest_step) limit = {static_cast<int>(i), longest};
  }
  return limit;
}

}  // namespace slipstick::internal
