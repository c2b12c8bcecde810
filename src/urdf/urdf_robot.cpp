#include "slipstick/urdf/urdf_robot.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>

#include "slipstick/base/fault.h"
#include "slipstick/base/text_bytes.h"
#include "slipstick/urdf/complete_robot.h"
#include "slipstick/urdf/mesh_corners.h"
#include "slipstick/urdf/mesh_file.h"

namespace slipstick::internal {
namespace {

using tinyxml2::XMLElement;

constexpr std::uintmax_t kLargestFile = std::uintmax_t{64} << 20;  // bytes

// What tinyxml2 objects to, in words.
std::string XmlFault(const tinyxml2::XMLDocument& document) {
  switch (document.ErrorID()) {
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT:
      return "nothing";
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT:
      return "an element that is not closed, or closed by another name";
    case tinyxml2::XML_ERROR_PARSING_ELEMENT:
      return "an element that cannot be read";
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      return "an attribute that cannot be read: attributes are name=\"value\"";
    case tinyxml2::XML_ERROR_PARSING_TEXT:
      return "text that is in no element, or does not end";
    case tinyxml2::XML_ERROR_PARSING_COMMENT:
      return "a comment that does not end";
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED:
      return "elements that are nested too deeply";
    default:
      return document.ErrorName();
  }
}

// Files that say so in their first line are in Latin 1.
std::string ToUtf8(std::string text) {
  std::string first = text.substr(0, std::min<std::size_t>(text.find('>'), 200));
  std::transform(first.begin(), first.end(), first.begin(), [](unsigned char c) { return std::tolower(c); });
  if (!first.starts_with("<?xml") || first.find("iso-8859-1") == std::string::npos) return text;
  std::string utf8;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      utf8 += c;
    } else {
      utf8 += static_cast<char>(0xc0 | (byte >> 6));
      utf8 += static_cast<char>(0x80 | (byte & 0x3f));
    }
  }
  return utf8;
}

class Reader {
 public:
  explicit Reader(const std::filesystem::path& file) : file_(file) {}

  UrdfRobot Read() {
    robot_.file = file_;
    tinyxml2::XMLDocument document;
    Parse(&document);
    if (faults_.empty()) ReadRobot(*document.RootElement());
    if (faults_.empty()) CompleteRobot(&robot_, &faults_);
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
    std::ostringstream bytes;
    bytes << stream.rdbuf();
    if (!stream) return Fail(0, "", "a URDF file", "a file that cannot be read");
    const std::string text = ToUtf8(bytes.str());
    if (const auto bad = FindNonText(text)) {
      return Fail(bad->line, "", "text in UTF-8, or in the ISO-8859-1 that <?xml encoding=…?> names", bad->found);
    }
    if (document->Parse(text.c_str(), text.size()) != tinyxml2::XML_SUCCESS) {
      return Fail(document->ErrorLineNum(), "", "well-formed XML", XmlFault(*document));
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
      return Fail(root->GetLineNum(), "", "a <robot>", fmt::format("<{}>", root->Name()));
    }
    if (const XMLElement* second = root->NextSiblingElement()) {
      return Fail(second->GetLineNum(), "", "one <robot> and nothing else",
                  fmt::format("<{}> after it", second->Name()));
    }
    if (const XMLElement* macro = FindMacro(*root)) {
      Fail(macro->GetLineNum(), "", "a URDF without macros: run xacro first", fmt::format("<{}>", macro->Name()));
    }
  }

  // The first element of xacro, wherever it is.
  static const XMLElement* FindMacro(const XMLElement& root) {
    const XMLElement* e = &root;
    while (e != nullptr) {
      if (std::string_view(e->Name()).starts_with("xacro:")) return e;
      if (const XMLElement* child = e->FirstChildElement()) {
        e = child;
        continue;
      }
      while (e != nullptr && e != &root && e->NextSiblingElement() == nullptr) e = e->Parent()->ToElement();
      e = e == nullptr || e == &root ? nullptr : e->NextSiblingElement();
    }
    return nullptr;
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

  // A number that may be infinite.
  double Limit(const XMLElement& element, const char* attribute, const std::string& key, double otherwise) {
    const char* text = element.Attribute(attribute);
    if (text == nullptr) return otherwise;
    char* end = nullptr;
    const double number = std::strtod(text, &end);
    if (end != text && *end == 0 && std::isinf(number)) return number;
    return Number(element, attribute, key, otherwise);
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

  // Null where a mesh that is only looked at has no volume: it is left out.
  std::optional<UrdfMesh> ReadMesh(const XMLElement& mesh, const std::string& key, bool is_visual) {
    const std::string name = Text(mesh, "filename", key);
    const std::vector<double> scale = Numbers(mesh, "scale", 3, key, {1, 1, 1});
    if (name.empty()) return UrdfMesh{};
    const MeshFile file = FindMeshFile(name, file_);
    if (!file.fault.empty()) {
      Fail(mesh.GetLineNum(), key, "a mesh that can be read", fmt::format("'{}': {}", name, file.fault));
      return UrdfMesh{};
    }
    MeshCorners corners = ReadMeshCorners(file.path, Vec3(scale[0], scale[1], scale[2]));
    if (corners.is_flat && is_visual) {
      robot_.remarks.push_back(fmt::format("{} '{}': {}", key, name, corners.fault));
      return std::nullopt;
    }
    if (!corners.fault.empty()) {
      Fail(mesh.GetLineNum(), key, "a mesh that can be read", fmt::format("'{}': {}", name, corners.fault));
    }
    return UrdfMesh{file.path, std::move(corners.corners)};
  }

  void ReadShape(const XMLElement& element, const std::string& key, bool is_visual, std::vector<UrdfShape>* shapes) {
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
    } else if (kind == "capsule") {
      shape.geometry =
          UrdfCapsule{Positive(*solid, "radius", key + " capsule"), Positive(*solid, "length", key + " capsule")};
    } else if (kind == "sphere") {
      shape.geometry = UrdfSphere{Positive(*solid, "radius", key + " sphere")};
    } else if (kind == "mesh") {
      std::optional<UrdfMesh> mesh = ReadMesh(*solid, key + " mesh", is_visual);
      if (!mesh) return;
      shape.geometry = std::move(*mesh);
    } else {
      Fail(element.GetLineNum(), key, "a <geometry> with <box>, <cylinder>, <capsule>, <sphere> or <mesh>",
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
    // what is 0 may be fixed to a link that has more: bodies are judged as wholes, by CompleteRobot
    inertial.mass = NotNegative(*mass, "value", key + " mass");
    if (mass->Attribute("value") == nullptr) Text(*mass, "value", key + " mass");
    const auto moment = [&](const char* name, bool is_product) {
      return Number(*inertia, name, key + " inertia", is_product ? std::optional<double>(0) : std::nullopt);
    };
    const double xx = moment("ixx", false), yy = moment("iyy", false), zz = moment("izz", false),
                 xy = moment("ixy", true), xz = moment("ixz", true), yz = moment("iyz", true);
    Mat3 given;
    given << xx, xy, xz, xy, yy, yz, xz, yz, zz;
    const Vec3 principal = Eigen::SelfAdjointEigenSolver<Mat3>(given).eigenvalues();
    if (principal[0] < -1e-9 * std::abs(principal[2])) {
      Fail(inertia->GetLineNum(), key + " inertia", "principal moments above 0",
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
      ReadShape(*e, key + " visual", true, &link.visuals);
    }
    for (const XMLElement* e = element.FirstChildElement("collision"); e != nullptr;
         e = e->NextSiblingElement("collision")) {
      ReadShape(*e, key + " collision", false, &link.collisions);
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
      const bool is_used = joint.type != UrdfJointType::kFixed && joint.type != UrdfJointType::kFloating;
      if (!is_used) {
        // what it says means nothing
      } else if (!(given.norm() > 0)) {
        Fail(axis->GetLineNum(), key + " axis", "a direction", "three zeros");
      } else {
        joint.axis = given.normalized();
      }
    }
    const bool has_limits = joint.type == UrdfJointType::kRevolute || joint.type == UrdfJointType::kPrismatic;
    if (const XMLElement* limit = element.FirstChildElement("limit")) {
      if (has_limits) {
        joint.lower = Limit(*limit, "lower", key + " limit", 0.0);
        joint.upper = Limit(*limit, "upper", key + " limit", 0.0);
        if (joint.lower > joint.upper) {
          Fail(limit->GetLineNum(), key + " limit", "lower ≤ upper",
               fmt::format("{} and {}", joint.lower, joint.upper));
        }
      }
      joint.effort = Limit(*limit, "effort", key + " limit", 0.0);
      if (joint.effort < 0) {
        Fail(limit->GetLineNum(), key + " limit effort", "a number from 0 on", fmt::format("{}", joint.effort));
      }
      if (!std::isfinite(joint.effort)) joint.effort = 0;  // no limit
    }
    if (const XMLElement* dynamics = element.FirstChildElement("dynamics")) {
      joint.damping = NotNegative(*dynamics, "damping", key + " dynamics");
      joint.friction = NotNegative(*dynamics, "friction", key + " dynamics");
    }
    if (const XMLElement* mimic = element.FirstChildElement("mimic")) {
      joint.mimic =
          UrdfMimic{Text(*mimic, "joint", key + " mimic"), -1, Number(*mimic, "multiplier", key + " mimic", 1.0),
                    Number(*mimic, "offset", key + " mimic", 0.0)};
    }
    robot_.joints.push_back(std::move(joint));
  }

  void ReadRobot(const XMLElement& root) {
    if (const char* name = root.Attribute("name")) robot_.name = name;
    for (const XMLElement* e = root.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
      if (std::string_view(e->Name()) == "link") ReadLink(*e);
    }
    for (const XMLElement* e = root.FirstChildElement("joint"); e != nullptr; e = e->NextSiblingElement("joint")) {
      ReadJoint(*e);
    }
    if (robot_.links.empty()) Fail(root.GetLineNum(), "", "at least one <link>", "none");
  }

  std::filesystem::path file_;
  UrdfRobot robot_;
  std::map<std::string, int> link_of_, joint_of_;
  std::vector<Fault> faults_;
};

}  // namespace

UrdfRobot ReadUrdf(const std::filesystem::path& file) { return Reader(file).Read(); }

}  // namespace slipstick::internal
