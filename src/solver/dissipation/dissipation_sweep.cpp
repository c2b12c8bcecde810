#include "slipstick/solver/dissipation/dissipation_sweep.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "slipstick/solver/dissipation/dissipation_scaling.h"

namespace slipstick::internal {
namespace {

constexpr const char* kName = "dissipation-sweep";
// found by trial on heaps of 100 and 1001 spheres; between half and twice these it takes up to twice as many sweeps
constexpr double kPenalty = 0.7;         // ρ over the contact's own mass 1/A_NN
constexpr double kTaxPenalty = 5;        // σ times the sum of these masses
constexpr double kRelaxation = 1.4;      // of the steps of contacts; below 2 they descend
constexpr double kDualRelaxation = 1.8;  // of y and τ
constexpr int kFirstJudged = 5, kJudgeEvery = 20;

// Coefficients of a block's rows at one column of G.
struct Entry {
  int column = 0;
  Vec3 rows = Vec3::Zero();
};
// A column at which a contact's normal row is not zero.
struct NormalEntry {
  int column = 0;
  double value = 0;
};
// How a block's impulses change the normal velocity of a contact.
struct Neighbour {
  int contact = 0;
  Vec3 change = Vec3::Zero();
};
// A contact or an interval.
struct Block {
  int row = 0, rows = 1;
  int first_entry = 0, last_entry = 0;
  int first_normal = 0, last_normal = 0;
  int first_neighbour = 0, last_neighbour = 0;
  double own = 0;                  // A of its first row
  double normal = 0, tangent = 0;  // curvatures that its steps suppose, no less than those of the augmented Lagrangian
};

// The larger eigenvalue of a symmetric 2×2 matrix.
double LargerEigenvalue(double a, double b, double across) { return 0.5 * (a + b) + std::hypot(0.5 * (a - b), across); }

// A contact's constraint of non-penetration.
struct Stop {
  double u = 0;        // normal velocity
  double y = 0;        // multiplier
  double penalty = 0;  // ρ

  double Push() const { return std::max(y - penalty * u, 0.0); }
};

class Sweeps {
 public:
  Sweeps(const DissipationProgram& program, const VecX& start)
      : program_(program), count_(static_cast<int>(program.contacts.size())), x_(start) {
    for (const DissipationContact& contact : program.contacts) AddBlock(contact.row, contact.rows);
    for (const DissipationInterval& interval : program.intervals) AddBlock(interval.row, 1);
    stops_.resize(count_);
    double masses = 0;
    for (int i = 0; i < count_; ++i) {
      stops_[i].penalty = blocks_[i].own > 0 ? kPenalty / blocks_[i].own : 0.0;
      masses += blocks_[i].own > 0 ? 1 / blocks_[i].own : 0.0;
    }
    tax_penalty_ = masses > 0 ? kTaxPenalty / masses : 0.0;
    FindNeighbours();
    Refresh();
  }

  const VecX& x() const { return x_; }
  // What the gradient of the augmented Lagrangian has in place of multipliers.
  DissipationMultipliers multipliers() const {
    DissipationMultipliers multipliers{VecX(count_), Tax()};
    for (int i = 0; i < count_; ++i) multipliers.push[i] = stops_[i].Push();
    return multipliers;
  }

  void Sweep() {
    const auto blocks = static_cast<int>(blocks_.size());
    for (int i = 0; i < blocks; ++i) Visit(i);
    for (int i = blocks - 1; i >= 0; --i) Visit(i);
    for (Stop& stop : stops_) stop.y = std::max(stop.y + kDualRelaxation * (stop.Push() - stop.y), 0.0);
    tax_ = std::max(tax_ + kDualRelaxation * (Tax() - tax_), 0.0);
  }

  // All that follows from x, without what single changes have left of rounding.
  void Refresh() {
    motion_ = program_.gram.factor().transpose() * x_;
    sum_ = 0;
    for (int i = 0; i < count_; ++i) {
      const Block& block = blocks_[i];
      double u = program_.b[block.row];
      for (int k = block.first_normal; k < block.last_normal; ++k) {
        u += normals_[k].value * motion_[normals_[k].column];
      }
      stops_[i].u = u;
      sum_ += x_[block.row];
    }
  }

 private:
  double Tax() const { return std::max(tax_ + tax_penalty_ * (sum_ - program_.normal_limit), 0.0); }

  void AddBlock(int row, int rows) {
    Block block;
    block.row = row;
    block.rows = rows;
    block.first_entry = static_cast<int>(entries_.size());
    block.first_normal = static_cast<int>(normals_.size());
    const auto first = static_cast<std::ptrdiff_t>(entries_.size());
    for (int k = 0; k < rows; ++k) {
      for (SparseMat::InnerIterator entry(program_.gram.factor(), row + k); entry; ++entry) {
        const auto column = static_cast<int>(entry.col());
        auto place = std::find_if(entries_.begin() + first, entries_.end(),
                                  [&](const Entry& known) { return known.column == column; });
        if (place == entries_.end()) place = entries_.insert(place, {column});
        place->rows[k] = entry.value();
      }
    }
    Mat3 own = Mat3::Zero();
    for (auto entry = entries_.begin() + first; entry != entries_.end(); ++entry) {
      own += entry->rows * entry->rows.transpose();
      if (entry->rows[0] != 0) normals_.push_back({entry->column, entry->rows[0]});
    }
    block.own = block.normal = own(0, 0);
    block.tangent = LargerEigenvalue(own(1, 1), own(2, 2), own(1, 2));
    block.last_entry = static_cast<int>(entries_.size());
    block.last_normal = static_cast<int>(normals_.size());
    blocks_.push_back(block);
  }

  // Contacts that share a body with each block, and the curvature that their penalties may add to its own.
  void FindNeighbours() {
    std::vector<std::vector<std::pair<int, double>>> at_column(program_.gram.factor().cols());
    for (int i = 0; i < count_; ++i) {
      for (int k = blocks_[i].first_normal; k < blocks_[i].last_normal; ++k) {
        at_column[normals_[k].column].emplace_back(i, normals_[k].value);
      }
    }
    std::vector<int> place(count_, -1);
    for (Block& block : blocks_) {
      block.first_neighbour = static_cast<int>(neighbours_.size());
      for (int k = block.first_entry; k < block.last_entry; ++k) {
        for (const auto& [contact, normal] : at_column[entries_[k].column]) {
          if (place[contact] < block.first_neighbour) {
            place[contact] = static_cast<int>(neighbours_.size());
            neighbours_.push_back({contact});
          }
          neighbours_[place[contact]].change += normal * entries_[k].rows;
        }
      }
      block.last_neighbour = static_cast<int>(neighbours_.size());
      Mat3 added = Mat3::Zero();
      for (int k = block.first_neighbour; k < block.last_neighbour; ++k) {
        const Vec3& change = neighbours_[k].change;
        added += stops_[neighbours_[k].contact].penalty * change * change.transpose();
      }
      // diagonal matrices above it: what joins normal and tangents goes to both
      const double across = std::hypot(added(0, 1), added(0, 2));
      block.normal = (block.normal + added(0, 0) + across + tax_penalty_) / kRelaxation;
      block.tangent = (block.tangent + LargerEigenvalue(added(1, 1), added(2, 2), added(1, 2)) + across) / kRelaxation;
      if (!(block.tangent > 0)) block.tangent = block.normal;  // tangents that nothing moves along
    }
  }

  // One projected step of a block.
  void Visit(int i) {
    const Block& block = blocks_[i];
    if (!(block.own > 0)) return;
    Vec3 w = Vec3::Zero(), before = Vec3::Zero(), z = Vec3::Zero();
    for (int k = 0; k < block.rows; ++k) {
      w[k] = program_.b[block.row + k];
      before[k] = x_[block.row + k];
    }
    for (int k = block.first_entry; k < block.last_entry; ++k) {
      const Entry& entry = entries_[k];
      w += motion_[entry.column] * entry.rows;
    }
    for (int k = block.first_neighbour; k < block.last_neighbour; ++k) {
      w -= stops_[neighbours_[k].contact].Push() * neighbours_[k].change;
    }
    if (i < count_) {
      w[0] += Tax();
      z = Nearest(i, before - Vec3(w[0] / block.normal, w[1] / block.tangent, w[2] / block.tangent));
      sum_ += z[0] - before[0];
    } else {
      const DissipationInterval& interval = program_.intervals[i - count_];
      z[0] = std::clamp(before[0] - w[0] / block.normal, interval.lower, interval.upper);
    }
    const Vec3 change = z - before;
    if (change.isZero(0)) return;
    for (int k = 0; k < block.rows; ++k) x_[block.row + k] = z[k];
    for (int k = block.first_entry; k < block.last_entry; ++k) {
      motion_[entries_[k].column] += change.dot(entries_[k].rows);
    }
    for (int k = block.first_neighbour; k < block.last_neighbour; ++k) {
      stops_[neighbours_[k].contact].u += neighbours_[k].change.dot(change);
    }
  }

  // The point of contact i's limits nearest to z, the normal weighed by its curvature and the tangents by theirs.
  Vec3 Nearest(int i, const Vec3& z) const {
    const Block& block = blocks_[i];
    if (block.rows == 1) return {std::max(z[0], 0.0), 0, 0};
    const double mu = program_.contacts[i].friction, extra = program_.contacts[i].extra;
    const double size = std::sqrt(z[1] * z[1] + z[2] * z[2]);
    double normal = z[0], radius = size;
    if (size > mu * normal + extra) {
      normal = (block.normal * z[0] + block.tangent * mu * (size - extra)) / (block.normal + block.tangent * mu * mu);
      radius = mu * normal + extra;
    }
    if (normal < 0) {
      normal = 0;
      radius = std::min(size, extra);
    }
    const double factor = size > 0 ? radius / size : 0.0;
    return {normal, factor * z[1], factor * z[2]};
  }

  const DissipationProgram& program_;
  int count_;
  std::vector<Block> blocks_;  // contacts, then intervals
  std::vector<Entry> entries_;
  std::vector<NormalEntry> normals_;
  std::vector<Neighbour> neighbours_;
  std::vector<Stop> stops_;  // of the contacts
  double tax_penalty_ = 0;   // σ
  VecX x_;
  double tax_ = 0;  // τ
  VecX motion_;     // Gᵀx
  double sum_ = 0;  // Σ x_N
};

}  // namespace

DissipationAnswer SolveDissipationBySweeps(const DissipationProgram& program, const DissipationSweepSettings& settings,
                                           const VecX* warm_start) {
  DissipationRun run(program);
  if (!Check(program).empty()) return run.Finish(SolveStatus::kBadInput, 0, kName);
  if (program.size() > 0 && !program.is_factored()) return run.Finish(SolveStatus::kUnsupported, 0, kName);
  const double size = program.size() > 0 ? program.b.lpNorm<Eigen::Infinity>() : 0.0;
  const double tolerance = std::max(settings.tolerance, size > 0 ? settings.speed_tolerance / size : 0.0);
  const bool fits = warm_start != nullptr && warm_start->size() == program.size() && warm_start->allFinite();
  Sweeps sweeps(program, ProjectOnLimits(program, fits ? *warm_start : VecX::Zero(program.size())));
  for (int count = 0;; ++count) {
    const bool is_last = count == settings.max_iterations;
    const bool judged = is_last || count == 0 || count == kFirstJudged || count % kJudgeEvery == 0;
    if (judged) sweeps.Refresh();
    if (judged && run.Judge(sweeps.x(), sweeps.multipliers(), tolerance)) {
      return run.Finish(SolveStatus::kSolved, count, kName);
    }
    if (is_last) return run.Finish(SolveStatus::kIterationLimit, count, kName);
    sweeps.Sweep();
  }
}

}  // namespace slipstick::internal
