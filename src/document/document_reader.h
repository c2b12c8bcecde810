#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "slipstick/base/eigen.h"
#include "slipstick/base/fault.h"
#include "slipstick/base/pose.h"
#include "slipstick/base/time_function.h"
#include "slipstick/document/document_node.h"

namespace slipstick::internal {

// A value together with the key path that leads to it.
struct Place {
  const DocumentNode* node = nullptr;
  std::string path;

  std::optional<Place> Child(const std::string& key) const;
  std::vector<Place> Items() const;  // of a list; else none
};

// Which numbers fit, and the unit, for the fault when one does not.
struct NumberRule {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool least_excluded = false;
  bool may_be_infinite = false;
  std::string unit = "";

  std::string Expected() const;
};

// Reads numbers, vectors, rotations and functions out of a document and collects faults. What is wrong yields a fault
// and a harmless value, so that the reading goes on to the next fault. Types that the schema refuses yield a fault here
// too; faults with the same key are dropped later, FaultList.
class DocumentReader {
 public:
  DocumentReader(std::string file, std::vector<Fault>* faults) : file_(std::move(file)), faults_(faults) {}

  void Fail(const Place& place, const std::string& expected, const std::string& found);
  void Fail(const Place& place, const std::string& expected) { Fail(place, expected, place.node->Describe()); }
  // A key of the map `place` that should be there.
  void FailMissing(const Place& place, const std::string& key, const std::string& expected);

  // To tell whether what was read since has faults, so that no check is made on it.
  size_t fault_count() const { return faults_->size(); }

  // A number, or a formula that does not mention t.
  double Number(const Place& place, const NumberRule& rule = {});
  std::vector<double> Numbers(const Place& place, const NumberRule& rule = {});  // a list, or one number
  Vec3 Vector(const Place& place, const NumberRule& rule = {});
  Vec3 UnitVector(const Place& place);  // any length above 0 is given
  Quat UnitQuaternion(const Place& place, const std::vector<double>& wxyz);
  Quat Rotation(const Place& place);
  Pose Frame(const Place& place);  // the keys position and rotation of a map
  TimeFunction Function(const Place& place);
  std::array<TimeFunction, 3> FunctionVector(const Place& place);
  std::string Text(const Place& place);
  bool Flag(const Place& place);

  // The same for a key that need not be there.
  double Number(const Place& map, const std::string& key, double otherwise, const NumberRule& rule = {});
  Vec3 Vector(const Place& map, const std::string& key);
  std::string Text(const Place& map, const std::string& key, const std::string& otherwise = "");

 private:
  std::string file_;
  std::vector<Fault>* faults_;
};

}  // namespace slipstick::internal
