#pragma once

#include "slipstick/collision/detect_contacts.h"
#include "slipstick/stepping/foresight.h"

namespace slipstick::internal {

// Chooses the contacts of a step, docs/theory.md (T1b). Margins that are wide enough for every hit make problems
// several times too large, and narrow ones lose contacts: so those are chosen that can matter as far as it can be
// foreseen, and those that the answer would close are taken in afterwards. Owns the points together with the choice
// among them, so that numbers never outlive the list they belong to.
class ContactSelection {
 public:
  struct Settings {
    double step = 0;            // h [s]
    double margin = -1;         // all points up to this gap [m]; negative: as far as bodies may come in a step
    double skin = -1;           // gap up to which a contact counts as closed [m]; negative: what a free step closes
    double gap_correction = 0;  // share of that gap which a step takes away
  };

  ContactSelection(const Model& model, const Settings& settings);

  // Looks for points in the configuration that the step starts from and chooses those that matter with the velocities
  // that bodies have or would have if nothing held them: near ones, ones that close within the step, and ones that do
  // so with what a body may be pushed by another that comes.
  void Choose(const Model& model, const Kinematics& kinematics, const BodyVelocities& free_motion);

  // Takes in the points left out that the answer's velocities would close, looking further where a shape is faster than
  // its margin has room for; `error` is how wrong the answer's velocities may be [m/s]. True where there were some.
  bool TakeInClosing(const Model& model, const Kinematics& kinematics, const BodyVelocities& answered, double error);

  // Whether turning may make contacts within the step, on this way; and takes them in. True where there was something
  // new.
  bool MayTurn(const Kinematics& kinematics, const BodyVelocities& moved);
  bool TakeInTurning(const Model& model, const StepMotion& motion);

  const std::vector<ContactPoint>& points() const { return *points_; }
  const std::vector<int>& chosen() const { return chosen_; }  // ascending numbers of points()
  const std::vector<double>& lost() const { return lost_; }   // ForeseenContact::lost of points(); empty: nothing

 private:
  void SetMargins(const Model& model, const Kinematics& kinematics, const BodyVelocities& free_motion);
  double Extent(const Kinematics& kinematics) const;
  void LookFurther(const Model& model, const Kinematics& kinematics, const BodyVelocities& answered);
  void MergeForeseen();
  void Gather();

  Settings settings_;
  ContactDetector detector_;
  Foresight foresight_;
  // the detector's list, or merged_; chosen_ is made anew whenever it is
  const std::vector<ContactPoint>* points_ = nullptr;
  std::vector<ForeseenContact> foreseen_, newly_foreseen_;  // ascending keys
  std::vector<ContactPoint> merged_, merging_;
  // of the shapes
  std::vector<int> body_of_;
  std::vector<double> reach_;      // from their bodies' origins
  std::vector<double> reach_now_;  // the same, of planes as far as anything is that they could meet
  std::vector<double> margins_;
  // of the points
  std::vector<char> is_chosen_, merging_chosen_;
  std::vector<double> lost_;
  std::vector<double> closing_;
  std::vector<int> chosen_;
  std::vector<ContactKey> keys_;
  std::vector<double> push_;  // of the bodies: fastest of what comes at them [m/s]
};

}  // namespace slipstick::internal
