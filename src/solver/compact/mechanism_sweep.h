#pragma once

#include <array>
#include <vector>

#include "slipstick/program/compact_program.h"
#include "slipstick/solver/compact/contact_packs.h"

namespace slipstick::internal {

// What ContactSweep has no packs for: contacts that touch a mechanism, and rows with bounds. Each is a block of rows
// with the inverse masses of all that it moves; a sweep steps its impulses as packs do, (S1). Velocities of free bodies
// are the packs' own, those of mechanisms are kept here.
class MechanismSweep {
 public:
  // Takes the blocks of a program, each in the island that `island_of` tells of its body, and has their impulses act on
  // the velocities. `motion` must stay where it is until the end.
  void Load(const CompactProgram& program, const std::vector<int>& island_of, int islands, double relaxation,
            const CompactImpulses& impulses, std::vector<BodyMotion>* motion);
  bool has_blocks(int island) const { return first_of_island_[island] < first_of_island_[island + 1]; }
  // Takes the impulses of an island one relaxed step on.
  void Sweep(int island);
  // The largest residual of an island.
  double Measure(int island) const;
  // Writes the impulses of all blocks.
  void Store(const CompactProgram& program, CompactImpulses* impulses) const;

 private:
  static constexpr int kMostRows = 6;
  using Values = std::array<double, kMostRows>;

  // Velocities of a free body or of a mechanism, with their coefficients: rows that read them, or what impulses add to
  // them, number after number.
  struct End {
    int body = -1;  // free; −1: of a mechanism,
    int first = 0;  // from this coordinate on
    int size = 6, data = 0;
  };
  struct Block {
    int contact = -1;  // −1: a row with bounds
    int limited = -1;
    int rows = 1;
    int first_read = 0, last_read = 0, first_change = 0, last_change = 0;
    int coupling = 0;                                // W = J M⁻¹ Jᵀ of the rows, without compliance
    double normal = 0, tangential = 0, angular = 0;  // the diagonals that steps suppose; 0: does not move
    Values constant{}, compliance{};
    Values impulse{};
    double lower = 0, upper = 0;                     // of a row with bounds
    double friction = 0, rolling = 0, spinning = 0;  // of a contact
  };

  Block NewBlock(int rows) const;
  void AddContact(const CompactProgram& program, int i, const CompactImpulses& impulses, Block* block);
  void AddLimited(const CompactProgram& program, int k, const CompactImpulses& impulses, Block* block);
  void AddEnd(const CompactProgram& program, int body, const MatX& rows);
  void SetDiagonals(const CompactProgram& program, Block* block);
  void Read(const Block& block, double* u) const;
  void Push(const Block& block, const double* change);
  // The impulses after a step from velocities u, which it changes: each part sees what those before have done, as in a
  // sweep, or all of them the same.
  Values Stepped(const Block& block, double relaxation, bool in_turn, double* u) const;

  bool non_associated_ = true;
  double relaxation_ = 1;
  std::vector<Block> blocks_;  // by islands
  std::vector<int> first_of_island_;
  std::vector<End> reads_, changes_;
  std::vector<double> values_;
  VecX velocity_;  // of mechanisms
  std::vector<BodyMotion>* motion_ = nullptr;
};

}  // namespace slipstick::internal
