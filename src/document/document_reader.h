#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "slipstick/base/eigen.h"
#include "slipstick/base/fault.h"
#include "slipstick/base/number_rule.h"
#include "slipstick/base/pose.h"
#include "slipstick/base/time_function.h"
#include "slipstick/document/document_node.h"

namespace slipstick::internal {

class FaultLocator;

// A value together with the key path that leads to it.
struct Place {
  const DocumentNode* node = nullptr;
  std::string path;

  std::optional<Place> Child(const std::string& key) const;
  std::vector<Place> Items() const;  // of a list; else none
};

// How a fault names a number: as it was written, and what it comes to where that is a formula.
std::string DescribeValue(const DocumentNode& node, const std::string& value);

// The rotation that is meant by a quaternion of about length 1.
std::optional<Quat> NearUnit(const Quat& quaternion);

// Reads numbers, vectors, rotations and functions out of a document and collects faults. What is wrong yields a fault
// and a harmless value, so that the reading goes on to the next fault. Types that the schema refuses yield a fault here
// too; faults with the same key are dropped later.
class DocumentReader {
 public:
  // `locator`, where there is one, learns what goes by another key in faults that are found later.
  DocumentReader(std::string file, std::vector<Fault>* faults, FaultLocator* locator = nullptr)
      : file_(std::move(file)), faults_(faults), locator_(locator) {}

  void Fail(const Place& place, const std::string& expected, const std::string& found);
  void Fail(const Place& place, const std::string& expected) { Fail(place, expected, place.node->Describe()); }
  // A key of the map `place` that should be there.
  void FailMissing(const Place& place, const std::string& key, const std::string& expected);

  // Faults that were found in what was made of the document.
  void Append(const std::vector<Fault>& faults);
  // What such faults call `key` stands at `path`.
  void Alias(const std::string& key, const std::string& path);

  // To tell whether what was read since has faults, so that no check is made on it.
  size_t fault_count() const { return faults_->size(); }

  // A number, or a formula that does not mention t, of any value: which values fit is judged later.
  double Value(const Place& place);
  std::vector<double> Values(const Place& place);  // a list, or one number
  Vec3 Vector(const Place& place);
  Vec3 Direction(const Place& place);  // of length 1 where it has a length

  // The same of what is not kept as it stands, so that it must be judged here.
  double Number(const Place& place, const NumberRule& rule = {});
  std::vector<double> Numbers(const Place& place);  // a list, or one number
  Vec3 FiniteVector(const Place& place);
  Vec3 UnitVector(const Place& place);  // any length above 0 is given
  Quat Rotation(const Place& place);
  Pose Frame(const Place& place);             // the keys position and rotation of a map
  TimeFunction Function(const Place& place);  // of any value
  std::array<TimeFunction, 3> FunctionVector(const Place& place);
  std::string Text(const Place& place);
  bool Flag(const Place& place);

  // The same for a key that need not be there.
  double Value(const Place& map, const std::string& key, double otherwise = 0);
  Vec3 Vector(const Place& map, const std::string& key);
  std::string Text(const Place& map, const std::string& key, const std::string& otherwise = "");

 private:
  std::string file_;
  std::vector<Fault>* faults_;
  FaultLocator* locator_;
};

}  // namespace slipstick::internal
