// The facts about a file that a sort must not change, as a small JSON file. It is made of the input, kept, and
// compared with the output, even if the input is gone by then. Written and read by sortie_check.cpp.
#pragma once

#include <optional>
#include <string>

#include "io/files/file.hpp"
#include "record/layout.hpp"
#include "tools/check/tally.hpp"

namespace sortie::tools {

struct Summary {
  Layout layout;
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;
  Checksum checksum;

  friend bool operator==(const Summary&, const Summary&) = default;
};

Summary make_summary(const Layout& layout, const Tally& tally);

std::string to_json(const Summary& summary);
/// Throws Error that begins with `name` if the text is not a summary.
Summary summary_from_json(const std::string& text, const std::string& name);

void write_summary(FileSystem& files, const std::string& path, const Summary& summary);
Summary read_summary(FileSystem& files, const std::string& path);

/// Says why a file with the summary `output` cannot be a sorted `input`; nothing if it can. Throws Error if the two
/// were not cut into records in the same way.
std::optional<std::string> describe_difference(const Summary& output, const Summary& input);

}  // namespace sortie::tools
