#pragma once

#include <array>
#include <vector>

#include "slipstick/base/setting_table.h"
#include "slipstick/law/law.h"

namespace slipstick::internal {

// Where the limits μ λN of tangential forces come from, in the laws that fix them before they solve: the last step's
// normal forces (Peiret eq 12) where these are much the same in this step, and else iterated until they are this step's
// own (Lacoursière); or iterated always. docs/theory.md (L7).
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

  // Limits, and the centre of normals that are not unique, from an answer that is to be met again.
  void StartFrom(const ContactSolution& chosen);

  bool is_over() const { return is_over_; }
  const GivenNormals& normals() const { return normals_; }
  void Take(ContactSolution solution, const SolveReport& report);
  // Whether the limits belong to the answer; if not, and where its limits are this step's own.
  bool has_settled() const { return !iterates_ || least_ <= settings_.tolerance; }
  const std::vector<char>& has_own_limits() const { return own_; }
  // The one whose limits came nearest to its own normals. Its report says where they did not converge.
  LawAnswer Answer();

 private:
  void Continue();
  bool FindUnsteady();

  const ContactProblem& problem_;
  const FrictionBoundSettings& settings_;
  GivenNormals normals_;
  std::vector<char> own_;  // contacts whose limits are iterated
  bool iterates_ = false, is_over_ = false;
  LawAnswer best_;
  std::vector<double> best_bounding_;
  bool has_best_ = false;
  double least_;  // change of the best answer, relative
  double damping_ = 1;
};

// Whether a contact with the normal impulse p carries about what it did in the last step.
bool HasSteadyLoad(const ContactProblem& problem, int i, double p);

// The normal impulses whose multiples by μ may limit the friction of contact i in a finished solution: its own, and
// that of the last step where the settings say so and its load is steady.
std::array<double, 2> JudgedBounds(const ContactProblem& problem, const FrictionBoundSettings& settings,
                                   const ContactSolution& solution, int i);

}  // namespace slipstick::internal
