#include "slipstick/solver/compact/contact_gradient.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace slipstick::internal {
namespace {

constexpr int kPiece = 256;

double Total(const std::vector<double>& of_pieces) { return std::accumulate(of_pieces.begin(), of_pieces.end(), 0.0); }

// −gradient of the energy at a contact, what it is to step against.
CompactPair Gradient(const CompactProgram& program, const CompactContact& contact, const CompactScale& scale,
                     const CompactPair& velocity) {
  CompactPair gradient = velocity;
  if (program.non_associated) gradient.force += ScaledSlip(contact, scale, velocity) * contact.normal;
  return gradient;
}

}  // namespace

const SettingTable<ContactGradientSettings>& ContactGradientSettings::Table() {
  using S = ContactGradientSettings;
  static const SettingTable<S> table = {
      {&S::max_iterations, "max_iterations", "", "iterations at most", Between(1, 1e9)},
  };
  return table;
}

ContactGradient::ContactGradient(const ContactGradientSettings& settings, std::shared_ptr<ThreadTeam> team)
    : settings_(settings), team_(std::move(team)) {}

int ContactGradient::pieces() const { return (static_cast<int>(scales_.size()) + kPiece - 1) / kPiece; }

void ContactGradient::Prepare(const CompactProgram& program, const CompactImpulses& impulses) {
  const std::size_t n = program.size();
  scales_.resize(n);
  for (Point* point : {&here_, &next_, &ahead_}) {
    point->x.resize(n);
    point->u.resize(n);
  }
  first_end_.assign(program.bodies.size() + 1, 0);
  for (int i = 0; i < program.size(); ++i) {
    for (int body : {program.body_a(i), program.body_b(i)}) {
      if (body >= 0) ++first_end_[body + 1];
    }
  }
  std::partial_sum(first_end_.begin(), first_end_.end(), first_end_.begin());
  ends_.resize(first_end_.back());
  for (int i = program.size() - 1; i >= 0; --i) {
    const int a = program.body_a(i), b = program.body_b(i);
    if (a >= 0) ends_[--first_end_[a + 1]] = {i, 1};
    if (b >= 0) ends_[--first_end_[b + 1]] = {i, -1};
  }
  // counting down has moved every start one body on
  std::rotate(first_end_.begin(), first_end_.begin() + 1, first_end_.end());
  first_end_.back() = static_cast<int>(ends_.size());
  for (std::size_t i = 0; i < n; ++i) {
    const CompactContact contact = program.contact(i);
    scales_[i] = ScaleOf(program, contact);
    CompactPair start;
    const CompactScale& scale = scales_[i];
    if (scale.factor > 0 && impulses.force[i].allFinite()) start.force = impulses.force[i] / scale.factor;
    if (scale.length > 0 && impulses.moment[i].allFinite()) {
      start.moment = impulses.moment[i] / (scale.factor * scale.length);
    }
    here_.x[i] = ProjectScaled(contact, scale, start);
  }
  velocities_.linear.resize(program.bodies.size());
  velocities_.angular.resize(program.bodies.size());
  for (std::vector<double>* sums : {&curvature_, &length_, &slope_, &residual_}) sums->assign(pieces(), 0);
}

void ContactGradient::Respond(const CompactProgram& program, int thread, Point* point) {
  const Share bodies = ShareOf(static_cast<int>(program.bodies.size()), thread, team_->size());
  for (int b = bodies.first; b < bodies.last; ++b) {
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
    for (int e = first_end_[b]; e < first_end_[b + 1]; ++e) {
      const End& end = ends_[e];
      const CompactScale& scale = scales_[end.contact];
      const CompactContact contact = program.contact(end.contact);
      const Vec3 impulse = (end.sign * scale.factor) * point->x[end.contact].force;
      force += impulse;
      torque += (end.sign > 0 ? contact.arm_a : contact.arm_b).cross(impulse) +
                (end.sign * scale.factor * scale.length) * point->x[end.contact].moment;
    }
    const CompactBody& body = program.bodies[b];
    velocities_.linear[b] = body.velocity + body.inverse_mass * force;
    velocities_.angular[b] = body.angular_velocity + body.inverse_inertia * torque;
  }
  team_->Meet();
  const Share contacts = ShareOf(program.size(), thread, team_->size());
  for (int i = contacts.first; i < contacts.last; ++i) {
    point->u[i] = ScaledVelocity(program.contact(i), scales_[i], velocities_, scales_[i].factor * point->x[i].force);
  }
  team_->Meet();
}

void ContactGradient::Iterate(const CompactProgram& program, double tolerance, int thread, SolveReport* report) {
  const Share share = ShareOf(pieces(), thread, team_->size());
  const auto for_pieces = [&](const auto& work) {
    for (int piece = share.first; piece < share.last; ++piece) {
      work(piece, piece * kPiece, std::min((piece + 1) * kPiece, program.size()));
    }
  };
  Respond(program, thread, &here_);
  for_pieces([&](int, int first, int last) {
    for (int i = first; i < last; ++i) ahead_.x[i] = here_.x[i], ahead_.u[i] = here_.u[i];
  });
  double momentum = 1, lipschitz = 1;
  for (int iteration = 0;; ++iteration) {
    for_pieces([&](int piece, int first, int last) {
      residual_[piece] = 0;
      for (int i = first; i < last; ++i) {
        if (scales_[i].factor == 0) continue;
        const CompactPair gradient = Gradient(program, program.contact(i), scales_[i], here_.u[i]);
        const CompactPair moved = here_.x[i] - ProjectScaled(program.contact(i), scales_[i], here_.x[i] - gradient);
        residual_[piece] = std::max(residual_[piece], std::sqrt(moved.Dot(moved)) / scales_[i].factor);
      }
    });
    team_->Meet();
    const double residual = residual_.empty() ? 0 : *std::max_element(residual_.begin(), residual_.end());
    if (residual <= tolerance || iteration == settings_.max_iterations) {
      if (thread == 0) {
        report->iterations = iteration;
        report->residual = residual;
        report->status = residual <= tolerance ? SolveStatus::kSolved : SolveStatus::kIterationLimit;
      }
      return;
    }
    // ½ dᵀWd ≤ ½ L |d|² makes the step safe
    while (true) {
      for_pieces([&](int, int first, int last) {
        for (int i = first; i < last; ++i) {
          const CompactPair gradient = Gradient(program, program.contact(i), scales_[i], ahead_.u[i]);
          next_.x[i] = ProjectScaled(program.contact(i), scales_[i], ahead_.x[i] - (1 / lipschitz) * gradient);
        }
      });
      team_->Meet();
      Respond(program, thread, &next_);
      for_pieces([&](int piece, int first, int last) {
        curvature_[piece] = length_[piece] = slope_[piece] = 0;
        for (int i = first; i < last; ++i) {
          const CompactPair change = next_.x[i] - ahead_.x[i];
          curvature_[piece] += change.Dot(next_.u[i] - ahead_.u[i]);
          length_[piece] += change.Dot(change);
          slope_[piece] += Gradient(program, program.contact(i), scales_[i], ahead_.u[i]).Dot(next_.x[i] - here_.x[i]);
        }
      });
      team_->Meet();
      if (!(Total(curvature_) > lipschitz * Total(length_) * (1 + 1e-12))) break;
      lipschitz *= 2;
      team_->Meet();
    }
    double forward = 0;
    if (Total(slope_) > 0) {
      momentum = 1;
    } else {
      const double following = 0.5 * (1 + std::sqrt(1 + 4 * momentum * momentum));
      forward = (momentum - 1) / following;
      momentum = following;
    }
    for_pieces([&](int, int first, int last) {
      for (int i = first; i < last; ++i) {
        // velocities are affine in the impulses, so those ahead need no product
        ahead_.x[i] = next_.x[i] + forward * (next_.x[i] - here_.x[i]);
        ahead_.u[i] = next_.u[i] + forward * (next_.u[i] - here_.u[i]);
        here_.x[i] = next_.x[i];
        here_.u[i] = next_.u[i];
      }
    });
    lipschitz *= 0.97;  // so that a step too short for here does not stay
    team_->Meet();
  }
}

SolveReport ContactGradient::Solve(const CompactProgram& program, double tolerance, CompactImpulses* impulses) {
  SolveReport report{.status = SolveStatus::kSolved, .solver = "contact-gradient"};
  impulses->force.resize(program.size(), Vec3::Zero());
  impulses->moment.resize(program.size(), Vec3::Zero());
  Prepare(program, *impulses);
  team_->Run([&](int thread) { Iterate(program, tolerance, thread, &report); });
  for (int i = 0; i < program.size(); ++i) {
    impulses->force[i] = scales_[i].factor * here_.x[i].force;
    impulses->moment[i] = scales_[i].factor * scales_[i].length * here_.x[i].moment;
  }
  return report;
}

}  // namespace slipstick::internal
