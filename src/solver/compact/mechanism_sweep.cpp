#include "slipstick/solver/compact/mechanism_sweep.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick::internal {
namespace {

// An inverse mass below this part of what it is without bilateral rows is rounding: they hold it.
constexpr double kHeld = 1e-12;

double LargerEigenvalue(double a, double b, double across) { return 0.5 * (a + b) + std::hypot(0.5 * (a - b), across); }

double Length(const double* vector) { return std::sqrt(vector[0] * vector[0] + vector[1] * vector[1]); }

void ShortenToDisk(double radius, double* vector) {
  const double length = Length(vector);
  if (length <= radius) return;
  vector[0] *= radius / length;
  vector[1] *= radius / length;
}

// Steps a vector of two components within a disk.
void StepOnDisk(double step, const double* velocity, double radius, double* vector) {
  vector[0] -= step * velocity[0];
  vector[1] -= step * velocity[1];
  ShortenToDisk(radius, vector);
}

double StepFor(double relaxation, double diagonal) { return diagonal > 0 ? relaxation / diagonal : 0.0; }

}  // namespace

void MechanismSweep::Load(const CompactProgram& program, const std::vector<int>& island_of, int islands,
                          double relaxation, const CompactImpulses& impulses, std::vector<BodyMotion>* motion) {
  const CompactMechanisms& mechanisms = program.mechanisms;
  blocks_.clear();
  reads_.clear();
  changes_.clear();
  values_.clear();
  first_of_island_.assign(islands + 1, 0);
  if (mechanisms.empty()) return;
  motion_ = motion;
  relaxation_ = relaxation;
  non_associated_ = program.non_associated;
  velocity_ = mechanisms.velocity;
  std::vector<std::vector<Block>> of_island(islands);
  const auto keep = [&](int a, int b, const Block& block) { of_island[island_of[std::max(a, b)]].push_back(block); };
  for (int i = 0; i < program.size(); ++i) {
    if (!program.touches_mechanism(i)) continue;
    Block block;
    AddContact(program, i, impulses, &block);
    keep(program.body_a(i), program.body_b(i), block);
  }
  for (int k = 0; k < static_cast<int>(mechanisms.limited.size()); ++k) {
    const CompactMechanisms::Limited& row = mechanisms.limited[k];
    if (row.body_a < 0 && row.body_b < 0) continue;
    Block block;
    AddLimited(program, k, impulses, &block);
    keep(row.body_a, row.body_b, block);
  }
  for (int k = 0; k < islands; ++k) {
    blocks_.insert(blocks_.end(), of_island[k].begin(), of_island[k].end());
    first_of_island_[k + 1] = static_cast<int>(blocks_.size());
  }
  for (const Block& block : blocks_) Push(block, block.impulse.data());
}

MechanismSweep::Block MechanismSweep::NewBlock(int rows) const {
  Block block;
  block.rows = rows;
  block.first_read = block.last_read = static_cast<int>(reads_.size());
  block.first_change = block.last_change = static_cast<int>(changes_.size());
  return block;
}

void MechanismSweep::AddContact(const CompactProgram& program, int i, const CompactImpulses& impulses, Block* block) {
  const CompactMechanisms& mechanisms = program.mechanisms;
  const CompactContact contact = program.contact(i);
  const BlockRows& rows = *mechanisms.contact_rows;
  const int moment = contact.has_moment() ? (*mechanisms.moment_group)[i] : -1;
  *block = NewBlock(moment < 0 ? 3 : kMostRows);
  block->contact = i;
  for (const bool second : {false, true}) {
    const int body = second ? contact.body_b : contact.body_a;
    if (body < 0) continue;
    MatX own(block->rows, rows.layout().size[body]);
    own.topRows(3) = second ? rows.piece_b(i) : rows.piece_a(i);
    if (moment >= 0) {
      own.bottomRows(3) = second ? mechanisms.moment_rows->piece_b(moment) : mechanisms.moment_rows->piece_a(moment);
    }
    AddEnd(program, body, own);
  }
  const BlockRows::Frame frame = rows.frame(i);
  const Vec3 offset = frame.Components(contact.offset);
  block->constant = {-contact.target, offset[1], offset[2]};
  block->compliance = {contact.normal_compliance, contact.tangential_compliance, contact.tangential_compliance};
  block->friction = contact.friction;
  if (moment >= 0) {
    block->rolling = contact.rolling;
    block->spinning = contact.spinning;
  }
  SetDiagonals(program, block);
  const Vec3 &force = impulses.force[i], &turn = impulses.moment[i];
  if (!(block->normal > 0) || !force.allFinite() || !(frame.normal.dot(force) > 0)) return;
  Eigen::Map<Vec3>(block->impulse.data()) = frame.Components(force);
  if (moment >= 0 && turn.allFinite()) Eigen::Map<Vec3>(block->impulse.data() + 3) = frame.Components(turn);
}

void MechanismSweep::AddLimited(const CompactProgram& program, int k, const CompactImpulses& impulses, Block* block) {
  const CompactMechanisms::Limited& row = program.mechanisms.limited[k];
  const BlockRows& rows = *program.mechanisms.limited_rows;
  *block = NewBlock(1);
  block->limited = k;
  if (row.body_a >= 0) AddEnd(program, row.body_a, rows.piece_a(row.group).row(row.row));
  if (row.body_b >= 0) AddEnd(program, row.body_b, rows.piece_b(row.group).row(row.row));
  block->constant[0] = -row.target;
  block->lower = row.lower;
  block->upper = row.upper;
  SetDiagonals(program, block);
  block->impulse[0] = std::clamp(impulses.limited[k], row.lower, row.upper);
}

void MechanismSweep::AddEnd(const CompactProgram& program, int body, const MatX& rows) {
  const CompactMechanisms& mechanisms = program.mechanisms;
  const auto put = [&](const MatX& coefficients) {
    const int start = static_cast<int>(values_.size());
    for (Eigen::Index k = 0; k < coefficients.rows(); ++k) {
      for (Eigen::Index j = 0; j < coefficients.cols(); ++j) values_.push_back(coefficients(k, j));
    }
    return start;
  };
  if (!mechanisms.has(body)) {
    // rows are of (ω, velocity of the origin), packs have that of the centre of mass
    const CompactBody& of = program.bodies[body];
    MatX own = rows;
    for (Eigen::Index k = 0; k < rows.rows(); ++k) {
      const Vec3 linear = rows.row(k).tail<3>();
      own.row(k).head<3>() -= of.center.cross(linear).transpose();
    }
    MatX change(6, rows.rows());
    change.topRows(3) = of.inverse_inertia * own.leftCols(3).transpose();
    change.bottomRows(3) = of.inverse_mass * own.rightCols(3).transpose();
    reads_.push_back({.body = body, .size = 6, .data = put(own.transpose())});
    changes_.push_back({.body = body, .size = 6, .data = put(change)});
    return;
  }
  const CompactMechanisms::Mechanism& mechanism = mechanisms.list[mechanisms.of_body[body]];
  const int first = mechanisms.coordinate[body], size = static_cast<int>(rows.cols());
  const MatX change = mechanism.inverse_mass.middleCols(first - mechanism.first, size) * rows.transpose();
  reads_.push_back({.first = first, .size = size, .data = put(rows.transpose())});
  changes_.push_back({.first = mechanism.first, .size = mechanism.size, .data = put(change)});
}

// W, and of its parts the diagonals; in the convex relaxation friction answers a normal impulse by slowing the slip,
// which lowers Σ c_k |u_k| too.
void MechanismSweep::SetDiagonals(const CompactProgram& program, Block* block) {
  block->last_read = static_cast<int>(reads_.size());
  block->last_change = static_cast<int>(changes_.size());
  const int rows = block->rows;
  using Map = Eigen::Map<const RowMatX>;
  MatX coupling = MatX::Zero(rows, rows);
  VecX loose = VecX::Zero(rows);  // the diagonal without bilateral rows
  for (int r = block->first_read; r < block->last_read; ++r) {
    const End& read = reads_[r];
    const Map from(values_.data() + read.data, read.size, rows);
    for (int c = block->first_change; c < block->last_change; ++c) {
      const End& change = changes_[c];
      if (read.body != change.body) continue;
      const int at = read.body >= 0 ? 0 : read.first - change.first;
      if (at < 0 || at >= change.size) continue;  // another mechanism
      const Map to(values_.data() + change.data, change.size, rows);
      coupling += from.transpose() * to.middleRows(at, read.size);
    }
    if (read.body >= 0) {
      loose += (from.transpose() * Map(values_.data() + changes_[r].data, 6, rows)).diagonal();
      continue;
    }
    for (const CompactMechanisms::Mechanism& mechanism : program.mechanisms.list) {
      const int at = read.first - mechanism.first;
      if (at < 0 || at >= mechanism.size) continue;
      loose += from.cwiseAbs2().transpose() * mechanism.loose.segment(at, read.size);
    }
  }
  block->coupling = static_cast<int>(values_.size());
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < rows; ++j) values_.push_back(coupling(i, j));
  }
  const auto moving = [](double value, double without) { return value > kHeld * without ? value : 0.0; };
  block->normal = moving(coupling(0, 0), loose[0]) + block->compliance[0];
  if (block->contact < 0) return;
  block->tangential = moving(LargerEigenvalue(coupling(1, 1), coupling(2, 2), coupling(1, 2)), loose[1] + loose[2]) +
                      block->compliance[1];
  if (rows == kMostRows) {
    block->angular = moving(std::max(coupling(3, 3), LargerEigenvalue(coupling(4, 4), coupling(5, 5), coupling(4, 5))),
                            loose.tail(3).sum());
  }
  if (!non_associated_ && block->normal > 0) {
    block->normal += block->friction * block->friction * block->tangential +
                     (block->rolling * block->rolling + block->spinning * block->spinning) * block->angular;
  }
}

void MechanismSweep::Read(const Block& block, double* u) const {
  const int rows = block.rows;
  for (int k = 0; k < rows; ++k) u[k] = block.constant[k] + block.compliance[k] * block.impulse[k];
  for (int r = block.first_read; r < block.last_read; ++r) {
    const End& read = reads_[r];
    const double* coefficient = values_.data() + read.data;
    const auto add = [&](double velocity) {
      for (int k = 0; k < rows; ++k) u[k] += coefficient[k] * velocity;
      coefficient += rows;
    };
    if (read.body >= 0) {
      const BodyMotion& motion = (*motion_)[read.body];
      for (int k = 0; k < 3; ++k) add(motion.angular[k]);
      for (int k = 0; k < 3; ++k) add(motion.linear[k]);
    } else {
      for (int k = 0; k < read.size; ++k) add(velocity_[read.first + k]);
    }
  }
}

void MechanismSweep::Push(const Block& block, const double* change) {
  const int rows = block.rows;
  for (int c = block.first_change; c < block.last_change; ++c) {
    const End& end = changes_[c];
    const double* coefficient = values_.data() + end.data;
    const auto sum = [&] {
      double total = 0;
      for (int k = 0; k < rows; ++k) total += coefficient[k] * change[k];
      coefficient += rows;
      return total;
    };
    if (end.body >= 0) {
      BodyMotion& motion = (*motion_)[end.body];
      for (int k = 0; k < 3; ++k) motion.angular[k] += sum();
      for (int k = 0; k < 3; ++k) motion.linear[k] += sum();
    } else {
      for (int k = 0; k < end.size; ++k) velocity_[end.first + k] += sum();
    }
  }
}

MechanismSweep::Values MechanismSweep::Stepped(const Block& block, double relaxation, bool in_turn, double* u) const {
  Values next = block.impulse;
  if (block.contact < 0) {
    next[0] = std::clamp(next[0] - StepFor(relaxation, block.normal) * u[0], block.lower, block.upper);
    return next;
  }
  const int rows = block.rows;
  const double* coupling = values_.data() + block.coupling;
  // what the rows [first, last) have changed
  const auto carry = [&](int first, int last, int to) {
    if (!in_turn) return;
    for (int i = to; i < rows; ++i) {
      for (int j = first; j < last; ++j) u[i] += coupling[i * rows + j] * (next[j] - block.impulse[j]);
    }
  };
  double normal = u[0];
  if (!non_associated_) {
    normal -= block.friction * Length(u + 1);
    if (rows == kMostRows) normal -= block.rolling * Length(u + 4) + block.spinning * std::abs(u[3]);
  }
  next[0] = std::max(next[0] - StepFor(relaxation, block.normal) * normal, 0.0);
  carry(0, 1, 1);
  const double load = in_turn ? next[0] : std::max(block.impulse[0], 0.0);
  StepOnDisk(StepFor(relaxation, block.tangential), u + 1, block.friction * load, next.data() + 1);
  if (rows < kMostRows) return next;
  carry(1, 3, 3);
  const double step = StepFor(relaxation, block.angular), limit = block.spinning * load;
  next[3] = std::clamp(next[3] - step * u[3], -limit, limit);
  StepOnDisk(step, u + 4, block.rolling * load, next.data() + 4);
  return next;
}

void MechanismSweep::Sweep(int island) {
  for (int b = first_of_island_[island]; b < first_of_island_[island + 1]; ++b) {
    Block& block = blocks_[b];
    Values u, change{};
    Read(block, u.data());
    const Values next = Stepped(block, relaxation_, true, u.data());
    for (int k = 0; k < block.rows; ++k) change[k] = next[k] - block.impulse[k];
    block.impulse = next;
    Push(block, change.data());
  }
}

double MechanismSweep::Measure(int island) const {
  double worst = 0;
  for (int b = first_of_island_[island]; b < first_of_island_[island + 1]; ++b) {
    const Block& block = blocks_[b];
    Values u;
    Read(block, u.data());
    double numbers = 0;
    for (int k = 0; k < block.rows; ++k) numbers += u[k];
    if (!std::isfinite(numbers)) return std::numeric_limits<double>::infinity();
    const Values next = Stepped(block, 1, false, u.data());
    const auto moved = [&](int first, int count) {
      double sum = 0;
      for (int k = first; k < first + count; ++k) sum += (next[k] - block.impulse[k]) * (next[k] - block.impulse[k]);
      return std::sqrt(sum);
    };
    worst = std::max(worst, block.normal * moved(0, 1));
    if (block.contact < 0) continue;
    worst = std::max(worst, block.tangential * moved(1, 2));
    if (block.rows < kMostRows) continue;
    // times the length that makes it a velocity of the surface
    worst = std::max(worst, std::sqrt(block.normal * block.angular) * std::max(moved(3, 1), moved(4, 2)));
  }
  return worst;
}

void MechanismSweep::Store(const CompactProgram& program, CompactImpulses* impulses) const {
  for (const Block& block : blocks_) {
    if (block.contact < 0) {
      impulses->limited[block.limited] = block.impulse[0];
      continue;
    }
    const BlockRows::Frame frame = program.mechanisms.contact_rows->frame(block.contact);
    impulses->force[block.contact] = frame.World(Eigen::Map<const Vec3>(block.impulse.data()));
    impulses->moment[block.contact].setZero();
    if (block.rows == kMostRows) {
      impulses->moment[block.contact] = frame.World(Eigen::Map<const Vec3>(block.impulse.data() + 3));
    }
  }
}

}  // namespace slipstick::internal
