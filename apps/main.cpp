#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <csignal>

#include "commands.h"
#include "slipstick/base/fault.h"
#include "slipstick/run/version.h"
#include "slipstick/scene_file/scene_formats.h"

namespace slipstick::internal {
namespace {

std::atomic<bool> interrupted{false};

void OnInterrupt(int) { interrupted = true; }

void AddSceneOptions(CLI::App* command, SceneArguments* arguments) {
  command->add_option("SCENE", arguments->scene, "name of a scene (see list) or path of a scene file")->required();
  command->add_option("--solver", arguments->solver, "solver, see list");
  command->add_option("--stepper", arguments->stepper, "stepper, see list");
  command->add_option("--step", arguments->step, "length of a step [s]");
  command->add_option("--time", arguments->time, "simulated time [s]");
  command->add_option("--set", arguments->set, "change a value of the scene: bodies.wheel.mass=2")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

int Main(int argc, char** argv) {
  CLI::App app{"slipstick: rigid multibody systems with frictional contact, every step certified"};
  app.set_version_flag("--version", std::string("slipstick ") + kVersion);
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::simple);
  int exit_code = kExitPassed;

  ListArguments list;
  CLI::App* list_command = app.add_subcommand("list", "scenes, laws, solvers, steppers, experiments");
  list_command->add_flag("--json", list.json, "print JSON, with every setting");
  list_command->callback([&] { exit_code = List(list); });

  RunArguments run;
  CLI::App* run_command = app.add_subcommand("run", "run a scene; writes summary.json, recording.h5, report.html");
  AddSceneOptions(run_command, &run.scene);
  run_command->add_option("--law", run.scene.law, "law of contact, see list");
  run_command->add_option("-o,--output", run.output, "folder for the results (default out/SCENE)");
  run_command
      ->add_option("--save-problems", run.save_problems,
                   "save contact problems to DIR/problems: every N-th step, the N with the largest residual")
      ->type_name("every=N,worst=N");
  run_command->add_option("--from-state", run.from_state, "go on from a state that --save-state wrote, to the bit")
      ->type_name("FILE");
  run_command->add_option("--save-state", run.save_state, "write the state at the end of the run")->type_name("FILE");
  CLI::Option* live =
      run_command->add_flag("--live", run.live, "watch and steer the run in the browser, on this machine alone");
  run_command->add_option("--port", run.port, "port of 127.0.0.1 for --live (default: any that is free)")->needs(live);
  run_command->add_flag("--open", run.open, "open the browser for --live too")->needs(live);
  run_command->add_flag("--json", run.json, "print the summary as JSON");
  run_command->add_flag("-q,--quiet", run.quiet, "no progress");
  run_command->callback([&] { exit_code = Run(run); });

  CompareArguments compare;
  CLI::App* compare_command = app.add_subcommand("compare", "run a scene with several laws and compare them");
  AddSceneOptions(compare_command, &compare.scene);
  compare_command->add_option("--laws", compare.laws, "laws, each LAW, LAW@STEP or LAW@STEPPER")
      ->delimiter(',')
      ->required();
  compare_command->add_option("--reference", compare.reference,
                              "LAW, LAW@STEP or LAW@STEPPER that deviations are measured from");
  compare_command->add_option("-o,--output", compare.output, "folder for the results (default out/compare-SCENE)");
  compare_command->add_flag("--json", compare.json, "print the summary as JSON");
  compare_command->add_flag("-q,--quiet", compare.quiet, "no progress");
  compare_command->callback([&] { exit_code = Compare(compare); });

  SweepArguments sweep;
  CLI::App* sweep_command = app.add_subcommand("sweep", "run a scene for all combinations of some values");
  AddSceneOptions(sweep_command, &sweep.scene);
  sweep_command->add_option("--law", sweep.scene.law, "law of contact, see list");
  sweep_command
      ->add_option("--vary", sweep.vary, "a key of the scene and its values; keys joined by commas take the same value")
      ->type_name("KEY=VALUE,…")
      ->allow_extra_args(false)
      ->required();
  sweep_command
      ->add_option("--quantity", sweep.quantities,
                   "number of summary.json to show, such as energy_joule.work_friction (default: the scene's measures)")
      ->allow_extra_args(false);
  sweep_command->add_option("--jobs", sweep.jobs, "runs at once (default: one for each processor)")
      ->check(CLI::Range(1, 1024));
  sweep_command->add_flag("--again", sweep.again, "make runs again that are there already");
  sweep_command->add_option("-o,--output", sweep.output, "folder for the results (default out/sweep-SCENE)");
  sweep_command->add_flag("--json", sweep.json, "print the summary as JSON");
  sweep_command->add_flag("-q,--quiet", sweep.quiet, "no progress");
  sweep_command->callback([&] { exit_code = SweepScene(sweep); });

  ReproduceArguments reproduce;
  CLI::App* reproduce_command = app.add_subcommand("reproduce", "the papers' experiments: paper | here | within");
  reproduce_command->add_option("NAME", reproduce.names, "experiments, see list (default: all)");
  reproduce_command->add_option("-o,--output", reproduce.output, "folder for the results (default out/reproduce)");
  reproduce_command->add_flag("--json", reproduce.json, "print the experiments as JSON");
  reproduce_command->add_flag("-q,--quiet", reproduce.quiet, "no progress");
  reproduce_command->callback([&] { exit_code = Reproduce(reproduce); });

  SolveArguments solve;
  CLI::App* solve_command =
      app.add_subcommand("solve", "solve saved contact problems, judged by a residual of its own");
  solve_command->add_option("FILE", solve.files, "saved problems: of slipstick run, FCLIB, Siconos")->required();
  solve_command->add_option("--solver", solve.solvers, "solvers, or all (default auto)")
      ->delimiter(',')
      ->allow_extra_args(false);
  solve_command->add_option("--tolerance", solve.tolerance, "residual that counts as solved (default 1e-8)");
  solve_command->add_option("--time-limit", solve.time_limit, "for each solve [s] (default 60)");
  solve_command->add_flag("--convex", solve.convex, "the convex relaxation in place of exact Coulomb friction");
  solve_command->add_flag("--hyperstatic", solve.hyperstatic, "rank, and which forces are not unique");
  solve_command->add_option("--save-solution", solve.save_solution, "HDF5 file for the answer: one file, one solver");
  solve_command->add_option("-o,--output", solve.output, "folder for report.html and summary.json (default: none)");
  solve_command->add_flag("--json", solve.json, "print the results as JSON");
  solve_command->add_flag("-q,--quiet", solve.quiet, "no progress");
  solve_command->callback([&] { exit_code = Solve(solve); });

  BenchArguments bench;
  CLI::App* bench_command =
      app.add_subcommand("bench", "time scenes by all methods, beside other simulators where they were built");
  bench_command->add_option("NAME", bench.names, "benchmarks (default: all), see docs/performance.md");
  bench_command->add_flag("--quick", bench.quick, "a few steps of each: whether all works, not how fast it is");
  bench_command->add_option("--time-limit", bench.time_limit, "processor time for a row [s] (default 120)")
      ->check(CLI::PositiveNumber);
  bench_command->add_option("-o,--output", bench.output, "folder for the results (default out/bench)");
  bench_command->add_flag("--json", bench.json, "print the rows as JSON");
  bench_command->add_flag("-q,--quiet", bench.quiet, "no progress");
  bench_command->callback([&] { exit_code = Bench(bench); });

  ExportArguments export_arguments;
  CLI::App* export_command = app.add_subcommand("export", "a recording for ParaView, tables, numpy or glTF viewers");
  export_command->add_option("DIR", export_arguments.recording, "folder of a run, or its recording.h5")->required();
  export_command->add_option("--format", export_arguments.format, "vtp, csv, npz or gltf")->required();
  export_command->add_option("-o,--output", export_arguments.output,
                             "folder (vtp, csv) or file (npz, gltf; default: in DIR)");
  export_command->add_option("--every", export_arguments.every, "of the frames only those nearest to multiples [s]");
  export_command->add_flag("-q,--quiet", export_arguments.quiet, "no progress");
  export_command->callback([&] { exit_code = Export(export_arguments); });

  ImportArguments import_arguments;
  CLI::App* import_command = app.add_subcommand("import", "a robot in URDF as a scene file");
  import_command->add_option("ROBOT", import_arguments.robot, "its file, " + ImportedEndings())->required();
  import_command->add_option("-o,--output", import_arguments.output, "scene file (default: ROBOT's name, .yaml, here)");
  import_command
      ->add_option("--base", import_arguments.base,
                   "fixed, floating or by-mass: fixed where the root link has none (default)")
      ->check(CLI::IsMember({"fixed", "floating", "by-mass"}));
  import_command->add_option("--position", import_arguments.position, "of the root link [m]")->type_name("X,Y,Z");
  import_command->callback([&] { exit_code = Import(import_arguments); });

  RenderArguments render;
  CLI::App* render_command =
      app.add_subcommand("render", "the replay of a report as PNG, or a plot as SVG, for papers and documents");
  render_command->add_option("DIR", render.folder, "folder of a report, or its report.html")->required();
  render_command->add_option("-o,--output", render.output, "file: .png is the replay, .svg a plot");
  render_command->add_option("--size", render.size, "width and height in pixels (default 960x540; of a plot 720x420)")
      ->type_name("WxH");
  render_command->add_option("--time", render.time, "moment of the replay [s] (default: the end)");
  render_command->add_option("--view", render.view, "of the replay: isometric, front, side or top (default isometric)");
  render_command->add_flag("--dark", render.dark, "the replay on a dark ground");
  render_command->add_option("--plot", render.plot, "title of the plot, or a part of it that no other has");
  render_command->add_flag("--thumbnail", render.thumbnail, "write DIR/thumbnail.png, which view shows");
  render_command->callback([&] { exit_code = Render(render); });

  ViewArguments view;
  CLI::App* view_command =
      app.add_subcommand("view", "show all runs below a folder in the browser, on this machine alone");
  view_command->add_option("DIR", view.folder, "folder with results (default out)");
  view_command->add_option("--port", view.port, "port of 127.0.0.1 (default: any that is free)");
  view_command->add_flag("--open", view.open, "open the browser too");
  view_command->callback([&] { exit_code = View(view); });

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0 && app.get_subcommands().empty()) {
      std::string names;
      for (const CLI::App* command : app.get_subcommands({})) {
        names += (names.empty() ? "" : ", ") + command->get_name();
      }
      fmt::print(stderr, "slipstick: expected a command, one of {}, found {}\n", names,
                 argc > 1 ? fmt::format("'{}'", argv[1]) : "none");
      return kExitBadInput;
    }
    return error.get_exit_code() == 0 ? app.exit(error) : (app.exit(error), kExitBadInput);
  }
  return exit_code;
}

}  // namespace

bool Interrupted() { return interrupted; }

}  // namespace slipstick::internal

int main(int argc, char** argv) {
  std::signal(SIGINT, slipstick::internal::OnInterrupt);
  try {
    return slipstick::internal::Main(argc, argv);
  } catch (const slipstick::InputError& error) {
    fmt::print(stderr, "slipstick: {}\n",
               error.faults().size() == 1 ? "bad input" : fmt::format("bad input, {} faults", error.faults().size()));
    fmt::print(stderr, "{}\n", error.what());
    return slipstick::internal::kExitBadInput;
  } catch (const std::exception& error) {
    fmt::print(stderr, "slipstick: internal error: {}\n", error.what());
    return slipstick::internal::kExitInternalError;
  }
}
