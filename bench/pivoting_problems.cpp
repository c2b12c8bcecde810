#include "bench/pivoting_problems.h"

#include <Eigen/Geometry>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

namespace slipstick::internal {
namespace {

constexpr double kGravity = 9.81, kStep = 0.01;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Body {
  Vec3 position;
  double mass;
  Vec3 inertia;  // about axes that are those of the world
  Vec6 velocity = Vec6::Zero();
};

struct Contact {
  int first;   // −1: the world
  int second;  // the normal points to it
  Vec3 point;
  Vec3 normal;
};

class Random {
 public:
  explicit Random(unsigned seed) : generator_(seed) {}
  // Own arithmetic, since distributions differ between standard libraries.
  double Uniform(double low, double high) { return low + (high - low) * (generator_() / 4294967296.0); }
  Vec3 Vector(double size) { return {Uniform(-size, size), Uniform(-size, size), Uniform(-size, size)}; }

 private:
  std::mt19937 generator_;
};

ContactSample Assemble(const std::string& name, const std::vector<Body>& bodies, const std::vector<Contact>& contacts,
                       double friction, Random* random) {
  const auto c = static_cast<Eigen::Index>(contacts.size()), n = static_cast<Eigen::Index>(bodies.size());
  MatX J = MatX::Zero(3 * c, 6 * n);
  for (Eigen::Index i = 0; i < c; ++i) {
    const Contact& contact = contacts[i];
    const Vec3 t1 = contact.normal.unitOrthogonal(), t2 = contact.normal.cross(t1);
    for (const auto& [body, sign] : {std::pair{contact.first, -1.0}, std::pair{contact.second, 1.0}}) {
      if (body < 0) continue;
      const Vec3 lever = contact.point - bodies[body].position;
      int row = static_cast<int>(3 * i);
      for (const Vec3& direction : {contact.normal, t1, t2}) {
        J.block<1, 3>(row, 6 * body) = sign * direction.transpose();
        J.block<1, 3>(row, 6 * body + 3) = sign * lever.cross(direction).transpose();
        ++row;
      }
    }
  }
  ContactSample sample;
  sample.name = name;
  sample.J = J.sparseView();
  sample.mass.resize(6 * n);
  sample.velocity.resize(6 * n);
  for (Eigen::Index i = 0; i < n; ++i) {
    sample.mass.segment<3>(6 * i).setConstant(bodies[i].mass);
    sample.mass.segment<3>(6 * i + 3) = bodies[i].inertia;
    sample.velocity.segment<6>(6 * i) = bodies[i].velocity;
    sample.velocity[6 * i + 2] -= kGravity * kStep;
  }
  sample.friction = VecX::Constant(c, friction);
  sample.normal_before.resize(c);
  for (Eigen::Index i = 0; i < c; ++i)
    sample.normal_before[i] = kGravity * kStep * bodies[contacts[i].second].mass * random->Uniform(0, 1);
  return sample;
}

void Kick(double linear, double angular, Random* random, Body* body) {
  body->velocity << random->Vector(linear), random->Vector(angular);
}

// w = J v⁺ + coupling · z: what the two laws put in place of normal and tangents.
struct Unknowns {
  SparseMat J, coupling;
  VecX lower, upper;
};

SparseMat FromTriplets(Eigen::Index rows, Eigen::Index columns, const std::vector<Eigen::Triplet<double>>& entries) {
  SparseMat matrix(rows, columns);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

Unknowns PyramidUnknowns(const ContactSample& sample) {
  constexpr int kSides = 4;
  const int c = sample.contacts(), total = (kSides + 2) * c;
  const Eigen::Matrix<double, kSides, 2> corners{{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  std::vector<Eigen::Triplet<double>> selection, coupling;
  for (int i = 0; i < c; ++i) {
    const int slip = (kSides + 1) * c + i;
    selection.emplace_back(i, 3 * i, 1.0);
    coupling.emplace_back(slip, i, sample.friction[i]);
    for (int k = 0; k < kSides; ++k) {
      const int direction = c + kSides * i + k;
      for (int t = 0; t < 2; ++t)
        if (corners(k, t) != 0) selection.emplace_back(direction, 3 * i + 1 + t, corners(k, t));
      coupling.emplace_back(direction, slip, 1.0);
      coupling.emplace_back(slip, direction, -1.0);
    }
  }
  return {FromTriplets(total, 3 * c, selection) * sample.J, FromTriplets(total, total, coupling), VecX::Zero(total),
          VecX::Constant(total, kInfinity)};
}

Unknowns BristleUnknowns(const ContactSample& sample) {
  constexpr double kStiffness = 1e5;  // N/m
  const int c = sample.contacts();
  Unknowns unknowns{sample.J, {}, VecX::Zero(3 * c), VecX::Constant(3 * c, kInfinity)};
  std::vector<Eigen::Triplet<double>> compliance;
  for (int i = 0; i < c; ++i) {
    const double limit = sample.friction[i] * sample.normal_before[i];
    for (int row = 3 * i + 1; row <= 3 * i + 2; ++row) {
      compliance.emplace_back(row, row, 1 / (kStep * kStep * kStiffness));
      unknowns.lower[row] = -limit;
      unknowns.upper[row] = limit;
    }
  }
  unknowns.coupling = FromTriplets(3 * c, 3 * c, compliance);
  return unknowns;
}

MatX Delassus(const SparseMat& J, const ContactSample& sample) {
  const SparseMat scaled = J * sample.mass.cwiseInverse().asDiagonal();
  return MatX(scaled * SparseMat(J.transpose()));
}

SparseBoundedMlcp KeepVelocities(const ContactSample& sample, const Unknowns& unknowns) {
  const auto dof = sample.mass.size(), rows = unknowns.J.rows(), total = dof + rows;
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < dof; ++i) entries.emplace_back(i, i, sample.mass[i]);
  for (int i = 0; i < rows; ++i) {
    const auto row = static_cast<int>(dof) + i;
    for (SparseMat::InnerIterator entry(unknowns.J, i); entry; ++entry) {
      entries.emplace_back(row, static_cast<int>(entry.col()), entry.value());
      entries.emplace_back(static_cast<int>(entry.col()), row, -entry.value());
    }
    for (SparseMat::InnerIterator entry(unknowns.coupling, i); entry; ++entry)
      entries.emplace_back(row, static_cast<int>(dof + entry.col()), entry.value());
  }
  SparseBoundedMlcp problem;
  problem.A = FromTriplets(total, total, entries);
  problem.b = VecX::Zero(total);
  problem.b.head(dof) = -sample.mass.cwiseProduct(sample.velocity);
  problem.lower = VecX::Constant(total, -kInfinity);
  problem.upper = VecX::Constant(total, kInfinity);
  problem.lower.tail(rows) = unknowns.lower;
  problem.upper.tail(rows) = unknowns.upper;
  return problem;
}

}  // namespace

ContactSample PistonSample(int contacts) {
  Random random(1);
  const double radius = 0.04, length = 0.1, mass = 0.8;
  const double across = mass * (3 * radius * radius + length * length) / 12;
  Body piston{Vec3::Zero(), mass, {across, across, mass * radius * radius / 2}};
  piston.velocity << 0.02, 0.01, -1.0, 0.5, -0.3, 0.2;  // along the bore, with some tilt
  const int rings = 10;
  std::vector<Contact> list;
  for (int i = 0; i < contacts; ++i) {
    const double angle = 2 * std::numbers::pi * (i / rings) / ((contacts + rings - 1) / rings);
    const Vec3 out(std::cos(angle), std::sin(angle), 0);
    const double height = length * ((i % rings + 0.5) / rings - 0.5);
    list.push_back({-1, 0, radius * out + height * Vec3::UnitZ(), -out});
  }
  return Assemble("piston", {piston}, list, 0.15, &random);
}

ContactSample BallsSample(int contacts) {
  Random random(2);
  const int width = 4;
  const double radius = 0.05;
  std::vector<Body> bodies;
  std::vector<Contact> list;
  const auto index = [width](int x, int y, int z) { return x + width * (y + width * z); };
  for (int z = 0; static_cast<int>(list.size()) < contacts; ++z) {
    for (int y = 0; y < width; ++y) {
      for (int x = 0; x < width; ++x) {
        const double mass = random.Uniform(0.3, 1), moment = 0.4 * mass * radius * radius;
        Body ball{2 * radius * Vec3(x, y, z) + random.Vector(0.2 * radius), mass, Vec3::Constant(moment)};
        Kick(0.05, 0.5, &random, &ball);
        bodies.push_back(ball);
        const int self = index(x, y, z);
        const auto touch = [&](int other) {
          const Vec3 between = ball.position - bodies[other].position;
          list.push_back({other, self, 0.5 * (ball.position + bodies[other].position), between.normalized()});
        };
        const auto lean = [&](const Vec3& normal) {
          list.push_back({-1, self, ball.position - radius * normal, normal});
        };
        if (z == 0)
          lean(Vec3::UnitZ());
        else
          touch(index(x, y, z - 1));
        if (x == 0)
          lean(Vec3::UnitX());
        else
          touch(index(x - 1, y, z));
        if (y == 0)
          lean(Vec3::UnitY());
        else
          touch(index(x, y - 1, z));
        if (x == width - 1) lean(-Vec3::UnitX());
        if (y == width - 1) lean(-Vec3::UnitY());
      }
    }
  }
  list.resize(contacts, list.front());
  return Assemble("balls", bodies, list, 0.4, &random);
}

ContactSample BricksSample(int contacts) {
  Random random(3);
  const Vec3 half(0.1, 0.05, 0.04);
  const int width = 5;
  std::vector<Body> bodies;
  std::vector<Contact> list;
  for (int row = 0; static_cast<int>(list.size()) < contacts; ++row) {
    for (int x = 0; x < width; ++x) {
      const double mass = 1.6;
      const Vec3 squares = half.cwiseAbs2();
      Body brick{{2 * half.x() * (x + 0.5 * (row % 2)), 0, half.z() * (2 * row + 1)},
                 mass,
                 mass / 3 * Vec3(squares[1] + squares[2], squares[0] + squares[2], squares[0] + squares[1])};
      Kick(0.02, 0.2, &random, &brick);
      bodies.push_back(brick);
      const int self = static_cast<int>(bodies.size()) - 1;
      // below are two halves: each on another brick, or on the floor
      for (const int side : {-1, 1}) {
        const int other_x = x + (row % 2 == 1 ? (side + 1) / 2 : (side - 1) / 2);
        if (row > 0 && (other_x < 0 || other_x >= width)) continue;
        const int other = row == 0 ? -1 : (row - 1) * width + other_x;
        for (const double along : {0.05, 0.95})
          for (const double across : {-1.0, 1.0})
            list.push_back({other, self, brick.position + Vec3(side * along * half.x(), across * half.y(), -half.z()),
                            Vec3::UnitZ()});
      }
    }
  }
  list.resize(contacts, list.front());
  return Assemble("bricks", bodies, list, 0.5, &random);
}

BoundedMlcp AnitescuPotra(const ContactSample& sample) {
  const Unknowns unknowns = PyramidUnknowns(sample);
  BoundedMlcp problem{MatX(Delassus(unknowns.J, sample) + unknowns.coupling), unknowns.J * sample.velocity,
                      unknowns.lower, unknowns.upper};
  return problem;
}

SparseBoundedMlcp SparseAnitescuPotra(const ContactSample& sample) {
  return KeepVelocities(sample, PyramidUnknowns(sample));
}

BoundedMlcp RegularizedMlcp(const ContactSample& sample) {
  const Unknowns unknowns = BristleUnknowns(sample);
  return {MatX(Delassus(unknowns.J, sample) + unknowns.coupling), unknowns.J * sample.velocity, unknowns.lower,
          unknowns.upper};
}

SparseBoundedMlcp SparseRegularizedMlcp(const ContactSample& sample) {
  return KeepVelocities(sample, BristleUnknowns(sample));
}

}  // namespace slipstick::internal
