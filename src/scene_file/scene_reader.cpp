#include "slipstick/scene_file/scene_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "slipstick/document/document_reader.h"
#include "slipstick/document/locate_faults.h"
#include "slipstick/scene/made_up_names.h"
#include "slipstick/scene/scene.h"
#include "slipstick/scene_file/apply_overrides.h"
#include "slipstick/scene_file/derived_scene.h"
#include "slipstick/scene_file/read_document.h"
#include "slipstick/scene_file/repetitions.h"
#include "slipstick/scene_file/scene_parts.h"
#include "slipstick/scene_file/scene_schema.h"

namespace slipstick::internal {
namespace {

// One fault a key, the first found (the schema's before those of the parts), in the order of the file.
std::vector<Fault> Tidy(const std::vector<Fault>& faults) {
  std::vector<Fault> tidy;
  std::set<std::tuple<std::string, std::string, int>> seen;
  for (const Fault& fault : faults)
    if (seen.insert({fault.file, fault.key, fault.key.empty() ? fault.line : 0}).second) tidy.push_back(fault);
  std::stable_sort(tidy.begin(), tidy.end(), [](const Fault& a, const Fault& b) { return a.line < b.line; });
  // a mistake in a file that a program wrote repeats itself thousands of times
  constexpr size_t kMost = 200;
  if (tidy.size() > kMost) {
    const size_t more = tidy.size() - kMost;
    tidy.resize(kMost);
    tidy.push_back({tidy[0].file, 0, "", "a scene without faults", fmt::format("{} more", more)});
  }
  return tidy;
}

// Lines of everything but the numbers inside of lists and the keys of bodies: there may be a hundred thousand, and what
// is wrong inside of one is found here and not later.
void CollectLines(const Place& place, std::map<std::string, int>* lines) {
  if (!place.path.empty()) lines->emplace(place.path, place.node->line);
  if (place.path.rfind("bodies.", 0) == 0) return;
  if (place.node->is_map())
    for (const std::string& key : place.node->keys) CollectLines(*place.Child(key), lines);
  for (const Place& item : place.Items())
    if (item.node->is_map()) CollectLines(item, lines);
}

// The text with the overrides as comments after it, one a line.
std::string EffectiveText(std::string text, const std::vector<Override>& overrides) {
  if (!overrides.empty() && !text.empty() && text.back() != '\n') text += '\n';
  for (const Override& given : overrides) {
    std::string line = "# --set " + given.key + "=" + given.value;
    std::replace(line.begin(), line.end(), '\n', ' ');
    text += line + "\n";
  }
  return text;
}

// What is wrong with the scene that was read. Bodies of a group stand where its template does.
void AppendSceneFaults(const Scene& scene, DocumentReader* reader) {
  const std::vector<Fault> faults = Validate(scene);
  if (faults.empty()) return;
  for (const SceneGroup& group : scene.groups) {
    for (int i = 0; i < group.count; ++i)
      reader->Alias("bodies." + scene.bodies[group.first + i].name, "groups." + group.name + ".template");
  }
  reader->Append(faults);
}

// Makes up the names that the file leaves out, with the lines of what they stand for.
void NameAll(const FaultLocator& locator, Scene* scene) {
  std::vector<std::pair<std::string, std::string*>> unnamed;  // the path of an item, its name to be
  const auto collect = [&](const std::string& list, auto* items) {
    for (std::size_t i = 0; i < items->size(); ++i) {
      if ((*items)[i].name.empty())
        unnamed.emplace_back(locator.PathOf(list + "." + std::to_string(i)), &(*items)[i].name);
    }
  };
  collect("constraints", &scene->constraints);
  collect("forces", &scene->forces);
  collect("drives", &scene->drives);
  MakeUpNames(scene);
  for (const auto& [path, name] : unnamed)
    scene->lines[path.substr(0, path.find('.') + 1) + *name] = scene->lines[path];
}

constexpr int kMostBases = 8;  // a scene that is based on itself ends here

Scene ReadDocument(SceneDocument given, const std::string& file, const std::vector<Override>& overrides, int bases) {
  std::vector<Fault> faults = std::move(given.faults);
  DocumentNode document = std::move(given.root);
  if (document.is_null()) throw InputError(faults);

  FaultLocator locator(file, &document);
  DocumentReader reader(file, &faults, &locator);
  if (auto derived = document.is_map() ? ReadDerivation(document, file, &reader) : std::nullopt) {
    if (bases == kMostBases) {
      reader.Fail(*Place{&document, ""}.Child("base"),
                  fmt::format("a scene with at most {} others as bases", kMostBases));
    }
    if (!faults.empty()) throw InputError(Tidy(faults));
    derived->changes.insert(derived->changes.end(), overrides.begin(), overrides.end());
    Scene scene = ReadDocument(FormatOf(derived->base).read(derived->base, {}), derived->base.string(),
                               derived->changes, bases + 1);
    scene.name = std::filesystem::path(file).stem().string();
    return scene;
  }
  if (document.is_map()) {
    // how often something is repeated first, so that the others find what that makes
    const auto is_repetition = [](const Override& one) {
      return one.key == "repeat" || one.key.starts_with("repeat.");
    };
    std::vector<Override> sorted = overrides;
    const auto others = std::stable_partition(sorted.begin(), sorted.end(), is_repetition);
    ApplyOverrides({sorted.begin(), others}, &document, &faults);
    WriteOutRepetitions(&document, &reader);
    ApplyOverrides({others, sorted.end()}, &document, &faults);
  }
  CheckSchema(document, &reader);
  if (faults.empty())
    if (const std::string objection = JudgeBySchema(document); !objection.empty())
      faults.push_back({file, 0, "", "what the schema of scenes allows", objection});

  Scene scene;
  scene.file = file;
  scene.effective_text = EffectiveText(given.text, overrides);
  scene.name = std::filesystem::path(file).stem().string();
  const Place root{&document, ""};
  if (document.is_map()) {
    CollectLines(root, &scene.lines);
    scene.title = reader.Text(root, "title", scene.name);
    scene.description = reader.Text(root, "description");
    scene.source = reader.Text(root, "source");
    if (const auto gravity = root.Child("gravity")) scene.gravity = reader.Vector(*gravity);
    ReadMaterials(root, &reader, &scene);
    ReadBodies(root, &reader, &scene);
    ReadGroups(root, &reader, &scene);
    ReadNoContact(root, &reader, &scene);
    ReadJoints(root, &reader, &scene);
    ReadConstraints(root, &reader, &scene);
    ReadForces(root, &reader, &scene);
    ReadDrives(root, &reader, &scene);
    ReadMethods(root, &reader, &scene);
    ReadMeasures(root, &reader, &scene);
    ReadParameters(root, !overrides.empty(), &reader, &scene);
    ReadOutput(root, &reader, &scene);
    AppendSceneFaults(scene, &reader);
  }
  if (!faults.empty()) throw InputError(Tidy(faults));
  NameAll(locator, &scene);
  return scene;
}

}  // namespace

Scene ReadSceneDocument(SceneDocument document, const std::string& file, const std::vector<Override>& overrides) {
  Scene scene = ReadDocument(std::move(document), file, overrides, 0);
  for (const Override& given : overrides) scene.overrides.emplace_back(given.key, given.value);
  return scene;
}

}  // namespace slipstick::internal

namespace slipstick {

Scene ReadSceneText(const std::string& text, const std::string& file, const std::vector<Override>& overrides) {
  return internal::ReadSceneDocument(internal::ParseSceneText(text, file), file, overrides);
}

Scene ReadScene(const std::filesystem::path& file, const std::vector<Override>& overrides) {
  return internal::ReadSceneDocument(internal::FormatOf(file).read(file, {}), file.string(), overrides);
}

}  // namespace slipstick
