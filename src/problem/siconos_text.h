#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <variant>

#include "slipstick/problem/friction_problem.h"
#include "slipstick/problem/mixed_problem.h"

namespace slipstick::internal {

// The text files (.dat) of Siconos, docs/file-formats.md. They do not say what they hold; this tells it:
//
//   mixed LCP   starts with two flags 0 or 1, not both 0, sizes n and m, and, where the first flag is set, block
//               borders that start with 0;
//   LCP         starts with n, a storage, n, n;
//   friction    starts with 2, 3, 5 or 6 rows a contact, contacts, a storage, rows, columns;
//   local       a friction problem whose matrix has a row for each row of the contacts and is followed by at most the
//               numbers of q, mu (and mu_r, mu_s) and one flag;
//   global      every other friction problem.
//
// A friction problem whose storage is 2 (sparse) has "CSparse" as its seventh word: that tells the LCP of size 2 from
// it, the only one that starts alike.
using SiconosProblem = std::variant<LocalProblem, GlobalProblem, MixedProblem>;

// Throws InputError with the line of the first fault, or with all faults of the numbers once they are read.
SiconosProblem ReadSiconosText(const std::filesystem::path& file);
// The same for a text at hand, called `name` in faults.
SiconosProblem ParseSiconosText(std::string_view text, const std::string& name);

}  // namespace slipstick::internal
