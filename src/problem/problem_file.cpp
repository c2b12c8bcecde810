#include "slipstick/problem/problem_file.h"

#include <array>
#include <fstream>
#include <string_view>
#include <type_traits>
#include <utility>

#include "slipstick/base/fault.h"
#include "slipstick/problem/siconos_text.h"
#include "slipstick/storage/hdf5_reader.h"

namespace slipstick::internal {
namespace {

// The first bytes of every HDF5 file that this program or FCLIB writes.
bool IsHdf5(const std::filesystem::path& file) {
  constexpr std::string_view kSignature("\x89HDF\r\n\x1a\n", 8);
  std::array<char, kSignature.size()> start{};
  std::ifstream stream(file, std::ios::binary);
  stream.read(start.data(), start.size());
  return std::string_view(start.data(), static_cast<std::size_t>(stream.gcount())) == kSignature;
}

template <typename Variant>
LoadedProblem Widen(Variant&& problem) {
  return std::visit([](auto&& kind) -> LoadedProblem { return std::forward<decltype(kind)>(kind); },
                    std::forward<Variant>(problem));
}

[[noreturn]] void FailToSave(const std::filesystem::path& file, const std::string& found) {
  throw InputError({Fault{.file = file.string(), .expected = "a problem that FCLIB has a place for", .found = found}});
}

}  // namespace

LoadedProblem LoadProblem(const std::filesystem::path& file) {
  if (!IsHdf5(file)) return Widen(ReadSiconosText(file));
  if (Hdf5Reader(file).HasGroup(kContactProblemGroup)) return LoadContactProblem(file).problem;
  return Widen(ReadFclib(file).problem);
}

void SaveFclib(const std::filesystem::path& file, const LoadedProblem& problem, const ProblemInfo& info) {
  FclibContent content{.problem = {}, .info = info, .solution = {}};
  std::visit(
      [&](const auto& kind) {
        using Kind = std::decay_t<decltype(kind)>;
        if constexpr (std::is_same_v<Kind, MixedProblem>) {
          FailToSave(file, "a mixed complementarity problem");
        } else if constexpr (std::is_same_v<Kind, ContactProblem>) {
          std::optional<GlobalProblem> global = ToGlobalProblem(kind);
          if (!global) FailToSave(file, "rows with a bounded impulse");
          content.problem = *std::move(global);
        } else {
          content.problem = kind;
        }
      },
      problem);
  WriteFclib(file, content);
}

}  // namespace slipstick::internal
