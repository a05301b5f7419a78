// What a caller can say of files that are more than their records, such as BAM or tar: taken by sort_files().
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sortie {

/// What one format alone knows, by the name of its option: {"by", "name"}.
struct FileSetting {
  std::string name;
  std::string value;  ///< empty for a setting that is given or not

  friend bool operator==(const FileSetting&, const FileSetting&) = default;
};

struct FileFormatOptions {
  /// A word of kFileFormats. Empty: none is asked for.
  std::string format = {};
  /// Without `format`, look at the first bytes and the name of the first input. If these are of no format, the files
  /// hold records and are sorted as sort() does.
  bool by_content = true;
  std::vector<FileSetting> settings = {};
  /// How the program was called, for formats that keep a record of what was done. Empty: not told.
  std::string command = {};

  friend bool operator==(const FileFormatOptions&, const FileFormatOptions&) = default;
};

/// The formats, as --format and FileFormatOptions::format name them, with blanks between: a registry of readers and
/// writers holds the same (src/formats/README.md).
inline constexpr std::string_view kFileFormats = "bam sam cram tar megatron npy tokens";

}  // namespace sortie
