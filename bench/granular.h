#pragma once

#include <string>
#include <vector>

#include "slipstick/program/compact_program.h"

namespace slipstick::internal {

// Spheres in an open square box, each let go at its own time: what every engine is given.
struct GranularTask {
  std::string name;
  double radius = 0.04;   // [m]
  double density = 1000;  // [kg/m³]
  double friction = 0.5;
  double rolling = 0;            // ρ = σ [m]
  double half_width = 0.45;      // of the box [m]
  Vec3 velocity = Vec3::Zero();  // when let go
  double step = 0.005;
  double duration = 2;
  double measured = 0.5;  // seconds at the end over which figures are taken; all of it where the whole run counts
  std::vector<Vec3> start;
  std::vector<double> release;  // [s]
};

// 1001 spheres on a jittered lattice (Drumwright & Shell's grains), and stones poured at 800 per second from 1 m above
// the ground (Tasora & Anitescu §6.3).
GranularTask GrainsTask();
GranularTask GravelTask(int count, double rolling, double duration);

struct GranularFigures {
  std::string engine;
  double milliseconds_per_step = 0;                      // CPU time of the thread, over the measured part
  double seconds_per_second = 0;                         // the same over the whole run, by simulated time
  double contacts = 0;                                   // mean number that carry or overlap
  double mean_penetration = 0, largest_penetration = 0;  // in radii, of the contacts that touch
  double residual = 0;          // natural map of exact Coulomb friction [m/s], mean over steps of the largest
  double root_mean_square = 0;  // and of the root mean square over contacts
  int lost = 0;                 // spheres below the ground or outside the walls
};

// Collects the figures of one engine from what it says of each step.
class GranularMeter {
 public:
  GranularMeter(const GranularTask& task, std::string engine) : task_(task) { figures_.engine = std::move(engine); }

  bool IsMeasured(double time) const { return time > task_.duration - task_.measured; }
  void AddTime(double time, double cpu_seconds);
  // A step's contacts, with the gaps it started from, and the impulses and velocities it ended with.
  void AddStep(const CompactProgram& program, const std::vector<double>& gaps, const CompactImpulses& impulses,
               const CompactVelocities& velocities);
  GranularFigures Finish(const std::vector<Vec3>& positions);

 private:
  const GranularTask& task_;
  GranularFigures figures_;
  int steps_ = 0, timed_ = 0;
  double touching_ = 0;
};

// CPU time of this thread [s].
double ThreadSeconds();

GranularFigures RunBullet(const GranularTask& task, int iterations);
GranularFigures RunSlipstick(const GranularTask& task, const std::string& law, const std::string& solver,
                             double speed_tolerance, int max_iterations);

}  // namespace slipstick::internal
