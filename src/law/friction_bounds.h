#pragma once

#include <vector>

#include "slipstick/base/setting_table.h"
#include "slipstick/law/law.h"

namespace slipstick::internal {

// Where the limits μ λN of tangential forces come from, in the laws that fix them before they solve: the last step's
// normal forces (Peiret eq 12), or iterated until they are those of this step (Lacoursière). A contact that carried
// nothing in the last step has no force to take; its limit is iterated always, starting without friction.
struct FrictionBoundSettings {
  bool iterated = false;
  int max_iterations = 50;
  double tolerance = 1e-12;  // change of the normal impulses, relative to their largest, that ends the iteration

  static const SettingTable<FrictionBoundSettings>& Table();
};

// What one solve of an iteration is given.
struct GivenNormals {
  std::vector<double> bounding;  // normal impulses that μ is applied to
  // Normal impulses that the answer's must stay near to where they are not unique (four corners of a box carry its
  // weight in many ways), or the iteration would jump between them for ever. Empty where nothing is iterated.
  std::vector<double> centre;
};

// The pull towards the centre, where there is one: the normal row u_N of contact i becomes u_N + ε W_NN (p_N − centre),
// a proximal-point step whose extra term vanishes as the iteration converges, so that the limit is the law's own
// answer.
void AddCentring(const GivenNormals& normals, int i, int normal_row, MatX* W, VecX* q);

// Looks for limits that are those of the answer they lead to, as the settings say. The law solves with normals() as
// long as there are some, and hands each answer over:
//
//   FrictionBoundIteration iteration(problem, settings);
//   while (!iteration.is_over()) {
//     … a solution with the limits of iteration.normals()
//     iteration.Take(solution, report);
//   }
//   return iteration.Answer();
class FrictionBoundIteration {
 public:
  FrictionBoundIteration(const ContactProblem& problem, const FrictionBoundSettings& settings);

  bool is_over() const { return is_over_; }
  const GivenNormals& normals() const { return normals_; }
  void Take(ContactSolution solution, const SolveReport& report);
  // The one whose limits came nearest to its own normals. Its report says where they did not converge.
  LawAnswer Answer();

 private:
  const ContactProblem& problem_;
  const FrictionBoundSettings& settings_;
  GivenNormals normals_;
  bool iterates_ = false, is_over_ = false;
  LawAnswer best_;
  std::vector<double> best_bounding_;
  double least_;  // change of the best answer, relative
  double damping_ = 1;
};

// The normal impulses whose multiples by μ bound the tangential ones, according to the settings, for a finished
// solution.
std::vector<double> BoundingNormals(const ContactProblem& problem, const FrictionBoundSettings& settings,
                                    const ContactSolution& solution);

}  // namespace slipstick::internal
