#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "slipstick/base/setting_table.h"
#include "slipstick/base/thread_team.h"
#include "slipstick/program/compact_program.h"
#include "slipstick/solver/compact/contact_packs.h"
#include "slipstick/solver/compact/mechanism_sweep.h"

namespace slipstick::internal {

struct ContactSweepSettings {
  int max_iterations = 1000;
  double relaxation = 1.0;  // ω

  static const SettingTable<ContactSweepSettings>& Table();
};

// Projected Gauss–Seidel for very many contacts of free bodies, matrix-free (Tasora & Anitescu eq 46, with each part of
// a contact's impulse stepped by its own diagonal; docs/methods.md). Contacts are coloured so that those of one colour
// share no body: four of them go through one instruction, and threads divide them, so that the answer is the same to
// the bit for any number of threads. Islands of bodies are solved apart, each until its own residual is met. Contacts
// that touch mechanisms, and rows with bounds, follow after the packs of an island, one after the other. Keeps its
// storage from one problem to the next.
class ContactSweep {
 public:
  ContactSweep(const ContactSweepSettings& settings, std::shared_ptr<ThreadTeam> team);

  // Starts from `impulses`, which become the answer. `tolerance` is of
  // CompactResidual [m/s].
  SolveReport Solve(const CompactProgram& program, double tolerance, CompactImpulses* impulses);

 private:
  // The packs of one colour, by kind; while packs are filled, `last` counts contacts.
  struct Colour {
    std::array<int, kPackKinds> first{}, last{};
    bool divided = false;  // among threads; too small otherwise
  };
  // Bodies that touch each other, directly or through others; small islands are put together.
  struct Island {
    int first_colour = 0, last_colour = 0;
  };
  struct Place {
    int pack = 0;
    std::int8_t kind = -1;  // −1: no pack has it
    std::int8_t lane = 0;
    bool flipped = false;  // A does not move, and B takes its place

    bool has_moment() const { return kind / 2 % 2 == 1; }
  };

  void FindIslands(const CompactProgram& program);
  void ColourContacts(const CompactProgram& program);
  void MakePacks(const CompactProgram& program, CompactImpulses* impulses);
  void LoadBodies(const CompactProgram& program, const CompactVelocities& velocities);
  void SolveIsland(int number, double tolerance, SolveReport* report);
  void Sweep(int number, int thread);
  double Measure(int number, int thread);
  void* PacksOf(int kind);
  PackCore& CoreAt(const Place& place);
  PackMoment& MomentAt(const Place& place);

  ContactSweepSettings settings_;
  std::shared_ptr<ThreadTeam> team_;
  const PackKernels* kernels_ = nullptr;
  CompactVelocities velocities_;    // with the impulses that solving starts from
  std::vector<BodyMotion> motion_;  // after the bodies, two times four for the empty lanes of each kind
  std::vector<BodyInertia> inertia_;
  std::vector<char> is_sphere_;  // bodies whose inertia is that of a sphere
  std::vector<int> root_, contacts_of_root_, island_of_root_;
  std::vector<int> colour_of_contact_, island_of_contact_, colours_of_island_, overflow_of_island_;
  std::vector<std::uint64_t> colours_of_body_;
  std::vector<Colour> colours_;
  std::vector<Island> islands_;
  std::vector<Place> places_;
  std::vector<Pack<false, false>> spheres_;
  std::vector<Pack<false, true>> rolling_spheres_;
  std::vector<Pack<true, false>> arms_;
  std::vector<Pack<true, true>> rolling_arms_;
  std::vector<int> island_of_body_;
  MechanismSweep mechanisms_;
  std::vector<double> measured_;  // by each thread
};

}  // namespace slipstick::internal
