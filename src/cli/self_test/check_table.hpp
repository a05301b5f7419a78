// What the self-test sorts: formats of records, keys and options, each with made-up records and what must come of them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/self_test/reference_sort.hpp"
#include "cli/self_test/samples.hpp"

namespace sortie::cli {

struct SortCheck {
  std::string_view name;
  std::vector<std::string> words;  ///< as on the command line
  Sample (*make)();                ///< always the same
  bool spills = true;              ///< whether a sort in little memory has runs on scratch: the CPU engine's, at least
  bool locale = false;             ///< whether the user's locale orders, not C
  std::string (*fault)(std::string_view expected, std::string_view actual) = difference;
};

std::span<const SortCheck> sort_checks();

/// So many records that the runs of a GPU lie on scratch, too, if it may use little of its memory.
const SortCheck& large_check();

}  // namespace sortie::cli
