#include "slipstick/scene/scene_number.h"

#include <algorithm>
#include <optional>
#include <sstream>

#include "slipstick/scene/material_properties.h"

namespace slipstick::internal {
namespace {

using Words = std::vector<std::string>;

Words SplitAtDots(const std::string& key) {
  Words words;
  std::istringstream stream(key);
  for (std::string word; std::getline(stream, word, '.');) words.push_back(word);
  return words;
}

// A place of a vector: 0, 1 or 2.
std::optional<int> PlaceOf(const std::string& word) {
  if (word.size() != 1 || word[0] < '0' || word[0] > '2') return std::nullopt;
  return word[0] - '0';
}

template <typename T>
T* FindNamed(std::vector<T>* list, const std::string& name) {
  const auto found = std::find_if(list->begin(), list->end(), [&](const T& one) { return one.name == name; });
  return found == list->end() ? nullptr : &*found;
}

bool SetProperty(const std::string& name, double value, ScenePairProperties* properties) {
  for (const MaterialProperty& property : MaterialProperties()) {
    if (property.name != name) continue;
    properties->*property.given = value;
    return true;
  }
  return false;
}

bool SetMaterial(const Words& words, double value, Scene* scene) {
  if (words.size() != 3) return false;
  if (words[1] == scene->default_material.name)
    return SetProperty(words[2], value, &scene->default_material.properties);
  SceneMaterial* material = FindNamed(&scene->materials, words[1]);
  return material != nullptr && SetProperty(words[2], value, &material->properties);
}

bool SetBearing(const std::string& word, double value, BearingFriction* bearing) {
  if (!bearing->exists() || word != "friction") return false;  // a bearing that comes into being is another mechanism
  bearing->friction = value;
  return true;
}

bool SetJoint(const Words& words, double value, Scene* scene) {
  if (words.size() < 3) return false;
  SceneJointLink* link = nullptr;
  for (SceneJoint& joint : scene->joints) {
    if (link == nullptr) link = FindNamed(&joint.links, words[1]);
  }
  if (link == nullptr) return false;
  if (words.size() == 4) return words[2] == "bearing" && SetBearing(words[3], value, &link->bearing);
  if (words.size() != 3) return false;
  if (words[2] == "friction") {
    link->friction = value;
  } else if (words[2] == "static_friction") {
    link->static_friction = value;
  } else if (words[2] == "viscous_friction") {
    link->viscous_friction = value;
  } else if (words[2] == "effort_limit") {
    link->effort_limit = value;
  } else {
    return false;
  }
  return true;
}

bool SetForce(const Words& words, double value, Scene* scene) {
  if (words.size() < 3) return false;
  SceneForce* force = FindNamed(&scene->forces, words[1]);
  if (force == nullptr) return false;
  if (words.size() == 4) {
    const std::optional<int> place = PlaceOf(words[3]);
    if (!place || (words[2] != "force" && words[2] != "torque")) return false;
    (words[2] == "force" ? force->force : force->torque)[*place] = TimeFunction(value);
    return true;
  }
  if (words.size() != 3) return false;
  if (words[2] == "effort") {
    force->effort = TimeFunction(value);
  } else if (words[2] == "stiffness") {
    force->stiffness = value;
  } else if (words[2] == "damping") {
    force->damping = value;
  } else if (words[2] == "length") {
    force->length = value;
  } else {
    return false;
  }
  return true;
}

bool SetConstraint(const Words& words, double value, Scene* scene) {
  SceneConstraint* constraint = words.size() < 3 ? nullptr : FindNamed(&scene->constraints, words[1]);
  if (constraint == nullptr) return false;
  if (words.size() == 4) return words[2] == "bearing" && SetBearing(words[3], value, &constraint->bearing);
  if (words.size() != 3 || words[2] != "friction") return false;
  constraint->friction = value;
  return true;
}

bool SetDrive(const Words& words, double value, Scene* scene) {
  SceneDrive* drive = words.size() != 3 ? nullptr : FindNamed(&scene->drives, words[1]);
  if (drive == nullptr) return false;
  if (words[2] == "stiffness") {
    drive->stiffness = value;
  } else if (words[2] == "damping") {
    drive->damping = value;
  } else if (words[2] == "effort") {
    drive->effort = value;
  } else if (words[2] == "position") {
    drive->position = TimeFunction(value);
  } else if (words[2] == "velocity") {
    drive->velocity = TimeFunction(value);
  } else {
    return false;
  }
  return true;
}

}  // namespace

bool SetSceneNumber(const std::string& key, double value, Scene* scene) {
  const Words words = SplitAtDots(key);
  if (words.empty()) return false;
  if (words[0] == "materials") return SetMaterial(words, value, scene);
  if (words[0] == "joints") return SetJoint(words, value, scene);
  if (words[0] == "forces") return SetForce(words, value, scene);
  if (words[0] == "constraints") return SetConstraint(words, value, scene);
  if (words[0] == "drives") return SetDrive(words, value, scene);
  const std::optional<int> place = words.size() == 2 ? PlaceOf(words[1]) : std::nullopt;
  if (words[0] != "gravity" || !place) return false;
  scene->gravity[*place] = value;
  return true;
}

}  // namespace slipstick::internal
