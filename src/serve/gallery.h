#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace slipstick::internal {

// One folder with results: of a run, a comparison, a sweep, …
struct GalleryRun {
  std::string folder;  // below the gallery's; empty: the folder itself
  std::string title, subtitle;
  enum class Verdict { kPassed, kNotPassed, kUnfinished } verdict = Verdict::kUnfinished;
  std::string report;     // path below the gallery's folder; empty: there is none
  std::string thumbnail;  // likewise: picture.png or thumbnail.png beside the report
};

// All folders with results in and below a folder, by name; links to other folders are not followed, and what cannot be
// read is left out.
std::vector<GalleryRun> FindRuns(const std::filesystem::path& folder);

// The page, whose files are below runs/ and whose plots are below plots/, each by its path in the folder. Scenes are
// pairs of name and title.
std::string GalleryPage(const std::string& folder, const std::vector<GalleryRun>& runs,
                        const std::vector<std::pair<std::string, std::string>>& scenes);

}  // namespace slipstick::internal
