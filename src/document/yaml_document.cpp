#include "slipstick/document/yaml_document.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <unordered_set>

#include "slipstick/base/text_bytes.h"

namespace slipstick::internal {
namespace {

// A scene of 100,000 bodies has about 3 million values. The limits keep a hostile file from eating the memory.
constexpr size_t kMostValues = 8'000'000;
constexpr size_t kMostAliasedValues = 1'000'000;
constexpr size_t kDeepest = 64;

// Ends the parse; carries what the one fault says.
struct Refusal {
  int line;
  std::string expected;
  std::string found;
};

int LineOf(const YAML::Mark& mark) { return mark.is_null() ? 0 : mark.line + 1; }

size_t CountValues(const DocumentNode& node) {
  size_t count = 1;
  for (const DocumentNode& item : node.items) count += CountValues(item);
  return count;
}

std::optional<double> AsNumber(const std::string& text) {
  size_t begin = 0;
  double sign = 1;
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
    sign = text[0] == '-' ? -1 : 1;
    begin = 1;
  }
  const std::string rest = text.substr(begin);
  if (rest == ".inf" || rest == ".Inf" || rest == ".INF") return sign * std::numeric_limits<double>::infinity();
  if (begin == 0 && (rest == ".nan" || rest == ".NaN" || rest == ".NAN"))
    return std::numeric_limits<double>::quiet_NaN();
  if (rest.empty() || !((rest[0] >= '0' && rest[0] <= '9') || rest[0] == '.')) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (error != std::errc() || end != rest.data() + rest.size()) return std::nullopt;
  return sign * value;
}

DocumentNode MakeScalar(const std::string& text, bool plain, int line) {
  DocumentNode node;
  node.line = line;
  node.text = text;
  node.kind = DocumentNode::Kind::kText;
  if (!plain) return node;
  if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL") {
    node.kind = DocumentNode::Kind::kNull;
  } else if (text == "true" || text == "True" || text == "TRUE" || text == "false" || text == "False" ||
             text == "FALSE") {
    node.kind = DocumentNode::Kind::kFlag;
    node.flag = text[0] == 't' || text[0] == 'T';
  } else if (const std::optional<double> number = AsNumber(text)) {
    node.kind = DocumentNode::Kind::kNumber;
    node.number = *number;
  }
  return node;
}

// Builds the tree from the parser's events.
class Builder : public YAML::EventHandler {
 public:
  Builder(const std::string& file, std::vector<Fault>* faults) : file_(file), faults_(faults) {}

  DocumentNode TakeRoot() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    DocumentNode node;
    node.line = LineOf(mark);
    Add(std::move(node), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end())
      throw Refusal{LineOf(mark), "an alias to a value that ended before", "an alias inside its own value"};
    aliased_values_ += CountValues(found->second);
    if (aliased_values_ > kMostAliasedValues)
      throw Refusal{LineOf(mark), fmt::format("aliases that stand for at most {} values in all", kMostAliasedValues),
                    "more"};
    Add(found->second, 0);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    // yaml-cpp gives the tag "?" to plain values and "!" to quoted ones
    Add(MakeScalar(value, tag == "?" || tag.empty(), LineOf(mark)), anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    Open(DocumentNode::Kind::kList, mark, anchor);
  }
  void OnSequenceEnd() override { Close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    Open(DocumentNode::Kind::kMap, mark, anchor);
  }
  void OnMapEnd() override { Close(); }

 private:
  struct Level {
    DocumentNode node;
    YAML::anchor_t anchor;
    std::optional<std::string> key;         // of a map, until its value comes
    std::unordered_set<std::string> known;  // keys so far
    bool skip_value = false;                // the key stood before
  };

  void Open(DocumentNode::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (stack_.size() >= kDeepest)
      throw Refusal{LineOf(mark), fmt::format("values nested at most {} deep", kDeepest), "deeper ones"};
    Level level;
    level.node.kind = kind;
    level.node.line = LineOf(mark);
    level.anchor = anchor;
    stack_.push_back(std::move(level));
  }

  void Close() {
    Level level = std::move(stack_.back());
    stack_.pop_back();
    Add(std::move(level.node), level.anchor);
  }

  std::string PathHere() const {
    std::string path;
    for (size_t i = 0; i < stack_.size(); ++i) {
      const Level& level = stack_[i];
      if (level.node.is_map()) {
        if (level.key) path = JoinPath(path, *level.key);
      } else if (i + 1 < stack_.size()) {
        // the item is not yet in the list, but its name may be known already
        const DocumentNode* name = stack_[i + 1].node.Find("name");
        const bool named = name != nullptr && name->is_text() && IsPlainName(name->text);
        path = JoinPath(path, named ? name->text : std::to_string(level.node.items.size()));
      }
    }
    return path;
  }

  void Add(DocumentNode node, YAML::anchor_t anchor) {
    if (++values_ > kMostValues) throw Refusal{node.line, fmt::format("at most {} values", kMostValues), "more"};
    if (anchor != 0) anchors_[anchor] = node;
    if (stack_.empty()) {
      root_ = std::move(node);
      return;
    }
    Level& level = stack_.back();
    if (level.node.is_list()) {
      level.node.items.push_back(std::move(node));
    } else if (!level.key) {
      if (!node.items.empty() || node.is_list() || node.is_map())
        throw Refusal{node.line, "a text as key", node.Describe()};
      level.key = node.text;
      level.skip_value = !level.known.insert(node.text).second;
      if (level.skip_value) faults_->push_back({file_, node.line, PathHere(), "each key once", "it stands here again"});
      key_line_ = node.line;
    } else {
      // A value that is missing stands on the line of its key.
      if (node.is_null()) node.line = key_line_;
      if (!level.skip_value) {
        level.node.keys.push_back(*level.key);
        level.node.items.push_back(std::move(node));
      }
      level.key.reset();
    }
  }

  const std::string& file_;
  std::vector<Fault>* faults_;
  DocumentNode root_;
  std::vector<Level> stack_;
  std::map<YAML::anchor_t, DocumentNode> anchors_;
  size_t values_ = 0;
  size_t aliased_values_ = 0;
  int key_line_ = 0;
};

void CheckIsText(const std::string& text) {
  if (text.size() > kLargestSceneFile)
    throw Refusal{0, fmt::format("at most {} MB", kLargestSceneFile >> 20), fmt::format("{} MB", text.size() >> 20)};
  if (const auto bad = FindNonText(text)) throw Refusal{bad->line, "text in UTF-8", bad->found};
}

}  // namespace

DocumentNode ParseYaml(const std::string& text, const std::string& file, std::vector<Fault>* faults) {
  Builder builder(file, faults);
  try {
    CheckIsText(text);
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) throw Refusal{0, "a YAML document", "an empty file"};
    DocumentNode root = builder.TakeRoot();
    std::vector<Fault> ignored;
    Builder rest(file, &ignored);
    if (parser.HandleNextDocument(rest)) throw Refusal{0, "one YAML document", "more than one"};
    return root;
  } catch (const Refusal& refusal) {
    faults->push_back({file, refusal.line, "", refusal.expected, refusal.found});
  } catch (const YAML::Exception& error) {
    faults->push_back({file, LineOf(error.mark), "", "YAML",
                       fmt::format("{}, at column {}", error.msg, error.mark.is_null() ? 0 : error.mark.column + 1)});
  }
  return {};
}

}  // namespace slipstick::internal
