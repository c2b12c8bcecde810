#include "slipstick/serve/gallery.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "slipstick/base/escape_html.h"
#include "slipstick/serve/served_folder.h"

namespace slipstick::internal {
namespace {

constexpr int kDeepest = 6;                   // folders below the gallery's
constexpr std::size_t kMostFolders = 20'000;  // looked into: somebody may serve a whole disk

using Json = nlohmann::json;

std::string TextOf(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

// What a summary says of itself, whichever command wrote it.
void ReadSummary(const std::filesystem::path& file, GalleryRun* run) {
  std::ifstream stream(file);
  const Json json = Json::parse(stream, nullptr, false);
  if (!json.is_object()) return;
  const std::string format = TextOf(json, "format");
  if (!format.starts_with("slipstick-")) return;
  const bool passed = json.contains("passed") && json["passed"] == true;
  run->verdict = passed ? GalleryRun::Verdict::kPassed : GalleryRun::Verdict::kNotPassed;
  const std::string kind = format.substr(10, format.find(' ') - 10);
  const std::string scene = TextOf(json, "scene"), title = TextOf(json, "title");
  run->title = !title.empty() ? title : !scene.empty() ? scene : run->folder;
  if (kind == "summary") {
    run->subtitle = scene;
    if (json.contains("law") && json["law"].is_object()) run->subtitle += ", law " + TextOf(json["law"], "name");
  } else {
    run->subtitle = kind;
  }
}

// Nothing where the folder holds no results.
bool ReadRun(const std::filesystem::path& root, const std::string& below, GalleryRun* run) {
  const std::filesystem::path folder = below.empty() ? root : root / below;
  std::error_code ignored;
  const auto has = [&](const char* name) { return std::filesystem::is_regular_file(folder / name, ignored); };
  const auto place = [&](const char* name) { return below.empty() ? std::string(name) : below + "/" + name; };
  if (!has("summary.json") && !has("recording.h5")) return false;
  run->folder = below;
  run->title = below.empty() ? "results" : below;
  if (has("summary.json")) ReadSummary(folder / "summary.json", run);
  if (has("report.html")) run->report = place("report.html");
  for (const char* name : {"picture.png", "thumbnail.png"}) {
    if (has(name)) run->thumbnail = place(name);
  }
  return true;
}

void Search(const std::filesystem::path& root, const std::string& below, int depth, std::size_t* looked,
            std::vector<GalleryRun>* runs) {
  if (++*looked > kMostFolders) return;
  GalleryRun run;
  if (ReadRun(root, below, &run)) runs->push_back(std::move(run));
  if (depth == kDeepest) return;
  std::error_code error;
  std::vector<std::string> folders;
  for (std::filesystem::directory_iterator entry(below.empty() ? root : root / below, error), end;
       !error && entry != end; entry.increment(error)) {
    std::error_code ignored;
    const std::string name = entry->path().filename().string();
    if (entry->is_symlink(ignored) || !entry->is_directory(ignored) || name.starts_with(".")) continue;
    folders.push_back(below.empty() ? name : below + "/" + name);
  }
  std::sort(folders.begin(), folders.end());
  for (const std::string& folder : folders) Search(root, folder, depth + 1, looked, runs);
}

constexpr const char* kStyle = R"(
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --good: #0a7d5a; --bad: #c4490a; --quiet: #777; }
@media (prefers-color-scheme: dark) { :root { --good: #4fd1a5; --bad: #ff9a5c; --quiet: #999; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 0 auto; padding: 1rem 1.2rem 4rem; }
h1 { font-size: 1.5rem; margin: 1rem 0 0; } h2 { font-size: 1.15rem; margin: 2.2rem 0 .6rem; }
.quiet { color: var(--quiet); } code { font-size: .9em; background: var(--soft); padding: .1em .35em; border-radius: 4px; }
.runs { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: .9rem; padding: 0; list-style: none; }
.runs li { border: 1px solid var(--line); border-radius: 8px; overflow: hidden; display: flex; flex-direction: column; }
.runs a { color: inherit; text-decoration: none; display: block; padding: .8rem .9rem; flex: 1; }
.runs a:hover, .runs a:focus { background: var(--soft); }
.runs img { width: 100%; aspect-ratio: 2; object-fit: cover; display: block; border-bottom: 1px solid var(--line); background: #fff; }
.runs strong { display: block; overflow-wrap: anywhere; } .runs span { display: block; overflow-wrap: anywhere; font-size: .9rem; }
.passed { color: var(--good); } .failed { color: var(--bad); }
.runs div { padding: .8rem .9rem; }
table { border-collapse: collapse; } td { padding: .25rem 1rem .25rem 0; vertical-align: top; }
)";

std::string Card(const GalleryRun& run) {
  std::string text;
  // a picture where somebody made one, else a plot
  const std::string picture = !run.thumbnail.empty() ? "runs/" + EncodePath(run.thumbnail)
                              : !run.report.empty()  ? "plots/" + EncodePath(run.report)
                                                     : "";
  if (!picture.empty()) text += fmt::format("<img src=\"{}\" alt=\"\" loading=\"lazy\">", picture);
  const bool passed = run.verdict == GalleryRun::Verdict::kPassed;
  const std::string verdict = run.verdict == GalleryRun::Verdict::kUnfinished
                                  ? "<span class=\"quiet\">not finished</span>"
                              : passed ? "<span class=\"passed\">✓ passed</span>"
                                       : "<span class=\"failed\">✗ not passed</span>";
  const std::string inside =
      fmt::format("<strong>{}</strong><span class=\"quiet\">{}</span>{}<span class=\"quiet\">{}</span>",
                  EscapeHtml(run.title), EscapeHtml(run.subtitle), verdict, EscapeHtml(run.folder));
  text += run.report.empty() ? fmt::format("<div>{}</div>", inside)
                             : fmt::format("<a href=\"runs/{}\">{}</a>", EncodePath(run.report), inside);
  return "<li>" + text + "</li>\n";
}

}  // namespace

std::vector<GalleryRun> FindRuns(const std::filesystem::path& folder) {
  std::vector<GalleryRun> runs;
  std::size_t looked = 0;
  Search(folder, "", 0, &looked, &runs);
  return runs;
}

std::string GalleryPage(const std::string& folder, const std::vector<GalleryRun>& runs,
                        const std::vector<std::pair<std::string, std::string>>& scenes) {
  std::string page = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>slipstick: {0}</title>\n"
      "<link rel=\"icon\" href=\"data:,\">\n<style>{1}</style>\n</head>\n<body>\n"
      "<h1>slipstick</h1>\n<p class=\"quiet\">Results in <code>{0}</code></p>\n<h2>Runs</h2>\n",
      EscapeHtml(folder), kStyle);
  if (runs.empty()) {
    page +=
        fmt::format("<p>There are none yet. <code>slipstick run {}</code> makes one; then load this page again.</p>\n",
                    EscapeHtml(scenes.empty() ? "SCENE" : scenes.front().first));
  } else {
    page += "<ul class=\"runs\">\n";
    for (const GalleryRun& run : runs) page += Card(run);
    page += "</ul>\n";
  }
  page += "<h2>Scenes that could be run</h2>\n<table>\n";
  for (const auto& [name, title] : scenes) {
    page += fmt::format("<tr><td><code>slipstick run {}</code></td><td>{}</td></tr>\n", EscapeHtml(name),
                        EscapeHtml(title));
  }
  return page + "</table>\n</body>\n</html>\n";
}

}  // namespace slipstick::internal
