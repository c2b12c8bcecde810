#include "slipstick/solve/save_solution.h"

namespace slipstick::internal {

void WriteSolution(const SolveRecord& record, Hdf5Writer* writer) {
  const ProblemSolution& solution = record.solution;
  writer->Group("/solution");
  const auto write = [writer](const std::string& name, const VecX& values) {
    writer->Numbers<double>("/solution/" + name, values.data(), static_cast<std::size_t>(values.size()));
  };
  if (record.contacts > 0 || solution.z.size() == 0) {
    write("u", solution.u);
    write("r", solution.r);
    if (solution.v.size() > 0) write("v", solution.v);
    if (solution.lambda.size() > 0) write("l", solution.lambda);
  } else {
    write("z", solution.z);
    write("w", solution.w);
  }
  writer->TextAttribute("/solution", "file", record.file);
  writer->TextAttribute("/solution", "solver", solution.solver);
  writer->NumberAttribute<double>("/solution", "residual", solution.residual);
  writer->Commit();
}

}  // namespace slipstick::internal
