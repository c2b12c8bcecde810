#include "slipstick/stepping/method_catalog.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <type_traits>

#include "slipstick/law/box.h"
#include "slipstick/law/bristle.h"
#include "slipstick/law/cone.h"
#include "slipstick/law/coulomb.h"
#include "slipstick/law/liang.h"
#include "slipstick/law/max_dissipation.h"
#include "slipstick/law/polygonal.h"
#include "slipstick/law/regularized.h"
#include "slipstick/model/constraints.h"
#include "slipstick/solver/compact/compact_solvers.h"
#include "slipstick/solver/compact/contact_sweep.h"
#include "slipstick/solver/cone/cone_ladder.h"
#include "slipstick/solver/cone/cone_solvers.h"
#include "slipstick/solver/cone/interior_point.h"
#include "slipstick/solver/dissipation/dissipation_interior_point.h"
#include "slipstick/solver/dissipation/dissipation_sweep.h"
#include "slipstick/solver/dissipation/gradient_projection.h"
#include "slipstick/solver/mlcp/block_pivoting.h"
#include "slipstick/solver/mlcp/lemke.h"
#include "slipstick/solver/mlcp/mlcp_auto.h"
#include "slipstick/solver/velocity/velocity_auto.h"
#include "slipstick/solver/velocity/velocity_pivoting.h"

namespace slipstick::internal {
namespace {

MlcpAnswer Named(MlcpAnswer answer, const char* solver) {
  answer.report.solver = solver;
  return answer;
}

std::function<MlcpAnswer(const BoundedMlcp&, const VecX*)> BlockPivoting(const BlockPivotingSettings& settings) {
  return [settings](const BoundedMlcp& problem, const VecX* warm) {
    return Named(SolveByBlockPivoting(problem, settings, warm), "block-pivoting");
  };
}
std::function<MlcpAnswer(const BoundedMlcp&, const VecX*)> Lemke(const LemkeSettings& settings) {
  return
      [settings](const BoundedMlcp& problem, const VecX*) { return Named(SolveByLemke(problem, settings), "lemke"); };
}
void AddGradientProjection(ProgramSolver* solver) {
  // faces of redundant contacts may lead it to and fro; pivoting does not mind them, and is dense
  constexpr int kMostDense = 1500;
  const auto needs_help = [](const MlcpAnswer& answer) {
    return (answer.report.status == SolveStatus::kStalled || answer.report.status == SolveStatus::kIterationLimit) &&
           answer.z.size() <= kMostDense;
  };
  const auto better = [](const MlcpAnswer& answer, const BoundedMlcp& problem) {
    MlcpAnswer other = SolveMlcpByAuto(problem, {}, &answer.z);
    return other.report.residual < answer.report.residual ? other : answer;
  };
  solver->box = [=](const BoundedMlcp& problem, const VecX* warm) {
    MlcpAnswer answer = SolveByGradientProjection(problem, {}, warm);
    return needs_help(answer) ? better(answer, problem) : answer;
  };
  solver->factored_box = [=](const FactoredBox& problem, const VecX* warm) {
    MlcpAnswer answer = SolveByGradientProjection(problem, {}, warm);
    if (!needs_help(answer)) return answer;
    const SparseMat& factor = problem.A.factor();
    return better(answer, {MatX(factor * factor.transpose()), problem.b, problem.lower, problem.upper});
  };
}

// What solvers of cone programs have besides their own settings. Every contact is to be right by itself, so the measure
// in a step is the natural map, as the certificate's.
struct ConeStopSettings {
  double tolerance = StopRule().tolerance;

  static const SettingTable<ConeStopSettings>& Table() {
    using S = ConeStopSettings;
    static const SettingTable<S> table = {{&S::tolerance, "tolerance", "",
                                           "largest natural residual, relative to the velocities involved",
                                           AboveUpTo(0, 1)}};
    return table;
  }
};

// What solvers of compact programs have besides these.
struct CompactSettings {
  // A stop in velocities beside the relative one: where stones fall fast, a share of their speed is more than those at
  // rest can bear [m/s].
  double speed_tolerance = 0;
  int threads = 1;

  static const SettingTable<CompactSettings>& Table() {
    using S = CompactSettings;
    static const SettingTable<S> table = {
        {&S::speed_tolerance, "speed_tolerance", "m/s",
         "residual that is small enough whatever the velocities involved", AtLeast(0)},
        {&S::threads, "threads", "", "that share the work; the answer is the same to the bit for any number",
         Between(1, 1024)}};
    return table;
  }
};

void Append(std::vector<SettingSpec> more, std::vector<SettingSpec>* specs) {
  specs->insert(specs->end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

ProgramSolver ConeSolverWith(const ConeSolver& solver, const Settings& settings) {
  StopRule stop;
  stop.tolerance = ConeStopSettings::Table().From(settings).tolerance;
  return {.mlcp = {}, .cone = [&solver, settings, stop](const ConeProgram& program, const VecX* warm) {
            return solver.solve(program, settings, stop, warm);
          }};
}

// Phases I and II of law max-dissipation, the second by interior points alone.
void AddDissipation(const Settings& settings, ProgramSolver* solver) {
  const DissipationSolverSettings own{.max_iterations = InteriorPointSettings::Table().From(settings).max_iterations,
                                      .tolerance = ConeStopSettings::Table().From(settings).tolerance};
  AddGradientProjection(solver);
  solver->dissipation = [own](const DissipationProgram& program, const VecX* warm) {
    return SolveDissipationByInteriorPoint(program, own, warm);
  };
}

// Phases I and II of law max-dissipation, the second by sweeps where contacts are many.
void AddDissipationSweeps(const Settings& settings, ProgramSolver* solver) {
  constexpr int kFewRows = 90;  // up to which exact answers are as cheap
  const DissipationSweepSettings own{.max_iterations = ContactSweepSettings::Table().From(settings).max_iterations,
                                     .tolerance = ConeStopSettings::Table().From(settings).tolerance,
                                     .speed_tolerance = CompactSettings::Table().From(settings).speed_tolerance};
  AddGradientProjection(solver);
  solver->dissipation = [own](const DissipationProgram& program, const VecX* warm) {
    if (!program.is_factored() || program.size() <= kFewRows) return SolveDissipation(program, warm);
    return SolveDissipationBySweeps(program, own, warm);
  };
}

// Compact programs by the solver named, and all others, of contacts that remember or of joints alone say, as by `auto`
// with the same tolerance.
ProgramSolver CompactSolverWith(const CompactSolver& solver, const Settings& settings) {
  StopRule stop;
  stop.tolerance = ConeStopSettings::Table().From(settings).tolerance;
  const CompactSettings compact = CompactSettings::Table().From(settings);
  const auto make = [&solver, settings, stop, compact]() -> CompactScratch::Solve {
    const CompactSolve solve = solver.make(settings, std::make_shared<ThreadTeam>(compact.threads));
    return [solve, stop, speed = compact.speed_tolerance](const CompactProgram& program, double scale,
                                                          CompactImpulses* impulses) {
      return solve(program, std::max(stop.tolerance * scale, speed), impulses);
    };
  };
  // a speed compares with the velocities of the program at hand
  const auto rule = [stop, speed = compact.speed_tolerance](const VecX& velocities) {
    const double scale = velocities.size() > 0 ? velocities.lpNorm<Eigen::Infinity>() : 0.0;
    StopRule of = stop;
    if (scale > 0) of.tolerance = std::min(std::max(stop.tolerance, speed / scale), 1.0);
    return of;
  };
  return {.mlcp = [](const BoundedMlcp& problem, const VecX* warm) { return SolveMlcpByAuto(problem, {}, warm); },
          .cone = [rule](const ConeProgram& program,
                         const VecX* warm) { return SolveByLadder(program, rule(program.q), warm); },
          .compact = CompactScratch(make, solver.takes_mechanisms),
          .velocity = [rule](const VelocityProgram& program,
                             const VecX* states) { return SolveVelocityProgram(program, rule(program.q), states); }};
}

// Twelve digits where they are cheap: what rests stays at rest to rounding. Of many contacts a tenth of what the
// certificate allows by default: the last digits of a heap cost more than all others.
constexpr int kManyRows = 300;
constexpr StopRule kStepRule{.tolerance = 1e-10, .tolerance_of_small = 1e-12}, kHeapRule{.tolerance = 1e-8};
const StopRule& RuleFor(int rows) { return rows > kManyRows ? kHeapRule : kStepRule; }

// The two ladders, which saved problems are solved by too.
ProgramSolver Automatic() {
  ProgramSolver solver;
  solver.mlcp = [](const BoundedMlcp& problem, const VecX* warm) { return SolveMlcpByAuto(problem, {}, warm); };
  solver.cone = [](const ConeProgram& program, const VecX* warm) {
    return SolveByLadder(program, RuleFor(program.size()), warm);
  };
  solver.velocity = [](const VelocityProgram& program, const VecX* states) {
    return SolveVelocityProgram(program, RuleFor(program.size()), states);
  };
  solver.single_rows = SolveByVelocityPivoting;
  AddGradientProjection(&solver);
  solver.dissipation = [](const DissipationProgram& program, const VecX* warm) {
    return SolveDissipation(program, warm);
  };
  return solver;
}

// The type of the function says whose settings these are.
template <typename S>
LawEntry Entry(const char* name, const char* summary, ProgramKind program, bool has_moments, bool has_compliance,
               std::unique_ptr<Law> (*make)(const S&),
               SlidingFriction (*sliding)(const std::type_identity_t<S>&) = nullptr) {
  LawEntry entry{name, summary, program, has_moments, has_compliance, S::Table().Specs(), [make](const Settings& s) {
                   return make(S::Table().From(s));
                 }};
  if (sliding != nullptr) entry.sliding = [sliding](const Settings& s) { return sliding(S::Table().From(s)); };
  return entry;
}

}  // namespace

const std::vector<LawEntry>& LawCatalog() {
  static const std::vector<LawEntry> catalog = {
      Entry("coulomb", "exact Coulomb cone, the reference", ProgramKind::kCone, true, true, &MakeCoulomb,
            [](const CoulombSettings&) { return SlidingFriction(); }),
      Entry("cone", "convex: sliding, rolling, spinning (Tasora & Anitescu 2013)", ProgramKind::kCone, true, true,
            &MakeCone),
      Entry("regularized", "bristle, then dry and viscous friction (Peiret et al. 2016)", ProgramKind::kMlcp, false,
            false, &MakeRegularized),
      Entry("bristle", "bristle with limits by component (Peiret et al., abstract)", ProgramKind::kMlcp, false, false,
            &MakeBristle),
      Entry("liang", "bristle with a limit on the vector's norm (Liang et al. 2012)", ProgramKind::kCone, false, false,
            &MakeLiang),
      Entry("box", "box of limits on fixed axes (Lacoursière 2006)", ProgramKind::kMlcp, false, false, &MakeBox),
      Entry("polygonal", "cone with n sides (Anitescu & Potra, Stewart & Trinkle)", ProgramKind::kMlcp, false, false,
            &MakePolygonal),
      Entry("max-dissipation", "no complementarity; ladders fall (Drumwright & Shell 2010)", ProgramKind::kDissipation,
            false, false, &MakeMaxDissipation,
            [](const MaxDissipationSettings& s) { return SlidingFriction{s.viscous_friction}; }),
  };
  return catalog;
}

namespace {

std::vector<SolverEntry> AllSolvers() {
  std::vector<SolverEntry> catalog = {
      {"auto",
       "what suits the law; the next one where it fails",
       {ProgramKind::kMlcp, ProgramKind::kCone, ProgramKind::kDissipation},
       {},
       [](const Settings&) { return Automatic(); }},
      {"block-pivoting",
       "block principal pivoting with bounds (Júdice & Pires 1992)",
       {ProgramKind::kMlcp},
       BlockPivotingSettings::Table().Specs(),
       [](const Settings& s) {
         return ProgramSolver{.mlcp = BlockPivoting(BlockPivotingSettings::Table().From(s)), .cone = {}};
       }},
      {"lemke",
       "lexicographic Lemke",
       {ProgramKind::kMlcp},
       LemkeSettings::Table().Specs(),
       [](const Settings& s) { return ProgramSolver{.mlcp = Lemke(LemkeSettings::Table().From(s)), .cone = {}}; }},
  };
  for (const ConeSolver& solver : ConeSolvers()) {
    if (solver.name == "auto") continue;
    std::vector<SettingSpec> specs = solver.settings;
    const auto is_tolerance = [](const SettingSpec& spec) { return spec.name == "tolerance"; };
    if (std::none_of(specs.begin(), specs.end(), is_tolerance)) Append(ConeStopSettings::Table().Specs(), &specs);
    std::vector<ProgramKind> kinds = {ProgramKind::kCone};
    if (solver.name == "interior-point") kinds.push_back(ProgramKind::kDissipation);
    catalog.push_back({solver.name, solver.summary, std::move(kinds), std::move(specs), [&solver](const Settings& s) {
                         ProgramSolver made = ConeSolverWith(solver, s);
                         if (solver.name == "interior-point") AddDissipation(s, &made);
                         return made;
                       }});
  }
  for (const CompactSolver& solver : CompactSolvers()) {
    std::vector<SettingSpec> specs = solver.settings;
    Append(ConeStopSettings::Table().Specs(), &specs);
    Append(CompactSettings::Table().Specs(), &specs);
    const bool sweeps = solver.name == "contact-sweep";
    std::vector<ProgramKind> kinds = {ProgramKind::kCone};
    if (sweeps) kinds.push_back(ProgramKind::kDissipation);
    catalog.push_back(
        {solver.name, solver.summary, std::move(kinds), std::move(specs), [&solver, sweeps](const Settings& s) {
           ProgramSolver made = CompactSolverWith(solver, s);
           if (sweeps) AddDissipationSweeps(s, &made);
           return made;
         }});
  }
  return catalog;
}

template <typename Entry>
const Entry* FindEntry(const std::vector<Entry>& catalog, const std::string& name, const char* key,
                       std::vector<Fault>* faults) {
  std::vector<std::string> names;
  for (const Entry& entry : catalog) {
    if (entry.name == name) return &entry;
    names.push_back(entry.name);
  }
  faults->push_back({"", 0, key, fmt::format("one of {}", fmt::join(names, ", ")), fmt::format("'{}'", name)});
  return nullptr;
}

}  // namespace

const std::vector<SolverEntry>& SolverCatalog() {
  static const std::vector<SolverEntry> catalog = AllSolvers();
  return catalog;
}

void RequireLawFor(const Model& model, const std::string& law, std::vector<Fault>* faults) {
  const auto entry = std::find_if(LawCatalog().begin(), LawCatalog().end(),
                                  [&](const LawEntry& candidate) { return candidate.name == law; });
  if (entry == LawCatalog().end()) return;
  const auto require = [&](bool LawEntry::*has, bool (PairProperties::*needs)() const, const char* what) {
    if ((*entry).*has) return;
    const std::size_t n = model.materials.size();
    for (std::size_t k = 0; k < n * n; ++k) {
      if (!(model.pairs[k].*needs)()) continue;
      std::vector<std::string> able;
      for (const LawEntry& candidate : LawCatalog()) {
        if (candidate.*has) able.push_back(candidate.name);
      }
      faults->push_back({"", 0, "law.name",
                         fmt::format("a law with {}, as the materials '{}' and '{}' have it: {}", what,
                                     model.materials[k / n], model.materials[k % n], fmt::join(able, ", ")),
                         fmt::format("'{}'", law)});
      return;
    }
  };
  require(&LawEntry::has_moments, &PairProperties::has_moments, "rolling and spinning friction");
  require(&LawEntry::has_compliance, &PairProperties::is_compliant, "normal stiffness");
}

void RequireEventsFor(const Model& model, const std::string& law, std::vector<Fault>* faults) {
  std::vector<std::string> able;
  for (const LawEntry& entry : LawCatalog()) {
    if (entry.sliding != nullptr) able.push_back(entry.name);
  }
  if (std::find(able.begin(), able.end(), law) == able.end()) {
    faults->push_back({"", 0, "law.name",
                       fmt::format("a law that stepper event-driven can take: {}", fmt::join(able, ", ")),
                       fmt::format("'{}'", law)});
  }
  for (const JointResistance& joint : model.joint_resistances) {
    if (joint.is_dry_friction()) continue;
    faults->push_back({"", 0, "stepper.name",
                       fmt::format("time-stepping, as the joint of '{}' has limits, viscous friction, another friction "
                                   "at rest or a bearing",
                                   model.bodies[joint.body].name),
                       "'event-driven'"});
    return;
  }
  for (const JointDrive& drive : model.drives) {
    if (drive.kind != JointDrive::Kind::kMotor) continue;
    faults->push_back({"", 0, "stepper.name", fmt::format("time-stepping, as there is the motor '{}'", drive.name),
                       "'event-driven'"});
    return;
  }
  for (const ModelConstraint& constraint : model.constraints) {
    if (!HasFriction(constraint.kind)) continue;
    faults->push_back({"", 0, "stepper.name",
                       fmt::format("time-stepping, as the constraint '{}' has friction", constraint.name),
                       "'event-driven'"});
    return;
  }
  const std::size_t n = model.materials.size();
  for (std::size_t k = 0; k < n * n; ++k) {
    const PairProperties& pair = model.pairs[k];
    if (!pair.has_moments() && !pair.is_compliant()) continue;
    faults->push_back({"", 0, "stepper.name",
                       fmt::format("time-stepping, as the materials '{}' and '{}' have {}", model.materials[k / n],
                                   model.materials[k % n],
                                   pair.has_moments() ? "rolling or spinning friction" : "a normal stiffness"),
                       "'event-driven'"});
    return;
  }
}

Method MakeMethod(const std::string& law, const GivenSettings& law_settings, const std::string& solver,
                  const GivenSettings& solver_settings, std::vector<Fault>* faults) {
  const std::size_t before = faults->size();
  const LawEntry* law_entry = FindEntry(LawCatalog(), law, "law.name", faults);
  const SolverEntry* solver_entry = FindEntry(SolverCatalog(), solver, "solver.name", faults);
  Settings law_checked, solver_checked;
  if (law_entry != nullptr) law_checked = Settings::Read(law_entry->settings, law_settings, "law", faults);
  if (solver_entry != nullptr) {
    solver_checked = Settings::Read(solver_entry->settings, solver_settings, "solver", faults);
  }
  if (law_entry != nullptr && solver_entry != nullptr) {
    const auto& kinds = solver_entry->programs;
    if (std::find(kinds.begin(), kinds.end(), law_entry->program) == kinds.end()) {
      std::vector<std::string> fitting;
      for (const SolverEntry& entry : SolverCatalog()) {
        if (std::find(entry.programs.begin(), entry.programs.end(), law_entry->program) != entry.programs.end()) {
          fitting.push_back(entry.name);
        }
      }
      faults->push_back({"", 0, "solver.name",
                         fmt::format("a solver for the law '{}': {}", law, fmt::join(fitting, ", ")),
                         fmt::format("'{}'", solver)});
    }
  }
  if (faults->size() > before) return {};
  Method method{law, solver, law_entry->make(law_checked), solver_entry->make(solver_checked), {}};
  if (law_entry->sliding != nullptr) method.sliding = law_entry->sliding(law_checked);
  return method;
}

}  // namespace slipstick::internal
