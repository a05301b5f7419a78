// What the self-test sorts: formats of records, keys and options, each with made-up records and what must come of them;
// and what it checks of files: written, packed, merged, compared and joined. These are made in the folder of its
// scratch space and removed again.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/options.hpp>
#include <sortie/temporary_names.hpp>

#include "cli/self_test/reference_sort.hpp"

namespace sortie::cli {

struct SortCheck {
  std::string_view name;
  std::vector<std::string> words;  ///< as on the command line
  Sample (*make)();                ///< always the same
  bool spills = true;              ///< whether a sort in little memory has runs on scratch: the CPU engine's, at least
  bool locale = false;             ///< whether the user's locale orders, not C
  std::string (*fault)(std::string_view expected, std::string_view actual) = difference;
};

/// Checks that sort plain lines by keys.
std::vector<SortCheck> line_checks();
/// Checks that sort lines with a form: times, JSON, entries of several lines.
std::vector<SortCheck> form_checks();
/// Checks that sort CSV, numbers and records of fixed length.
std::vector<SortCheck> record_checks();
/// A check with so many records that runs of a GPU that may use little of its memory are spilled.
SortCheck large_check();

struct FileContext {
  const SortOptions& resources;
  const std::string& folder;
  TemporaryNames& names;
};

struct FileCheck {
  std::string_view name;
  /// What is wrong, in a few words; empty if nothing is. Throws Error.
  std::string (*fault)(const FileContext& setting);
};

std::span<const FileCheck> file_checks();

}  // namespace sortie::cli
