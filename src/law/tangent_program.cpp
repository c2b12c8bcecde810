#include "slipstick/law/tangent_program.h"

#include <limits>

#include "slipstick/law/velocity_rows.h"

namespace slipstick::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void Turn(const DelassusForm& form, const std::vector<TangentRows>& rows, VecX* impulses) {
  for (int i = 0; i < form.contacts; ++i) {
    auto part = impulses->segment<2>(form.contact_row(i) + 1);
    part = (rows[i].directions * part).eval();
  }
}
void TurnBack(const DelassusForm& form, const std::vector<TangentRows>& rows, VecX* impulses) {
  for (int i = 0; i < form.contacts; ++i) {
    auto part = impulses->segment<2>(form.contact_row(i) + 1);
    part = (rows[i].directions.transpose() * part).eval();
  }
}

// W, q and bounds with turned tangents and their compliance; limits are those of the rows.
BoundedMlcp Formulate(const ContactProblem& problem, const DelassusForm& form, const std::vector<TangentRows>& rows) {
  BoundedMlcp mlcp;
  mlcp.A = form.W;
  mlcp.b = form.q;
  mlcp.lower.setConstant(form.q.size(), -kInfinity);
  mlcp.upper.setConstant(form.q.size(), kInfinity);
  mlcp.lower.segment(form.bilateral, form.bounded) = problem.bounded.lower;
  mlcp.upper.segment(form.bilateral, form.bounded) = problem.bounded.upper;
  for (int i = 0; i < form.contacts; ++i) {
    const int t = form.contact_row(i) + 1;
    const Mat2& turn = rows[i].directions;
    mlcp.A.middleRows<2>(t) = (turn * mlcp.A.middleRows<2>(t)).eval();
    mlcp.A.middleCols<2>(t) = (mlcp.A.middleCols<2>(t) * turn.transpose()).eval();
    mlcp.b.segment<2>(t) = (turn * mlcp.b.segment<2>(t)).eval();
    mlcp.A.diagonal().segment<2>(t) += rows[i].compliance;
    mlcp.b.segment<2>(t) -= rows[i].compliance.cwiseProduct(rows[i].reference);
    mlcp.lower[t - 1] = 0;
    mlcp.lower.segment<2>(t) = -rows[i].limits();
    mlcp.upper.segment<2>(t) = rows[i].limits();
  }
  return mlcp;
}

}  // namespace

MlcpAnswer SolveWithLimits(const ContactProblem& problem, const DelassusForm& form,
                           const std::vector<TangentRows>& rows, const GivenNormals& normals, const VecX& warm,
                           ProgramSolver& solver) {
  BoundedMlcp mlcp = Formulate(problem, form, rows);
  for (int i = 0; i < form.contacts; ++i) AddCentring(normals, i, form.contact_row(i), &mlcp.A, &mlcp.b);
  mlcp.A = (0.5 * (mlcp.A + mlcp.A.transpose())).eval();
  VecX turned = warm;
  Turn(form, rows, &turned);
  MlcpAnswer answer = solver.mlcp(mlcp, &turned);
  TurnBack(form, rows, &answer.z);
  return answer;
}

MlcpAnswer SolveWithOwnLimits(const ContactProblem& problem, const DelassusForm& form,
                              const std::vector<TangentRows>& rows, const std::vector<Vec2>& ratios,
                              ProgramSolver& solver) {
  const BoundedMlcp fixed = Formulate(problem, form, rows);
  const int before = static_cast<int>(form.q.size());
  // of each row with a limit of its own: where its two parts and its γ stand. The first part takes the row's place.
  struct Split {
    int row, normal, other, gamma;
    double ratio;
  };
  std::vector<Split> splits;
  int total = before;
  for (int i = 0; i < form.contacts; ++i) {
    for (int j = 0; j < 2; ++j) {
      if (!(ratios[i][j] > 0)) continue;
      splits.push_back({form.contact_row(i) + 1 + j, form.contact_row(i), total, total + 1, ratios[i][j]});
      total += 2;
    }
  }
  MatX E = MatX::Zero(before, total);  // impulses are E z
  E.leftCols(before).setIdentity();
  for (const Split& split : splits) E(split.row, split.other) = -1;
  BoundedMlcp mlcp;
  mlcp.A = E.transpose() * fixed.A * E;
  mlcp.b = E.transpose() * fixed.b;
  mlcp.lower.setZero(total);
  mlcp.upper.setConstant(total, kInfinity);
  mlcp.lower.head(before) = fixed.lower;
  mlcp.upper.head(before) = fixed.upper;
  for (const Split& split : splits) {
    mlcp.lower[split.row] = 0;
    mlcp.upper[split.row] = kInfinity;
    for (const int part : {split.row, split.other}) {
      mlcp.A(part, split.gamma) = 1;
      mlcp.A(split.gamma, part) = -1;
    }
    mlcp.A(split.gamma, split.normal) = split.ratio;
  }
  MlcpAnswer answer = solver.mlcp(mlcp, nullptr);
  answer.z = (E * answer.z).eval();
  TurnBack(form, rows, &answer.z);
  return answer;
}

MlcpAnswer SolveInVelocities(const ContactProblem& problem, const DelassusForm& form,
                             const std::vector<TangentRows>& rows, const std::vector<Vec2>& ratios, const VecX& warm,
                             ProgramSolver& solver) {
  VelocityProgram program = FormulateRows(problem, false, true);
  program.q = form.q;
  const int outside = program.rows.groups() - form.contacts;
  for (int i = 0; i < form.contacts; ++i) {
    const int t = form.contact_row(i) + 1, group = outside + i;
    const auto turn = [&](auto piece) {
      piece.template middleRows<2>(1) = (rows[i].directions * piece.template middleRows<2>(1)).eval();
    };
    if (program.rows.block_a(group) >= 0) turn(program.rows.piece_a(group));
    if (program.rows.block_b(group) >= 0) turn(program.rows.piece_b(group));
    program.q.segment<2>(t) = (rows[i].directions * program.q.segment<2>(t)).eval();
    program.q.segment<2>(t) -= rows[i].compliance.cwiseProduct(rows[i].reference);
    program.compliance.segment<2>(t) = rows[i].compliance;
    if (ratios[i][0] > 0 || rows[i].limit == 0) {
      // each row by itself obeys Coulomb's law
      program.blocks.push_back(ConeBlock::Cone(t - 1, FrictionCone{{{{1, ratios[i][0]}, {1, ratios[i][1]}}}, 2}));
    } else {
      const Vec2 limits = rows[i].limits();
      program.blocks.push_back(ConeBlock::Interval(t - 1, 0, kInfinity));
      program.blocks.push_back(ConeBlock::Interval(t, -limits[0], limits[0]));
      program.blocks.push_back(ConeBlock::Interval(t + 1, -limits[1], limits[1]));
    }
  }
  VecX turned = warm;
  Turn(form, rows, &turned);
  ConeAnswer answer = solver.velocity(program, &turned);
  TurnBack(form, rows, &answer.r);
  return {std::move(answer.r), std::move(answer.u), std::move(answer.report)};
}

}  // namespace slipstick::internal
