#pragma once

#include "slipstick/math/block_diagonal.h"
#include "slipstick/model/kinematics.h"

namespace slipstick::internal {

// Storage of the recursions below, kept from step to step.
struct DynamicsWorkspace {
  std::vector<double> mass;         // composite mass
  std::vector<Vec3> joint_origin;   // of each body's moving frame, world
  std::vector<Vec3> first_moment;   // Σ m r about it
  std::vector<Mat3> inertia;        // about it
  std::vector<Vec3> torque, force;  // on the body, torque about its origin
  // Of each velocity the motion of its joint's moving frame, angular and of the origin, and that origin: nine lists of
  // numbers, so that a column of the mass matrix is made for two ancestors at once.
  std::vector<double> motions;
};

// M(q) by the composite-rigid-body method (Featherstone 2008, §6.2; docs/theory.md (K8)).
void ComputeMassMatrix(const Model& model, const Kinematics& kinematics, DynamicsWorkspace* workspace,
                       BlockDiagonal* mass);

// c(q, v): Coriolis and centrifugal forces, by recursive Newton–Euler at v̇ = 0 (K9). Without gravity.
void ComputeBiasForces(const Model& model, const Kinematics& kinematics, DynamicsWorkspace* workspace, VecX* bias);
// The same with zeros for lone bodies, whose free turning is part of how positions move on (T7).
void ComputeLinkedBiasForces(const Model& model, const Kinematics& kinematics, DynamicsWorkspace* workspace,
                             VecX* bias);

// Generalized force of gravity, f_grav.
void ComputeGravityForces(const Model& model, const Kinematics& kinematics, DynamicsWorkspace* workspace, VecX* force);

// Generalized force of the given forces at time t, gravity not included.
void ComputeAppliedForces(const Model& model, const Kinematics& kinematics, double time, VecX* force);

// −Σ m g·r over the bodies that take part; zero at the world's origin.
double PotentialEnergy(const Model& model, const Kinematics& kinematics);

// Σ of the bodies' ½ m v² + ½ ω·Iω, from the bodies' velocities alone: does not use the mass matrix.
double KineticEnergy(const Model& model, const Kinematics& kinematics);

// Linear momentum and angular momentum about the world's origin; `size`, where asked for, is the sum of the bodies'
// angular momenta without regard to direction.
void Momentum(const Model& model, const Kinematics& kinematics, Vec3* linear, Vec3* angular, double* size = nullptr);
// Whether nothing outside acts on the bodies, so that their momenta stay.
bool IsIsolated(const Model& model);
// −Σ of what bodies weigh times their smallest half-extents: the energy of a fall by their size.
double FallBySize(const Model& model);

}  // namespace slipstick::internal
