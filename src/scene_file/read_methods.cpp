#include <algorithm>
#include <cmath>

#include "slipstick/scene_file/scene_parts.h"

namespace slipstick::internal {
namespace {

// A setting's kind is known only to whoever owns it, so a text is a number where it is a formula with a digit in it, as
// in 20*deg, and stays a text otherwise, as in old-velocity.
SettingSpec::Value ReadSetting(const Place& place, DocumentReader* reader) {
  if (place.node->is_flag()) return place.node->flag;
  if (place.node->is_number()) {
    if (std::isnan(place.node->number)) reader->Fail(place, "a number");
    return place.node->number;
  }
  const std::string text = reader->Text(place);
  std::string problem;
  const auto formula = TimeFunction::Parse(text, &problem);
  const bool has_digit = std::any_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!formula || !formula->is_constant() || !has_digit) return text;
  if (std::isnan((*formula)(0))) reader->Fail(place, "a formula with a value");
  return (*formula)(0);
}

// Adds the settings of a map, those that are there already giving way. `prefix` is the key that the settings' owner
// will report, whichever map they come from.
void OverlaySettings(const Place& map, const std::string& prefix, DocumentReader* reader, Scene* scene,
                     GivenSettings* settings) {
  if (!map.node->is_map()) return;
  for (const std::string& key : map.node->keys) {
    if (key == "name") continue;
    const Place place = *map.Child(key);
    (*settings)[key] = ReadSetting(place, reader);
    scene->lines[JoinPath(prefix, key)] = place.node->line;
  }
}

// law, solver and stepper: `name` or {name: …, settings}, over the settings that the map `collection` has for that
// name.
void ReadMethod(const Place& document, const std::string& key, const std::string& collection, DocumentReader* reader,
                Scene* scene, std::string* name, GivenSettings* settings) {
  const auto method = document.Child(key);
  if (method && method->node->is_text()) *name = method->node->text;
  if (method && method->node->is_map()) *name = reader->Text(*method, "name", *name);
  if (const auto by_name = document.Child(collection)) {
    for (const std::string& other : by_name->node->keys) {
      // settings of methods not in use are read too, so that their faults show now and not on the day of their use
      GivenSettings unused;
      const Place place = *by_name->Child(other);
      OverlaySettings(place, other == *name ? key : place.path, reader, scene, other == *name ? settings : &unused);
    }
  }
  if (method) OverlaySettings(*method, key, reader, scene, settings);
}

}  // namespace

void ReadMethods(const Place& document, DocumentReader* reader, Scene* scene) {
  ReadMethod(document, "law", "laws", reader, scene, &scene->law, &scene->law_settings);
  ReadMethod(document, "solver", "solvers", reader, scene, &scene->solver, &scene->solver_settings);
  ReadMethod(document, "stepper", "steppers", reader, scene, &scene->stepper, &scene->stepper_settings);
  if (const auto certificate = document.Child("certificate"))
    OverlaySettings(*certificate, "certificate", reader, scene, &scene->certificate_settings);
}

void ReadOutput(const Place& document, DocumentReader* reader, Scene* scene) {
  const auto output = document.Child("output");
  if (!output) return;
  if (const auto place = output->Child("every")) scene->output.every = reader->Value(*place);
  if (const auto place = output->Child("record"))
    scene->output.record = reader->Text(*place) == "replay" ? RecordingDetail::kReplay : RecordingDetail::kFull;
  if (const auto place = output->Child("contacts")) {
    // a number must fit into a count before anything else can be asked of it
    const NumberRule count{.least = 0, .most = 1e9};
    scene->output.contacts = place->node->is_flag() ? (place->node->flag ? SceneOutput::kAllContacts : 0)
                                                    : static_cast<std::size_t>(reader->Number(*place, count));
  }
  if (const auto bodies = output->Child("bodies"))
    for (const Place& item : bodies->Items()) scene->output.bodies.push_back(reader->Text(item));
}

}  // namespace slipstick::internal
