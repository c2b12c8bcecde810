#include "slipstick/scene_file/scene_schema.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "slipstick/base/check.h"
#include "slipstick/base/nearest_name.h"

namespace slipstick::internal {
namespace {

using Json = nlohmann::json;

const Json& Schema() {
  static const Json schema = Json::parse(SceneSchemaText());
  return schema;
}

const Json& Resolve(const Json& schema) {
  const auto reference = schema.find("$ref");
  if (reference == schema.end()) return schema;
  const std::string prefix = "#/definitions/";
  const std::string text = reference->get<std::string>();
  SLIPSTICK_CHECK(text.rfind(prefix, 0) == 0, "reference in the scene schema: " + text);
  return Resolve(Schema().at("definitions").at(text.substr(prefix.size())));
}

std::vector<std::string> Texts(const Json& list) { return list.get<std::vector<std::string>>(); }

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool HasType(const DocumentNode& node, const std::string& type) {
  if (type == "object") return node.is_map();
  if (type == "array") return node.is_list();
  if (type == "string") return node.is_text();
  if (type == "boolean") return node.is_flag();
  if (type == "number") return node.is_number();
  SLIPSTICK_CHECK(type == "integer", "type in the scene schema: " + type);
  return node.is_number() && std::isfinite(node.number) && node.number == std::floor(node.number);
}

bool TypeFits(const DocumentNode& node, const Json& schema) {
  const auto type = schema.find("type");
  if (type == schema.end()) return true;
  if (type->is_string()) return HasType(node, type->get<std::string>());
  return std::any_of(type->begin(), type->end(),
                     [&](const Json& one) { return HasType(node, one.get<std::string>()); });
}

// The words a text may be: const or enum. Empty: any.
std::vector<std::string> Words(const Json& schema) {
  if (schema.contains("const")) return {schema["const"].get<std::string>()};
  return schema.contains("enum") ? Texts(schema["enum"]) : std::vector<std::string>();
}

// The conditions that the schema uses: a key is there, and a key has one of some words.
bool ConditionHolds(const DocumentNode& node, const Json& condition) {
  if (condition.contains("required"))
    for (const std::string& key : Texts(condition["required"]))
      if (node.Find(key) == nullptr) return false;
  if (condition.contains("properties"))
    for (const auto& [key, schema] : condition["properties"].items()) {
      const DocumentNode* value = node.Find(key);
      if (value != nullptr && !(value->is_text() && Contains(Words(schema), value->text))) return false;
    }
  return true;
}

// Keys that a map must and may have, after the conditions that hold for it.
struct MapRule {
  std::vector<std::string> required;
  std::vector<std::string> allowed;
  bool others_allowed = false;
};

MapRule RuleFor(const DocumentNode& node, const Json& schema) {
  MapRule rule;
  if (schema.contains("required")) rule.required = Texts(schema["required"]);
  if (schema.contains("properties"))
    for (const auto& [key, value] : schema["properties"].items()) rule.allowed.push_back(key);
  const auto others = schema.find("additionalProperties");
  rule.others_allowed = others == schema.end() || !others->is_boolean() || others->get<bool>();
  if (!schema.contains("allOf")) return rule;
  for (const Json& part : schema["allOf"]) {
    const char* branch = ConditionHolds(node, part.at("if")) ? "then" : "else";
    if (!part.contains(branch)) continue;
    const Json& consequence = part[branch];
    if (consequence.contains("required"))
      for (const std::string& key : Texts(consequence["required"])) rule.required.push_back(key);
    if (consequence.contains("propertyNames")) {
      const std::vector<std::string> names = Texts(consequence["propertyNames"]["enum"]);
      std::erase_if(rule.allowed, [&](const std::string& key) { return !Contains(names, key); });
    }
  }
  return rule;
}

void Check(const Place& place, const Json& unresolved, DocumentReader* reader);

void CheckMap(const Place& place, const Json& schema, DocumentReader* reader) {
  const MapRule rule = RuleFor(*place.node, schema);
  for (const std::string& key : rule.required)
    if (place.node->Find(key) == nullptr && schema["properties"].contains(key))
      reader->FailMissing(place, key, Resolve(schema["properties"][key]).value("description", "a value"));
  for (size_t i = 0; i < place.node->keys.size(); ++i) {
    const std::string& key = place.node->keys[i];
    const Place child{&place.node->items[i], JoinPath(place.path, key)};
    if (Contains(rule.allowed, key))
      Check(child, schema["properties"][key], reader);
    else if (!rule.others_allowed)
      reader->Fail(child, OneOf(rule.allowed, key), "the key '" + key + "'");
    else if (schema.contains("additionalProperties"))
      Check(child, schema["additionalProperties"], reader);
  }
}

void Check(const Place& place, const Json& unresolved, DocumentReader* reader) {
  const Json& schema = Resolve(unresolved);
  const DocumentNode& node = *place.node;
  const std::string expected = schema.value("description", "something else");
  const std::vector<std::string> words = Words(schema);
  if (!words.empty()) {
    if (node.is_text() && !Contains(words, node.text))
      reader->Fail(place, words.size() == 1 ? "'" + words[0] + "'" : OneOf(words, node.text));
    else if (!node.is_text())
      reader->Fail(place, expected);
    return;
  }
  if (!TypeFits(node, schema) || (node.is_number() && schema.contains("minimum") && node.number < schema["minimum"])) {
    reader->Fail(place, expected);
    return;
  }
  if (node.is_list()) {
    if (node.items.size() < schema.value("minItems", size_t{0}) ||
        node.items.size() > schema.value("maxItems", node.items.size())) {
      reader->Fail(place, expected);
      return;
    }
    if (schema.contains("items"))
      for (const Place& item : place.Items()) Check(item, schema["items"], reader);
  }
  if (node.is_map()) CheckMap(place, schema, reader);
}

// CheckSchema has looked at every item of a list; of a long one the second judge sees the first items only.
constexpr size_t kMostItems = 1000;

Json ToJson(const DocumentNode& node) {
  switch (node.kind) {
    case DocumentNode::Kind::kNull:
      return nullptr;
    case DocumentNode::Kind::kFlag:
      return node.flag;
    case DocumentNode::Kind::kText:
      return node.text;
    case DocumentNode::Kind::kNumber:
      // whole numbers as such, because the schema asks some to be whole
      if (std::abs(node.number) < 1e15 && node.number == std::floor(node.number))
        return static_cast<std::int64_t>(node.number);
      return node.number;
    case DocumentNode::Kind::kList: {
      Json list = Json::array();
      for (size_t i = 0; i < node.items.size() && i < kMostItems; ++i) list.push_back(ToJson(node.items[i]));
      return list;
    }
    case DocumentNode::Kind::kMap: {
      Json map = Json::object();
      for (size_t i = 0; i < node.keys.size(); ++i) map[node.keys[i]] = ToJson(node.items[i]);
      return map;
    }
  }
  return nullptr;
}

const valijson::Schema& CompiledSchema() {
  static const valijson::Schema* const compiled = [] {
    auto* schema = new valijson::Schema;  // lives as long as the program
    valijson::SchemaParser().populateSchema(valijson::adapters::NlohmannJsonAdapter(Schema()), *schema);
    return schema;
  }();
  return *compiled;
}

}  // namespace

void CheckSchema(const DocumentNode& document, DocumentReader* reader) { Check({&document, ""}, Schema(), reader); }

std::string JudgeBySchema(const DocumentNode& document) {
  const Json json = ToJson(document);
  valijson::Validator validator;
  valijson::ValidationResults results;
  if (validator.validate(CompiledSchema(), valijson::adapters::NlohmannJsonAdapter(json), &results)) return "";
  std::string objections = "the schema does not fit";
  for (const auto& error : results) {
    objections += "; ";
    for (const std::string& step : error.context) objections += step;
    objections += ": " + error.description;
  }
  return objections;
}

}  // namespace slipstick::internal
