#pragma once

#include <optional>
#include <string>
#include <vector>

#include "slipstick/scene_file/scene_reader.h"

// The commands of the program, one file each. They return the exit code: 0 all passed, 1 something did not (a step's
// certificate, a figure outside of its band), and throw InputError for what the user must mend (exit code 2).

namespace slipstick::internal {

constexpr int kExitPassed = 0;
constexpr int kExitNotPassed = 1;
constexpr int kExitBadInput = 2;
constexpr int kExitInternalError = 3;
constexpr int kExitInterrupted = 130;

// What the user said of the scene on the command line, on top of the file.
struct SceneArguments {
  std::string scene;
  std::string law, solver, stepper;  // empty: the scene's own
  std::string step, time;            // numbers or expressions; empty: the scene's own
  std::vector<std::string> set;      // key=value
};

struct ListArguments {
  bool json = false;
};
int List(const ListArguments& arguments);

struct RunArguments {
  SceneArguments scene;
  std::string output;
  std::optional<std::string> save_problems;  // as SaveProblemsSettings::Parse reads it
  std::string from_state, save_state;        // files; empty: none
  bool json = false, quiet = false;
  bool live = false;  // to be watched and steered in the browser
  bool open = false;  // a browser
  int port = 0;       // 0: any that is free
};
int Run(const RunArguments& arguments);

struct CompareArguments {
  SceneArguments scene;
  std::vector<std::string> laws;  // LAW, LAW@STEP or LAW@STEPPER
  std::string reference;          // LAW, LAW@STEP or LAW@STEPPER; empty: the first
  std::string output;
  bool json = false, quiet = false;
};
int Compare(const CompareArguments& arguments);

struct SweepArguments {
  SceneArguments scene;
  std::vector<std::string> vary;        // KEY=VALUE,VALUE,…
  std::vector<std::string> quantities;  // paths in summary.json; empty: the usual ones
  int jobs = 0;                         // runs at once; 0: as many as there are processors
  bool again = false;                   // runs that were made before are made again
  std::string output;
  bool json = false, quiet = false;
};
int SweepScene(const SweepArguments& arguments);

struct ReproduceArguments {
  std::vector<std::string> names;  // empty: all
  std::string output;
  bool json = false, quiet = false;
};
int Reproduce(const ReproduceArguments& arguments);

struct BenchArguments {
  std::vector<std::string> names;  // empty: all
  std::string output;
  double time_limit = 120;  // seconds of processor time for a row
  bool quick = false;       // a few steps of each row
  bool json = false, quiet = false;
};
int Bench(const BenchArguments& arguments);

struct SolveArguments {
  std::vector<std::string> files;
  std::vector<std::string> solvers = {"auto"};  // or "all"
  double tolerance = 1e-8;
  double time_limit = 60;  // seconds of each solve
  bool convex = false, hyperstatic = false;
  std::string save_solution;  // file
  std::string output;         // folder; empty: none is written
  bool json = false, quiet = false;
};
int Solve(const SolveArguments& arguments);

struct ExportArguments {
  std::string recording;  // the file, or its folder
  std::string format;
  std::string output;  // empty: beside the recording
  double every = 0;    // s; 0: all frames
  bool quiet = false;
};
int Export(const ExportArguments& arguments);

struct ImportArguments {
  std::string robot;   // its file
  std::string output;  // empty: NAME.yaml here
  std::string base = "by-mass";
  std::string position;  // X,Y,Z; empty: 0
};
int Import(const ImportArguments& arguments);

struct RenderArguments {
  std::string folder;  // with a report, or the report itself
  std::string output;  // .svg: a plot, .png: the replay; empty with thumbnail
  std::string size;    // empty: the usual one
  std::string plot;    // its title, or a part of it
  std::optional<double> time;
  std::string view = "isometric";
  bool dark = false;
  bool thumbnail = false;  // for the gallery of view, beside the report
};
int Render(const RenderArguments& arguments);

struct ViewArguments {
  std::string folder;  // empty: out, which need not be there
  int port = 0;        // 0: any that is free
  bool open = false;   // a browser
};
int View(const ViewArguments& arguments);

// Opens the user's browser, where there is one.
void OpenBrowser(const std::string& address);
// Throws InputError where it is none.
void CheckPort(int port);

// Set by Ctrl-C; runs end at the next step and write what they have.
bool Interrupted();

// Overrides for the reader; faults of the form key=value are thrown.
std::vector<Override> OverridesOf(const SceneArguments& arguments);

}  // namespace slipstick::internal
