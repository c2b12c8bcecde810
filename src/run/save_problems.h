#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "slipstick/problem/contact_problem_file.h"
#include "slipstick/scene/scene.h"
#include "slipstick/simulation/simulation_parts.h"

namespace slipstick::internal {

// Which steps of a run have their contact problem saved.
struct SaveProblemsSettings {
  long every = 0;  // each step whose number is a multiple of this; 0: none
  long worst = 0;  // so many of the worst conditioned steps

  // From "every=100,worst=10": either or both, in any order. Throws InputError.
  static SaveProblemsSettings Parse(const std::string& text);
};

// Writes them to FOLDER/problems, each as a whole or not at all: every-00000100.h5 as the run goes on, and, when it
// ends, worst-01-00000123.h5 and so on, the worst conditioned first (contact/condition.h), whatever a solver made of
// it. Steps without contacts and bounded rows are linear equations and never among the worst; of equals the earlier
// step is kept. Problems with numbers that are not finite are left out: they have no answer.
class ProblemKeeper {
 public:
  // Removes what an earlier run left there under such names.
  ProblemKeeper(const std::filesystem::path& folder, const Scene& scene, SaveProblemsSettings settings);
  // To be called after each step, with its number from 1 on.
  void See(const StepRecord& record, long number);
  void Close();

 private:
  ProblemOrigin OriginOf(const StepRecord& record, long number) const;

  std::filesystem::path folder_;
  std::string scene_, law_, solver_;
  SaveProblemsSettings settings_;
  std::vector<SavedContactProblem> worst_;  // the worst first
};

}  // namespace slipstick::internal
