#include "slipstick/law/liang.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "slipstick/base/worst.h"
#include "slipstick/law/choosing_compliance.h"
#include "slipstick/law/delassus_form.h"
#include "slipstick/law/rest.h"
#include "slipstick/law/velocity_rows.h"
#include "slipstick/math/cone_projection.h"

namespace slipstick::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// σ = v_T⁺ + compliance (p − reference) is opposite to p where |p| = limit and zero inside the disk.
struct DiskRows {
  double compliance = 0;
  Vec2 reference = Vec2::Zero();
  double limit = 0;

  // σ: how fast bristles slip.
  Vec2 Slip(const Vec2& velocity, const Vec2& p) const { return velocity + compliance * (p - reference); }
};

// Programs with limits of their own, of which each gives the next the place where bristles hold; and the residual that
// ends them, of the step's velocity scale.
constexpr int kMostOwnPrograms = 30;
// Programs with equal springs below contacts, of which no more than a start is wanted.
constexpr int kMostChoices = 4;
// Of these in a row that leave more than this of the residual, at most: the program is beyond its solver then.
constexpr int kMostIdle = 4;
constexpr double kGain = 0.5;
constexpr double kOwnResidual = 1e-10;

class Liang : public Law {
 public:
  explicit Liang(const LiangSettings& settings) : settings_(settings) {}

  // What the bristles hold, where dampers add to it, and how fast they slip.
  MemorySlots ContactSlots() const override {
    MemorySlots slots;
    if (HasDampers()) {
      slots.push_back({.name = "spring_force",
                       .unit = "N",
                       .meaning = "the part of the friction on A that the bristles' deflection gives",
                       .kind = MemorySlot::Kind::kVector});
    }
    for (MemorySlot& slot : SlipSlots(settings_.velocity_threshold)) slots.push_back(std::move(slot));
    return slots;
  }

  LawAnswer Solve(const ContactProblem& problem, ProgramSolver& solver) const override {
    const auto solve = [&](const DelassusForm& form) {
      const auto with = [&](const std::vector<double>& friction) { return SolveWith(problem, form, friction, solver); };
      return HasStribeck() ? with(StribeckFriction(problem))
                           : SolveWithStepFriction(problem, settings_.velocity_threshold, with);
    };
    const DelassusForm rows = BuildRowsAlone(problem);
    const bool is_large = solver.velocity && rows.q.size() > kFewRows;
    LawAnswer answer;
    if (is_large) answer = solve(rows);
    if (!is_large ||
        IsWorthDenseMatrices(rows.q.size(), Law::Residual(problem, answer.solution), problem.velocity_scale)) {
      answer = solve(BuildDelassusForm(problem));
    }
    Remember(problem, &answer.solution);
    return answer;
  }

  double Residual(const ContactProblem& problem, const ContactSolution& solution,
                  const ContactMotion& motion) const override {
    double worst = ResidualOutsideContacts(problem, solution);
    for (int i = 0; i < problem.contacts.size(); ++i) {
      worst = Worst(worst, NormalResidual(problem, solution, motion, i, problem.contacts.normal_target[i]));
      worst = Worst(worst, Judge(problem, solution, i, motion.contact.segment<2>(3 * i + 1)).residual);
    }
    return worst;
  }

 private:
  bool HasDampers() const { return settings_.bristle_damping > 0; }
  bool HasStribeck() const { return settings_.stribeck_velocity > 0; }

  // The rows that fit an answer best, of those that it may have, and how far it is from them.
  struct Judgement {
    DiskRows rows;
    double residual = kInfinity;
  };

  Judgement Judge(const ContactProblem& problem, const ContactSolution& solution, int i, const Vec2& after) const {
    const double m = problem.contacts.effective_mass[i];
    const Vec2 p = solution.Tangential(i);
    Judgement best;
    for (const double mu : AllowedFriction(problem, i, after)) {
      for (const double normal : JudgedBounds(problem, settings_.bounds, solution, i)) {
        const DiskRows rows = RowsOf(problem, i, mu * normal);
        const double row_mass = 1.0 / (1.0 / m + rows.compliance);
        const double residual = (p - ProjectOnDisk(p - row_mass * rows.Slip(after, p), rows.limit)).norm() / row_mass;
        if (residual < best.residual) best = {rows, residual};
      }
    }
    return best;
  }

  LawAnswer SolveWith(const ContactProblem& problem, const DelassusForm& form, const std::vector<double>& friction,
                      ProgramSolver& solver) const {
    VecX warm = RememberedImpulses(problem, form);
    if (BeginsAtRest(problem)) {
      if (auto holding = HoldingAnswer(problem, form, friction, solver, warm)) return *std::move(holding);
    }
    FrictionBoundIteration iteration(problem, settings_.bounds);
    if (form.keeps_velocities()) {
      LawAnswer answer;
      answer.solution = SolutionFromImpulses(problem, form, warm);
      SolveInOne(problem, form, friction, iteration.has_own_limits(), solver, &answer);
      return answer;
    }
    // where something slides, of redundant normals those of equal springs, (L3b), are looked for first
    const bool is_to_choose = form.q.size() <= kFewRows && IsToChoose(problem);
    const double choosing = is_to_choose ? ChoosingCompliance(NormalRows(form)) : 0;
    if (choosing > 0) {
      DelassusForm springs = form;
      springs.W.diagonal().tail(3 * form.contacts).array() += choosing;
      FrictionBoundSettings few = settings_.bounds;
      few.max_iterations = std::min(few.max_iterations, kMostChoices);
      FrictionBoundIteration chosen(problem, few);
      IterateLimits(problem, springs, friction, solver, &chosen, &warm);
      iteration.StartFrom(chosen.Answer().solution);
    }
    IterateLimits(problem, form, friction, solver, &iteration, &warm);
    const std::vector<char> own = iteration.has_own_limits();
    const bool has_settled = iteration.has_settled();
    LawAnswer answer = iteration.Answer();
    if (!has_settled) SolveInOne(problem, form, friction, own, solver, &answer);
    return answer;
  }

  void IterateLimits(const ContactProblem& problem, const DelassusForm& form, const std::vector<double>& friction,
                     ProgramSolver& solver, FrictionBoundIteration* iteration, VecX* warm) const {
    while (!iteration->is_over()) {
      const ConeProgram program = Formulate(problem, form, friction, iteration->normals());
      const ConeAnswer solved = solver.cone(program, warm);
      *warm = solved.r;
      iteration->Take(SolutionFromImpulses(problem, form, solved.r), solved.report);
    }
  }

  // Where static and kinetic friction differ, which contacts stop is found from what each of them lacks (L1b), and
  // equal shares would have all of them slide on together: then the choice is not made.
  bool IsToChoose(const ContactProblem& problem) const {
    bool slides = false;
    for (int i = 0; i < problem.contacts.size(); ++i) {
      const ContactSurface& surface = problem.contacts.surface(i);
      if (surface.friction_static != surface.friction_kinetic) return false;
      slides |= SlipStartOf(problem, i, settings_.velocity_threshold).slides;
    }
    return slides;
  }

  static MatX NormalRows(const DelassusForm& form) {
    const auto rows = Eigen::seqN(form.bilateral + form.bounded, form.contacts, 3);
    return form.W(rows, rows);
  }

  // Limits and normals in one convex program: where its answer holds all bristles, it is that of the law, which may
  // have others.
  std::optional<LawAnswer> HoldingAnswer(const ContactProblem& problem, const DelassusForm& form,
                                         const std::vector<double>& friction, ProgramSolver& solver,
                                         const VecX& warm) const {
    const std::vector<char> own(form.contacts, 1);
    GivenNormals normals;
    for (const ContactHistory& history : problem.contacts.history) {
      normals.bounding.push_back(problem.step * std::max(history.normal_force, 0.0));
    }
    const double slow = kHolds * problem.velocity_scale;
    const auto take = [&](const ConeAnswer& solved, const std::vector<ConeBlock>& blocks) -> std::optional<LawAnswer> {
      if (!solved.r.allFinite() || !Hold(solved, blocks, slow)) return std::nullopt;
      LawAnswer answer;
      answer.solution = SolutionFromImpulses(problem, form, solved.r);
      answer.report = solved.report;
      answer.programs = 1;
      if (!(Law::Residual(problem, answer.solution) <= slow)) return std::nullopt;
      return answer;
    };
    if (form.keeps_velocities()) {
      VelocityProgram program = FormulateInVelocities(problem, form, friction, normals, own);
      program.non_associated = false;
      return take(solver.velocity(program, &warm), program.blocks);
    }
    ConeProgram program = Formulate(problem, form, friction, normals, &own);
    program.non_associated = false;
    return take(solver.cone(program, &warm), program.blocks);
  }

  // Where the iteration of the limits has no end: limits and normals in one program, exact Coulomb friction with
  // bristles (L7b). Where bristles hold is within those limits, and goes from one such program to the next.
  void SolveInOne(const ContactProblem& problem, const DelassusForm& form, const std::vector<double>& friction,
                  std::vector<char> own, ProgramSolver& solver, LawAnswer* best) const {
    double least = Law::Residual(problem, best->solution);
    GivenNormals normals;
    normals.bounding.resize(form.contacts);
    for (int i = 0; i < form.contacts; ++i) normals.bounding[i] = best->solution.Normal(i);
    VecX warm = RememberedImpulses(problem, form);
    const double goal = (form.keeps_velocities() ? kLargeResidual : kOwnResidual) * problem.velocity_scale;
    int idle = 0;
    for (int programs = 0; programs < kMostOwnPrograms && least > goal && idle < kMostIdle; ++programs) {
      for (int i = 0; i < form.contacts; ++i) {
        if (!own[i]) normals.bounding[i] = problem.step * problem.contacts.history[i].normal_force;
      }
      const ConeAnswer solved =
          form.keeps_velocities() ? solver.velocity(FormulateInVelocities(problem, form, friction, normals, own), &warm)
                                  : solver.cone(Formulate(problem, form, friction, normals, &own), nullptr);
      warm = solved.r;
      ++best->programs;
      if (!solved.r.allFinite()) return;
      ContactSolution solution = SolutionFromImpulses(problem, form, solved.r);
      for (int i = 0; i < form.contacts; ++i) {
        normals.bounding[i] = solution.Normal(i);
        if (own[i] || HasSteadyLoad(problem, i, solution.Normal(i))) continue;
        own[i] = true;
        idle = 0;
      }
      const double residual = Law::Residual(problem, solution);
      idle = residual < kGain * least ? 0 : idle + 1;
      if (!(residual < least)) continue;
      least = residual;
      best->solution = std::move(solution);
      best->report = solved.report;
    }
  }

  // With limits that are numbers, or the program's own where `own` says so.
  ConeProgram Formulate(const ContactProblem& problem, const DelassusForm& form, const std::vector<double>& friction,
                        const GivenNormals& normals, const std::vector<char>* own = nullptr) const {
    ConeProgram program;
    MatX W = form.W;
    program.q = form.q;
    program.non_associated = own != nullptr;
    AppendBlocksOutsideContacts(problem, form, &program.blocks);
    for (int i = 0; i < form.contacts; ++i) {
      const int t = form.contact_row(i) + 1;
      const DiskRows rows = RowsOf(problem, i, friction[i] * normals.bounding[i]);
      AddCentring(normals, i, t - 1, &W, &program.q);
      if (own != nullptr && (*own)[i]) {
        program.blocks.push_back(ConeBlock::Cone(t - 1, friction[i]));
      } else {
        program.blocks.push_back(ConeBlock::Interval(t - 1, 0, kInfinity));
        program.blocks.push_back(ConeBlock::Disk(t, rows.limit));
      }
      W.diagonal().segment<2>(t).array() += rows.compliance;
      program.q.segment<2>(t) -= rows.compliance * rows.reference;
    }
    program.W = W.sparseView();
    return program;
  }

  // The same with velocities kept, and limits of the program's own where `own` says so.
  VelocityProgram FormulateInVelocities(const ContactProblem& problem, const DelassusForm& form,
                                        const std::vector<double>& friction, const GivenNormals& normals,
                                        const std::vector<char>& own) const {
    VelocityProgram program = FormulateRows(problem, false, true);
    program.q = form.q;
    for (int i = 0; i < form.contacts; ++i) {
      const int t = form.contact_row(i) + 1;
      const DiskRows rows = RowsOf(problem, i, friction[i] * normals.bounding[i]);
      if (own[i] || rows.limit == 0) {
        program.blocks.push_back(ConeBlock::Cone(t - 1, friction[i]));
      } else {
        program.blocks.push_back(ConeBlock::Interval(t - 1, 0, kInfinity));
        program.blocks.push_back(ConeBlock::Disk(t, rows.limit));
      }
      program.compliance.segment<2>(t).setConstant(rows.compliance);
      program.q.segment<2>(t) -= rows.compliance * rows.reference;
    }
    return program;
  }

  DiskRows RowsOf(const ContactProblem& problem, int i, double limit) const {
    const ContactSet& contacts = problem.contacts;
    const double h = problem.step;
    // p = spring − (h² kT + h c) v_T⁺
    DiskRows rows;
    rows.compliance = 1.0 / (h * h * contacts.surface(i).tangential_stiffness + h * settings_.bristle_damping);
    if (!(limit > 0)) return rows;
    // −kT s of the last step, within the limit, as the bristles slip there
    const Vec3 force =
        HasDampers() && !contacts.slots.empty() ? Vec3(contacts.Memory(i)) : contacts.history[i].tangential_force;
    rows.limit = limit;
    rows.reference = ProjectOnDisk(Vec2(h * contacts.Tangential(i, force)), limit);
    return rows;
  }

  // What of the friction the deflection gives at the end of the step: λ = −kT s⁺ − c ṡ with s⁺ = s + h ṡ, sticking or
  // slipping, so that −kT s⁺ = (h kT λ − c kT s) / (h kT + c). And how fast the bristles slip.
  void Remember(const ContactProblem& problem, ContactSolution* solution) const {
    const ContactSet& contacts = problem.contacts;
    if (contacts.slots.empty()) return;
    const VecX after = ContactVelocities(problem, solution->velocity);
    const int size = TotalSize(contacts.slots), vector = HasDampers() ? 3 : 0;
    VecX& memory = solution->contact_memory;
    memory.setZero(static_cast<Eigen::Index>(size) * contacts.size());
    for (int i = 0; i < contacts.size(); ++i) {
      const Vec2 velocity = after.segment<2>(3 * i + 1), p = solution->Tangential(i);
      const DiskRows rows = Judge(problem, *solution, i, velocity).rows;
      auto kept = memory.segment(static_cast<Eigen::Index>(size) * i, size);
      if (HasDampers()) {
        const double damper = settings_.bristle_damping / (problem.step * contacts.surface(i).tangential_stiffness);
        kept.head<3>() = contacts.World(i, Vec2((p + damper * rows.reference) / (1 + damper))) / problem.step;
      }
      if (size > vector) kept[vector] = rows.limit > 0 ? rows.Slip(velocity, p).norm() : velocity.norm();
    }
  }

  std::array<double, 2> AllowedFriction(const ContactProblem& problem, int i, const Vec2& after) const {
    if (!HasStribeck()) return JudgedFriction(problem, i, settings_.velocity_threshold, after);
    const double mu = StribeckFriction(problem, i);
    return {mu, mu};
  }

  std::vector<double> StribeckFriction(const ContactProblem& problem) const {
    std::vector<double> friction(problem.contacts.size());
    for (int i = 0; i < problem.contacts.size(); ++i) friction[i] = StribeckFriction(problem, i);
    return friction;
  }
  double StribeckFriction(const ContactProblem& problem, int i) const {
    const ContactSurface& surface = problem.contacts.surface(i);
    const double speed = ComputePointMotion(problem.contacts, i, problem.velocity).contact.tail<2>().norm();
    const double ratio = speed / settings_.stribeck_velocity;
    return surface.friction_kinetic + (surface.friction_static - surface.friction_kinetic) * std::exp(-ratio * ratio);
  }

  LiangSettings settings_;
};

}  // namespace

const SettingTable<LiangSettings>& LiangSettings::Table() {
  using S = LiangSettings;
  static const SettingTable<S> table = {
      {&S::velocity_threshold, "velocity_threshold", "m/s",
       "as in other laws; without effect where stribeck_velocity is given"},
      {&S::stribeck_velocity, "stribeck_velocity", "m/s",
       "speed over which friction falls from static to kinetic; 0: at once, at velocity_threshold", AtLeast(0)},
      {&S::bristle_damping, "bristle_damping", "N s/m", "viscous force of the bristles", AtLeast(0)},
      {&S::bounds, FrictionBoundSettings::Table()},
  };
  return table;
}

std::unique_ptr<Law> MakeLiang(const LiangSettings& settings) { return std::make_unique<Liang>(settings); }

}  // namespace slipstick::internal
