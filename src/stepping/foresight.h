#pragma once

#include <span>

#include "slipstick/collision/local_contact.h"
#include "slipstick/model/kinematics.h"
#include "slipstick/state/state.h"

namespace slipstick::internal {

// A point that turning will make a contact of within the step, in the configuration that the step's problem is posed
// in.
struct ForeseenContact {
  ContactPoint point;
  double lost = 0;  // what the gap loses by the end of the step beside what velocities close [m]
};

// The motion of a step as its answer has it.
struct StepMotion {
  const Kinematics& now;        // of the configuration that the problem is posed in
  const Kinematics& ahead;      // and where the next step's problem will be posed
  const BodyVelocities& moved;  // the way from one to the other if nothing turned
};

// Looks where the answer of a step leads, docs/theory.md (T1c): rows of contacts are straight, and a shape that turns
// comes elsewhere than its present points say, with other points, and further than they.
class Foresight {
 public:
  explicit Foresight(const Model& model);

  // Chooses the pairs of the points, which have ascending keys, that may turn into each other on their way. False where
  // there are none, as in heaps at rest.
  bool Choose(const Kinematics& now, const BodyVelocities& moved, std::span<const ContactPoint> points);
  // Writes what those of the chosen pairs need that overlap ahead by more than they do and may, and returns whether
  // anything of it is new. `lost` of each point is what is foreseen already; empty: nothing.
  bool Find(const Model& model, const StepMotion& motion, std::span<const ContactPoint> points,
            std::span<const double> lost, std::vector<ForeseenContact>* found);

 private:
  struct Shape {
    int body = kWorld;
    double reach = 0;  // of its surface from the body's origin, where turning moves it
    double half_extent = 0;
    double radius = 0;
  };
  struct Pair {
    std::size_t first = 0, last = 0;  // points
    double overlap = 0;               // at present [m]
  };
  // The points of a pair with what is foreseen of them.
  struct Known {
    std::span<const ContactPoint> points;
    std::span<const double> lost;
  };

  bool MayTurnInto(const Kinematics& now, const BodyVelocities& moved, const ContactPoint& any, double overlap) const;
  bool FindOfPair(const Model& model, const StepMotion& motion, const Known& known, double overlap,
                  std::vector<ForeseenContact>* found);
  bool Foresee(const StepMotion& motion, const Known& pair, const LocalContact& ahead,
               std::vector<ForeseenContact>* found) const;

  std::vector<Shape> shapes_;
  std::vector<Pair> pairs_;
  std::vector<LocalContact> ahead_;
};

}  // namespace slipstick::internal
