#include "slipstick/urdf/urdf_robot.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "slipstick/base/fault.h"
#include "slipstick/urdf/mesh_corners.h"

namespace slipstick {
namespace {

using tinyxml2::XMLElement;

constexpr std::uintmax_t kLargestFile = std::uintmax_t{64} << 20;  // bytes

// A body's largest radius of gyration is at most its size, and not tiny beside it: what is far outside of that was
// given in another unit.
constexpr double kMostGyration = 2, kLeastGyration = 0.02;

class Reader {
 public:
  explicit Reader(const std::filesystem::path& file) : file_(file) {}

  UrdfRobot Read() {
    robot_.file = file_;
    tinyxml2::XMLDocument document;
    Parse(&document);
    if (faults_.empty()) ReadRobot(*document.RootElement());
    if (faults_.empty()) FindRoot();
    if (faults_.empty()) CheckMasses();
    if (!faults_.empty()) throw InputError(faults_);
    return std::move(robot_);
  }

 private:
  void Fail(int line, const std::string& key, const std::string& expected, const std::string& found) {
    faults_.push_back({file_.string(), line, key, expected, found});
  }

  void Parse(tinyxml2::XMLDocument* document) {
    std::error_code error;
    const auto status = std::filesystem::status(file_, error);
    if (!std::filesystem::exists(status)) return Fail(0, "", "a URDF file", "no such file");
    if (!std::filesystem::is_regular_file(status)) return Fail(0, "", "a URDF file", "no regular file");
    if (std::filesystem::file_size(file_, error) > kLargestFile) return Fail(0, "", "a URDF file", "more than 64 MB");
    std::ifstream stream(file_, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    if (!stream) return Fail(0, "", "a URDF file", "a file that cannot be read");
    if (document->Parse(text.str().c_str(), text.str().size()) != tinyxml2::XML_SUCCESS) {
      return Fail(document->ErrorLineNum(), "", "well-formed XML", document->ErrorName());
    }
    for (const tinyxml2::XMLNode* node = document->FirstChild(); node != nullptr; node = node->NextSibling()) {
      if (node->ToUnknown() != nullptr) {
        return Fail(node->GetLineNum(), "", "no document type: its entities may grow without bound",
                    fmt::format("<!{:.40}>", node->Value()));
      }
    }
    const XMLElement* root = document->RootElement();
    if (root == nullptr) return Fail(0, "", "a <robot>", "no element");
    if (std::string(root->Name()) != "robot") {
      Fail(root->GetLineNum(), "", "a <robot>", fmt::format("<{}>", root->Name()));
    }
  }

  // --- attributes
  // -----------------------------------------------------------------------------------------------------

  std::string Text(const XMLElement& element, const char* attribute, const std::string& key) {
    const char* value = element.Attribute(attribute);
    if (value == nullptr || *value == 0) {
      Fail(element.GetLineNum(), key, fmt::format("<{} {}=…>", element.Name(), attribute), "nothing");
      return "";
    }
    return value;
  }

  std::vector<double> Numbers(const XMLElement& element, const char* attribute, std::size_t count,
                              const std::string& key, std::vector<double> otherwise) {
    const char* text = element.Attribute(attribute);
    if (text == nullptr) {
      if (otherwise.empty()) {
        Fail(element.GetLineNum(), key, fmt::format("<{} {}=…>", element.Name(), attribute), "nothing");
        otherwise.assign(count, 1);
      }
      return otherwise;
    }
    std::vector<double> numbers;
    bool is_good = true;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
      char* end = nullptr;
      numbers.push_back(std::strtod(word.c_str(), &end));
      is_good = is_good && *end == 0 && std::isfinite(numbers.back());
    }
    if (!is_good || numbers.size() != count) {
      Fail(element.GetLineNum(), fmt::format("{} {}", key, attribute),
           count == 1 ? "a number" : fmt::format("{} numbers", count), fmt::format("'{}'", text));
      return otherwise.empty() ? std::vector<double>(count, 1) : otherwise;
    }
    return numbers;
  }
  double Number(const XMLElement& element, const char* attribute, const std::string& key,
                std::optional<double> otherwise = {}) {
    return Numbers(element, attribute, 1, key, otherwise ? std::vector<double>{*otherwise} : std::vector<double>{})[0];
  }
  double Positive(const XMLElement& element, const char* attribute, const std::string& key) {
    const double number = Number(element, attribute, key);
    if (number > 0) return number;
    Fail(element.GetLineNum(), fmt::format("{} {}", key, attribute), "a number above 0", fmt::format("{}", number));
    return 1;
  }
  double NotNegative(const XMLElement& element, const char* attribute, const std::string& key) {
    const double number = Number(element, attribute, key, 0.0);
    if (number >= 0) return number;
    Fail(element.GetLineNum(), fmt::format("{} {}", key, attribute), "a number from 0 on", fmt::format("{}", number));
    return 0;
  }

  // <origin xyz rpy>: fixed axes, roll about x, then pitch about y, then yaw about z.
  Pose Origin(const XMLElement& parent, const std::string& key) {
    const XMLElement* origin = parent.FirstChildElement("origin");
    if (origin == nullptr) return {};
    const std::vector<double> xyz = Numbers(*origin, "xyz", 3, key + " origin", {0, 0, 0}),
                              rpy = Numbers(*origin, "rpy", 3, key + " origin", {0, 0, 0});
    const auto about = [](double angle, const Vec3& axis) { return Quat(Eigen::AngleAxisd(angle, axis)); };
    return {about(rpy[2], Vec3::UnitZ()) * about(rpy[1], Vec3::UnitY()) * about(rpy[0], Vec3::UnitX()),
            Vec3(xyz[0], xyz[1], xyz[2])};
  }

  // --- links
  // ----------------------------------------------------------------------------------------------------------

  std::filesystem::path MeshFile(const std::string& name) const {
    const auto after = [&](const char* prefix) { return name.substr(std::string(prefix).size()); };
    if (name.starts_with("file://")) return after("file://");
    if (!name.starts_with("package://")) {
      const std::filesystem::path path(name);
      return path.is_absolute() ? path : file_.parent_path() / path;
    }
    // a package is a folder of that name: around the file, or in one of $ROS_PACKAGE_PATH
    const std::filesystem::path inside = after("package://");
    const auto is_there = [](const std::filesystem::path& path) {
      std::error_code ignored;
      return std::filesystem::is_regular_file(path, ignored);
    };
    std::error_code ignored;
    for (std::filesystem::path folder = std::filesystem::absolute(file_, ignored).parent_path();;
         folder = folder.parent_path()) {
      if (is_there(folder / inside)) return folder / inside;
      if (folder == folder.parent_path()) break;
    }
    if (const char* folders = std::getenv("ROS_PACKAGE_PATH"); folders != nullptr) {
      std::istringstream list(folders);
      for (std::string folder; std::getline(list, folder, ':');) {
        if (is_there(folder / inside)) return folder / inside;
      }
    }
    return inside;
  }

  void ReadMesh(const XMLElement& mesh, const std::string& key, UrdfShape* shape) {
    const std::string name = Text(mesh, "filename", key);
    const std::vector<double> scale = Numbers(mesh, "scale", 3, key, {1, 1, 1});
    if (name.empty()) return;
    UrdfMesh read{MeshFile(name), {}};
    MeshCorners corners = ReadMeshCorners(read.file, Vec3(scale[0], scale[1], scale[2]));
    if (!corners.fault.empty()) {
      Fail(mesh.GetLineNum(), key, "a mesh that can be read", fmt::format("'{}': {}", name, corners.fault));
      return;
    }
    read.corners = std::move(corners.corners);
    shape->geometry = std::move(read);
  }

  void ReadShape(const XMLElement& element, const std::string& key, std::vector<UrdfShape>* shapes) {
    UrdfShape shape;
    if (const char* name = element.Attribute("name")) shape.name = name;
    shape.origin = Origin(element, key);
    const XMLElement* geometry = element.FirstChildElement("geometry");
    const XMLElement* solid = geometry == nullptr ? nullptr : geometry->FirstChildElement();
    const std::string kind = solid == nullptr ? "" : solid->Name();
    if (kind == "box") {
      const std::vector<double> size = Numbers(*solid, "size", 3, key + " box", {});
      if (!(std::min({size[0], size[1], size[2]}) > 0)) {
        Fail(solid->GetLineNum(), key + " box size", "3 numbers above 0", solid->Attribute("size"));
      }
      shape.geometry = UrdfBox{Vec3(size[0], size[1], size[2])};
    } else if (kind == "cylinder") {
      shape.geometry =
          UrdfCylinder{Positive(*solid, "radius", key + " cylinder"), Positive(*solid, "length", key + " cylinder")};
    } else if (kind == "sphere") {
      shape.geometry = UrdfSphere{Positive(*solid, "radius", key + " sphere")};
    } else if (kind == "mesh") {
      ReadMesh(*solid, key + " mesh", &shape);
    } else {
      Fail(element.GetLineNum(), key, "a <geometry> with <box>, <cylinder>, <sphere> or <mesh>",
           solid == nullptr ? "nothing" : "<" + kind + ">");
    }
    shapes->push_back(std::move(shape));
  }

  void ReadInertial(const XMLElement& element, const std::string& key, UrdfLink* link) {
    UrdfInertial inertial;
    const Pose origin = Origin(element, key);
    inertial.com = origin.position;
    const XMLElement *mass = element.FirstChildElement("mass"), *inertia = element.FirstChildElement("inertia");
    if (mass == nullptr || inertia == nullptr) {
      return Fail(element.GetLineNum(), key, "<mass> and <inertia>", mass == nullptr ? "no <mass>" : "no <inertia>");
    }
    inertial.mass = Positive(*mass, "value", key + " mass");
    const auto moment = [&](const char* name, bool is_product) {
      return Number(*inertia, name, key + " inertia", is_product ? std::optional<double>(0) : std::nullopt);
    };
    const double xx = moment("ixx", false), yy = moment("iyy", false), zz = moment("izz", false),
                 xy = moment("ixy", true), xz = moment("ixz", true), yz = moment("iyz", true);
    Mat3 given;
    given << xx, xy, xz, xy, yy, yz, xz, yz, zz;
    const Vec3 principal = Eigen::SelfAdjointEigenSolver<Mat3>(given).eigenvalues();
    if (!(principal[0] > 0)) {
      Fail(inertia->GetLineNum(), key + " inertia", "principal moments above 0",
           fmt::format("{:.4g}, {:.4g}, {:.4g}", principal[0], principal[1], principal[2]));
    } else if (principal[2] > (principal[0] + principal[1]) * (1 + 1e-6)) {
      Fail(inertia->GetLineNum(), key + " inertia", "no principal moment above the sum of the other two",
           fmt::format("{:.4g}, {:.4g}, {:.4g}", principal[0], principal[1], principal[2]));
    }
    const Mat3 axes = origin.rotation.toRotationMatrix();
    const Mat3 turned = axes * given * axes.transpose();
    inertial.inertia = 0.5 * (turned + turned.transpose());
    link->inertial = inertial;
  }

  void ReadLink(const XMLElement& element) {
    UrdfLink link;
    link.line = element.GetLineNum();
    link.name = Text(element, "name", "link");
    const std::string key = "link " + link.name;
    if (!link.name.empty() && !link_of_.emplace(link.name, static_cast<int>(robot_.links.size())).second) {
      Fail(link.line, key, "a name that no other link has", "the same name twice");
    }
    if (const XMLElement* inertial = element.FirstChildElement("inertial")) {
      ReadInertial(*inertial, key + " inertial", &link);
    }
    for (const XMLElement* e = element.FirstChildElement("visual"); e != nullptr; e = e->NextSiblingElement("visual")) {
      ReadShape(*e, key + " visual", &link.visuals);
    }
    for (const XMLElement* e = element.FirstChildElement("collision"); e != nullptr;
         e = e->NextSiblingElement("collision")) {
      ReadShape(*e, key + " collision", &link.collisions);
    }
    robot_.links.push_back(std::move(link));
  }

  // --- joints
  // ---------------------------------------------------------------------------------------------------------

  int LinkOf(const XMLElement& joint, const char* end, const std::string& key) {
    const XMLElement* element = joint.FirstChildElement(end);
    if (element == nullptr) {
      Fail(joint.GetLineNum(), key, fmt::format("a <{}>", end), "nothing");
      return -1;
    }
    const std::string name = Text(*element, "link", key + " " + end);
    const auto found = link_of_.find(name);
    if (found != link_of_.end()) return found->second;
    if (!name.empty()) {
      Fail(element->GetLineNum(), fmt::format("{} {}", key, end), "a link of this robot", fmt::format("'{}'", name));
    }
    return -1;
  }

  void ReadJoint(const XMLElement& element) {
    UrdfJoint joint;
    joint.line = element.GetLineNum();
    joint.name = Text(element, "name", "joint");
    const std::string key = "joint " + joint.name;
    if (!joint.name.empty() && !joint_of_.emplace(joint.name, static_cast<int>(robot_.joints.size())).second) {
      Fail(joint.line, key, "a name that no other joint has", "the same name twice");
    }
    static const std::map<std::string, UrdfJointType> kTypes = {
        {"revolute", UrdfJointType::kRevolute},   {"continuous", UrdfJointType::kContinuous},
        {"prismatic", UrdfJointType::kPrismatic}, {"fixed", UrdfJointType::kFixed},
        {"floating", UrdfJointType::kFloating},   {"planar", UrdfJointType::kPlanar}};
    const std::string type = Text(element, "type", key);
    if (const auto found = kTypes.find(type); found != kTypes.end()) {
      joint.type = found->second;
    } else if (!type.empty()) {
      Fail(joint.line, key + " type", "revolute, continuous, prismatic, fixed, floating or planar",
           fmt::format("'{}'", type));
    }
    joint.parent = LinkOf(element, "parent", key);
    joint.child = LinkOf(element, "child", key);
    joint.origin = Origin(element, key);
    if (const XMLElement* axis = element.FirstChildElement("axis")) {
      const std::vector<double> xyz = Numbers(*axis, "xyz", 3, key + " axis", {1, 0, 0});
      const Vec3 given(xyz[0], xyz[1], xyz[2]);
      if (!(given.norm() > 0)) {
        Fail(axis->GetLineNum(), key + " axis", "a direction", "three zeros");
      } else {
        joint.axis = given.normalized();
      }
    }
    const bool has_limits = joint.type == UrdfJointType::kRevolute || joint.type == UrdfJointType::kPrismatic;
    if (const XMLElement* limit = element.FirstChildElement("limit"); limit != nullptr && has_limits) {
      joint.lower = Number(*limit, "lower", key + " limit", 0.0);
      joint.upper = Number(*limit, "upper", key + " limit", 0.0);
      if (*joint.lower > *joint.upper) {
        Fail(limit->GetLineNum(), key + " limit", "lower ≤ upper",
             fmt::format("{} and {}", *joint.lower, *joint.upper));
      }
    }
    if (const XMLElement* limit = element.FirstChildElement("limit")) {
      joint.effort = NotNegative(*limit, "effort", key + " limit");
    }
    if (const XMLElement* dynamics = element.FirstChildElement("dynamics")) {
      joint.damping = NotNegative(*dynamics, "damping", key + " dynamics");
      joint.friction = NotNegative(*dynamics, "friction", key + " dynamics");
    }
    if (const XMLElement* mimic = element.FirstChildElement("mimic")) {
      joint.mimic = UrdfMimic{Text(*mimic, "joint", key + " mimic"), Number(*mimic, "multiplier", key + " mimic", 1.0),
                              Number(*mimic, "offset", key + " mimic", 0.0)};
    }
    robot_.joints.push_back(std::move(joint));
  }

  void ReadRobot(const XMLElement& root) {
    if (const char* name = root.Attribute("name")) robot_.name = name;
    for (const XMLElement* e = root.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
      const std::string name = e->Name();
      if (name.starts_with("xacro:")) {
        return Fail(e->GetLineNum(), "", "a URDF without macros: run xacro first", "<" + name + ">");
      }
      if (name == "link") ReadLink(*e);
    }
    for (const XMLElement* e = root.FirstChildElement("joint"); e != nullptr; e = e->NextSiblingElement("joint")) {
      ReadJoint(*e);
    }
    if (robot_.links.empty()) Fail(root.GetLineNum(), "", "at least one <link>", "none");
    for (const UrdfJoint& joint : robot_.joints) {
      if (joint.mimic && !joint.mimic->joint.empty() && !joint_of_.contains(joint.mimic->joint)) {
        Fail(joint.line, fmt::format("joint {} mimic", joint.name), "a joint of this robot",
             fmt::format("'{}'", joint.mimic->joint));
      }
      if (joint.mimic && joint.mimic->joint == joint.name) {
        Fail(joint.line, fmt::format("joint {} mimic", joint.name), "another joint", "itself");
      }
    }
  }

  // --- the tree
  // -------------------------------------------------------------------------------------------------------

  void FindRoot() {
    robot_.joint_of_child.assign(robot_.links.size(), -1);
    for (int j = 0; j < static_cast<int>(robot_.joints.size()); ++j) {
      const UrdfJoint& joint = robot_.joints[j];
      int& of_child = robot_.joint_of_child[joint.child];
      if (of_child >= 0) {
        Fail(joint.line, "link " + robot_.links[joint.child].name, "one joint that it is the child of",
             fmt::format("two: {} and {}", robot_.joints[of_child].name, joint.name));
      }
      of_child = j;
    }
    // following parents from every link leads to the root, or round and round
    std::vector<int> state(robot_.links.size(), 0);  // 1: on the way, 2: leads to a root
    for (int link = 0; link < static_cast<int>(robot_.links.size()); ++link) {
      std::vector<int> way;
      int at = link;
      while (state[at] == 0) {
        state[at] = 1;
        way.push_back(at);
        if (robot_.joint_of_child[at] < 0) break;
        at = robot_.joints[robot_.joint_of_child[at]].parent;
      }
      if (state[at] == 1 && robot_.joint_of_child[at] >= 0) {
        std::string round;
        for (std::size_t k = std::find(way.begin(), way.end(), at) - way.begin(); k < way.size(); ++k) {
          round += robot_.links[way[k]].name + " – ";
        }
        Fail(robot_.links[at].line, "link " + robot_.links[at].name, "a tree of links",
             "a loop: " + round + robot_.links[at].name);
      }
      for (const int passed : way) state[passed] = 2;
    }
    if (!faults_.empty()) return;
    for (int link = 0; link < static_cast<int>(robot_.links.size()); ++link) {
      if (robot_.joint_of_child[link] >= 0) continue;
      if (robot_.root >= 0) {
        Fail(robot_.links[link].line, "link " + robot_.links[link].name, "one link that is no joint's child",
             fmt::format("a second one beside {}", robot_.links[robot_.root].name));
      } else {
        robot_.root = link;
      }
    }
  }

  // --- masses
  // ---------------------------------------------------------------------------------------------------------

  static double Reach(const UrdfGeometry& geometry, const Pose& origin, const Vec3& from) {
    if (const auto* mesh = std::get_if<UrdfMesh>(&geometry)) {
      double reach = 0;
      for (const Vec3& corner : mesh->corners) reach = std::max(reach, (origin * corner - from).norm());
      return reach;
    }
    const double center = (origin.position - from).norm();
    if (const auto* box = std::get_if<UrdfBox>(&geometry)) return center + 0.5 * box->size.norm();
    if (const auto* cylinder = std::get_if<UrdfCylinder>(&geometry)) {
      return center + std::hypot(cylinder->radius, 0.5 * cylinder->length);
    }
    return center + std::get<UrdfSphere>(geometry).radius;
  }

  void CheckMasses() {
    for (std::size_t k = 0; k < robot_.links.size(); ++k) {
      const UrdfLink& link = robot_.links[k];
      const int joint = robot_.joint_of_child[k];
      const bool moves = joint >= 0 && robot_.joints[joint].type != UrdfJointType::kFixed;
      if (!link.inertial) {
        if (moves && !IsHeldByOthers(static_cast<int>(k))) {
          Fail(link.line, "link " + link.name, "an <inertial> with mass and inertia, as its joint moves it", "none");
        }
        continue;
      }
      double reach = 0;
      for (const auto* shapes : {&link.visuals, &link.collisions}) {
        for (const UrdfShape& shape : *shapes) {
          reach = std::max(reach, Reach(shape.geometry, shape.origin, link.inertial->com));
        }
      }
      if (!(reach > 0)) continue;
      const double largest = Eigen::SelfAdjointEigenSolver<Mat3>(link.inertial->inertia).eigenvalues()[2];
      const double gyration = std::sqrt(largest / link.inertial->mass);
      if (gyration > kMostGyration * reach || gyration < kLeastGyration * reach) {
        Fail(link.line, "link " + link.name + " inertial",
             fmt::format("moments of inertia in kg m² that fit a link of {:.3g} kg that reaches {:.3g} m: up to {:.3g}",
                         link.inertial->mass, reach, link.inertial->mass * reach * reach),
             fmt::format("{:.3g}, as if in another unit", largest));
      }
    }
  }

  // Whether links that are fixed to this one have mass.
  bool IsHeldByOthers(int link) const {
    for (const UrdfJoint& joint : robot_.joints) {
      if (joint.parent != link || joint.type != UrdfJointType::kFixed) continue;
      if (robot_.links[joint.child].inertial || IsHeldByOthers(joint.child)) return true;
    }
    return false;
  }

  std::filesystem::path file_;
  UrdfRobot robot_;
  std::map<std::string, int> link_of_, joint_of_;
  std::vector<Fault> faults_;
};

}  // namespace

UrdfRobot ReadUrdf(const std::filesystem::path& file) { return Reader(file).Read(); }

}  // namespace slipstick
