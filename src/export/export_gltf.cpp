#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <span>

#include "slipstick/base/draft_file.h"
#include "slipstick/export/export_recording.h"
#include "slipstick/export/recorded_shapes.h"

namespace slipstick::internal {
namespace {

// glTF 2.0, the Khronos Group's specification; numbers of sections are those of version 2.0.1.

static_assert(std::endian::native == std::endian::little, "numbers are written as they are in memory");

using Json = nlohmann::ordered_json;

constexpr int kFloat = 5126, kUnsigned = 5125;                // component types
constexpr int kVertexTarget = 34962, kIndexTarget = 34963;    // of buffer views
enum View { kVertices, kIndices, kKeys, kViewCount };         // one buffer view for each kind of numbers
constexpr double kRestingAngle = 1e-4, kRestingShare = 1e-5;  // rad; of the scene's size: what counts as no motion

// Okabe & Ito 2008, told apart by colour-blind people too; sRGB.
constexpr int kPalette[][3] = {{86, 180, 233}, {230, 159, 0}, {0, 158, 115},  {240, 228, 66},
                               {0, 114, 178},  {213, 94, 0},  {204, 121, 167}};
constexpr int kColours = static_cast<int>(std::size(kPalette));
constexpr int kGround[3] = {200, 200, 196};

// glTF's colours are linear (§3.9.2).
double Linear(int value) {
  const double s = value / 255.0;
  return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
}

Json Material(const std::string& name, const int (&colour)[3]) {
  return {{"name", name},
          {"pbrMetallicRoughness",
           {{"baseColorFactor", {Linear(colour[0]), Linear(colour[1]), Linear(colour[2]), 1.0}},
            {"metallicFactor", 0.0},
            {"roughnessFactor", 0.7}}},
          {"doubleSided", true}};
}

class Document {
 public:
  Document() {
    json_["asset"] = {{"version", "2.0"}, {"generator", "slipstick"}};
    for (const char* list : {"nodes", "meshes", "materials", "accessors"}) json_[list] = Json::array();
  }

  Json& json() { return json_; }

  // Puts numbers into the buffer; the index of the accessor that finds them again.
  template <typename T>
  int Add(View view, const char* type, int components, std::span<const T> values) {
    std::string& bytes = bytes_[view];
    Json accessor = {{"bufferView", view},
                     {"byteOffset", bytes.size()},
                     {"componentType", std::is_same_v<T, float> ? kFloat : kUnsigned},
                     {"count", values.size() / static_cast<std::size_t>(components)},
                     {"type", type}};
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    json_["accessors"].push_back(std::move(accessor));
    return static_cast<int>(json_["accessors"].size()) - 1;
  }

  // Least and largest value of each component, which positions and times must have (§3.6.2.5).
  void AddBounds(int accessor, int components, std::span<const float> values) {
    std::vector<float> least(components, INFINITY), most(components, -INFINITY);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::size_t k = i % static_cast<std::size_t>(components);
      least[k] = std::min(least[k], values[i]);
      most[k] = std::max(most[k], values[i]);
    }
    json_["accessors"][accessor]["min"] = least;
    json_["accessors"][accessor]["max"] = most;
  }

  int AddNode(Json node) {
    json_["nodes"].push_back(std::move(node));
    return static_cast<int>(json_["nodes"].size()) - 1;
  }

  void Write(const std::filesystem::path& file) {
    const std::string buffer = Assemble();
    for (const char* list : {"nodes", "meshes", "materials", "accessors"}) {
      if (json_[list].empty()) json_.erase(list);  // an empty list is not allowed (§3.2)
    }
    // texts of a recording may hold anything; what is no UTF-8 is replaced
    std::string text = json_.dump(-1, ' ', false, Json::error_handler_t::replace);
    text.append((4 - text.size() % 4) % 4, ' ');
    const auto word = [](std::uint64_t value) {
      const auto number = static_cast<std::uint32_t>(value);
      return std::string(reinterpret_cast<const char*>(&number), 4);
    };
    // §4.4: a header and two chunks
    const std::uint64_t chunk = buffer.empty() ? 0 : 8 + buffer.size();
    DraftFile draft(file);
    draft.Write("glTF" + word(2) + word(12 + 8 + text.size() + chunk));
    draft.Write(word(text.size()) + "JSON" + text);
    if (!buffer.empty()) {
      draft.Write(word(buffer.size()) + std::string("BIN\0", 4));
      draft.Write(buffer);
    }
    draft.Commit();
  }

 private:
  // All numbers in one buffer, and the views into it; a view without numbers is left out.
  std::string Assemble() {
    std::string buffer;
    std::map<int, int> number_of;
    Json views = Json::array();
    for (int view = 0; view < kViewCount; ++view) {
      if (bytes_[view].empty()) continue;
      number_of[view] = static_cast<int>(views.size());
      Json entry = {{"buffer", 0}, {"byteOffset", buffer.size()}, {"byteLength", bytes_[view].size()}};
      if (view == kVertices) entry["byteStride"] = 12;
      if (view == kVertices) entry["target"] = kVertexTarget;
      if (view == kIndices) entry["target"] = kIndexTarget;
      views.push_back(std::move(entry));
      buffer += bytes_[view];
    }
    for (Json& accessor : json_["accessors"]) accessor["bufferView"] = number_of.at(accessor["bufferView"]);
    if (buffer.empty()) return buffer;
    json_["bufferViews"] = std::move(views);
    json_["buffers"] = Json::array({{{"byteLength", buffer.size()}}});
    return buffer;
  }

  Json json_;
  std::string bytes_[kViewCount];
};

// Meshes by shape and colour; those of one shape share their numbers.
class Meshes {
 public:
  Meshes(const RecordedShapes& shapes, Document* document) : shapes_(shapes), document_(document) {}

  int Of(int mesh, int material) {
    const auto [place, is_new] = index_.insert({{mesh, material}, 0});
    if (!is_new) return place->second;
    Json& all = document_->json()["meshes"];
    all.push_back({{"primitives", Json::array({Primitive(mesh, material)})}});
    return place->second = static_cast<int>(all.size()) - 1;
  }

 private:
  Json Primitive(int mesh, int material) {
    auto& primitive = numbers_[mesh];
    if (primitive.is_null()) {
      const ShadedMesh shaded = Shaded(shapes_.meshes[mesh]);
      std::vector<float> points, normals;
      std::vector<std::uint32_t> corners;
      for (std::size_t i = 0; i < shaded.points.size(); ++i) {
        for (int k = 0; k < 3; ++k) {
          points.push_back(static_cast<float>(shaded.points[i][k]));
          normals.push_back(static_cast<float>(shaded.normals[i][k]));
        }
      }
      for (const auto& triangle : shaded.triangles) {
        for (const int corner : triangle) corners.push_back(static_cast<std::uint32_t>(corner));
      }
      const int position = document_->Add<float>(kVertices, "VEC3", 3, points);
      document_->AddBounds(position, 3, points);
      const int normal = document_->Add<float>(kVertices, "VEC3", 3, normals);
      primitive = {{"attributes", {{"POSITION", position}, {"NORMAL", normal}}},
                   {"indices", document_->Add<std::uint32_t>(kIndices, "SCALAR", 1, corners)}};
    }
    Json with_material = primitive;
    with_material["material"] = material;
    return with_material;
  }

  const RecordedShapes& shapes_;
  Document* document_;
  std::map<std::pair<int, int>, int> index_;
  std::map<int, Json> numbers_;
};

Json RotationJson(const Quat& q) { return {q.x(), q.y(), q.z(), q.w()}; }
Json VectorJson(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

void PutPose(const Pose& pose, Json* node) {
  if (pose.position != Vec3::Zero()) (*node)["translation"] = VectorJson(pose.position);
  if (pose.rotation.vec() != Vec3::Zero()) (*node)["rotation"] = RotationJson(pose.rotation);
}

// Which of the poses an animation needs: where a body rests, the first and the last. What is left out is as far from
// what is shown as two poses may differ that count as one.
std::vector<int> KeysOf(const std::vector<Pose>& poses, double resting_distance) {
  const auto same = [&](const Pose& a, const Pose& b) {
    return (a.position - b.position).norm() <= resting_distance &&
           a.rotation.angularDistance(b.rotation) <= kRestingAngle;
  };
  std::vector<int> keys = {0};
  const int last = static_cast<int>(poses.size()) - 1;
  for (int i = 1; i <= last; ++i) {
    const Pose& kept = poses[keys.back()];
    const bool rests = same(poses[i], kept) && (i == last || same(poses[i + 1], kept));
    if (!rests) keys.push_back(i);
  }
  return keys;
}

class Animation {
 public:
  Animation(std::vector<float> times, double resting_distance, Document* document)
      : times_(std::move(times)), resting_distance_(resting_distance), document_(document) {}

  // `poses` one for each time.
  void AddBody(int node, std::vector<Pose> poses, double release) {
    // neighbours on the same side, so that nobody turns the long way round
    for (std::size_t i = 1; i < poses.size(); ++i) {
      if (poses[i].rotation.dot(poses[i - 1].rotation) < 0) poses[i].rotation.coeffs() *= -1;
    }
    const std::vector<int> keys = KeysOf(poses, resting_distance_);
    if (keys.size() > 1) {
      std::vector<float> translations, rotations;
      for (const int key : keys) {
        for (const double number : poses[key].position) translations.push_back(static_cast<float>(number));
        for (const double number : poses[key].rotation.coeffs()) rotations.push_back(static_cast<float>(number));
      }
      const int input = TimesOf(keys);
      AddChannel(node, "translation", input, document_->Add<float>(kKeys, "VEC3", 3, translations), "LINEAR");
      AddChannel(node, "rotation", input, document_->Add<float>(kKeys, "VEC4", 4, rotations), "LINEAR");
    }
    if (release > times_.front()) AddRelease(node, release);
  }

  Json Finish(const std::string& name) const {
    return {{"name", name}, {"channels", channels_}, {"samplers", samplers_}};
  }
  bool empty() const { return channels_.empty(); }

 private:
  // A body has no size before it is there.
  void AddRelease(int node, double release) {
    std::vector<int> keys = {0};
    std::vector<float> scales = {0, 0, 0};
    for (std::size_t i = 1; i < times_.size() && keys.size() < 2; ++i) {
      if (times_[i] < static_cast<float>(release)) continue;
      keys.push_back(static_cast<int>(i));
      scales.insert(scales.end(), {1, 1, 1});
    }
    AddChannel(node, "scale", TimesOf(keys), document_->Add<float>(kKeys, "VEC3", 3, scales), "STEP");
  }

  void AddChannel(int node, const char* path, int input, int output, const char* interpolation) {
    channels_.push_back({{"sampler", samplers_.size()}, {"target", {{"node", node}, {"path", path}}}});
    samplers_.push_back({{"input", input}, {"output", output}, {"interpolation", interpolation}});
  }

  int TimesOf(const std::vector<int>& keys) {
    const auto [place, is_new] = inputs_.insert({keys, 0});
    if (!is_new) return place->second;
    std::vector<float> times;
    times.reserve(keys.size());
    for (const int key : keys) times.push_back(times_[key]);
    place->second = document_->Add<float>(kKeys, "SCALAR", 1, times);
    document_->AddBounds(place->second, 1, times);
    return place->second;
  }

  std::vector<float> times_;
  double resting_distance_;
  Document* document_;
  std::map<std::vector<int>, int> inputs_;
  Json channels_ = Json::array(), samplers_ = Json::array();
};

// Poses of each body over time; in single precision, as they will be written, times must still rise.
struct Motion {
  std::vector<float> times;
  std::vector<std::vector<Pose>> bodies;
  double size = 0;  // m, of the box that all origins stay in
};

bool ReadMotion(const ExportSource& source, Motion* motion) {
  motion->bodies.resize(source.header().body_names.size());
  Vec3 least = Vec3::Constant(INFINITY), most = -least;
  for (std::size_t i = 0; i < source.frames.size(); ++i) {
    const auto time = static_cast<float>(source.times[i]);
    if (motion->times.empty() || time > motion->times.back()) {
      motion->times.push_back(time);
      const std::vector<Pose> poses = source.PosesAt(source.frames[i]);
      for (std::size_t body = 0; body < poses.size(); ++body) {
        auto& all = motion->bodies[body];
        const bool finite = poses[body].position.allFinite() && poses[body].rotation.coeffs().allFinite();
        all.push_back(finite ? Normalized(poses[body]) : all.empty() ? Pose() : all.back());
        least = least.cwiseMin(all.back().position);
        most = most.cwiseMax(all.back().position);
      }
    }
    if (!source.GoOn(i)) return false;
  }
  motion->size = motion->bodies.empty() ? 0 : (most - least).norm();
  return true;
}

// The largest distance of a shape's corner from its origin.
double LargestShape(const RecordedShapes& shapes) {
  double largest = 0;
  for (const RecordedShape& shape : shapes.shapes) {
    if (shape.body < 0) continue;
    for (const Vec3& point : shapes.meshes[shape.mesh].points) largest = std::max(largest, point.norm());
  }
  return largest;
}

}  // namespace

bool ExportGltf(const ExportSource& source, const std::filesystem::path& file) {
  const RecordingHeader& header = source.header();
  Motion motion;
  if (!ReadMotion(source, &motion)) return false;
  const RecordedShapes shapes = ShapesOf(source);
  Document document;
  for (int i = 0; i < kColours; ++i) {
    document.json()["materials"].push_back(Material(fmt::format("colour {}", i + 1), kPalette[i]));
  }
  document.json()["materials"].push_back(Material("world", kGround));

  // z is up here, y in glTF (§3.4)
  Json children = Json::array();
  document.AddNode({{"name", header.scene_name}, {"rotation", {-std::sqrt(0.5), 0.0, 0.0, std::sqrt(0.5)}}});
  for (std::size_t body = 0; body < header.body_names.size(); ++body) {
    Json node = {{"name", header.body_names[body]}};
    PutPose(motion.bodies[body].front(), &node);
    children.push_back(document.AddNode(std::move(node)));
  }
  Meshes meshes(shapes, &document);
  std::map<int, Json> shapes_of;
  for (std::size_t i = 0; i < shapes.shapes.size(); ++i) {
    const RecordedShape& shape = shapes.shapes[i];
    Json node = {{"name", header.shapes[i].name}};
    PutPose(shape.pose, &node);
    node["mesh"] = meshes.Of(shape.mesh, shape.body < 0 ? kColours : shape.body % kColours);
    const int number = document.AddNode(std::move(node));
    if (shape.body < 0) {
      children.push_back(number);
    } else {
      shapes_of[shape.body].push_back(number);
    }
  }
  Json& nodes = document.json()["nodes"];
  for (const auto& [body, list] : shapes_of) nodes[body + 1]["children"] = list;
  if (!children.empty()) nodes[0]["children"] = children;
  document.json()["scenes"] = Json::array({{{"name", header.scene_name}, {"nodes", {0}}}});
  document.json()["scene"] = 0;

  Animation animation(motion.times, kRestingShare * std::max(motion.size, LargestShape(shapes)), &document);
  for (std::size_t body = 0; body < header.body_names.size(); ++body) {
    animation.AddBody(static_cast<int>(body) + 1, std::move(motion.bodies[body]), header.body_releases[body]);
  }
  if (!animation.empty()) document.json()["animations"] = Json::array({animation.Finish(header.scene_name)});
  document.Write(file);
  return true;
}

}  // namespace slipstick::internal
