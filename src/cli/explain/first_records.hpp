// Reads the first records of an input without sorting: what --explain shows the keys of, and where --columns finds
// names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <sortie/options.hpp>

namespace sortie::cli {

/// Records with what ends them, without a byte order mark that stays in front of them.
struct FirstRecords {
  /// The record that names the columns; empty if there is none.
  std::string names() const { return names_at < header.size() ? header[names_at] : std::string(); }
  /// That and what of the header follows it.
  std::string from_names() const {
    std::string text;
    for (std::size_t i = names_at; i < header.size(); ++i) text += header[i];
    return text;
  }

  std::vector<std::string> header;
  std::size_t names_at = 0;  ///< which of these names the columns; lines in front of CSV do not
  std::vector<std::string> records;
};

/// The header of the first input, which has a record at least if keys name columns, and the `count` records behind it,
/// as they come; fewer if there are fewer. Reads no further than that. Precondition: the format is lines. Throws Error.
FirstRecords first_records(const SortOptions& options, std::uint64_t count);

}  // namespace sortie::cli
