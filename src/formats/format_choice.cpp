#include "formats/format_choice.hpp"

#include <cstddef>
#include <string>
#include <vector>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "formats/file_begin.hpp"
#include "formats/registry.hpp"
#include "pipeline/setup/options_check.hpp"

namespace sortie::formats {

bool may_be_of_format(const SortOptions& options, const FileFormatOptions& asked) {
  return !asked.format.empty() || (asked.by_content && !options.inputs.empty() && !options.source);
}

const FileFormat& format_named(std::string_view name) {
  const FileFormat* const format = find_format(name);
  if (format != nullptr) return *format;
  throw Error("unknown format of files " + quote_word(std::string(name)) + ": known are " + std::string(kFileFormats));
}

const FileFormat* chosen_format(FileSystem& files, const SortOptions& options, const FileFormatOptions& asked) {
  if (!asked.format.empty()) return &format_named(asked.format);
  const std::string& first = options.inputs.front();
  const std::vector<std::byte> begin = read_begin(files, first);
  return format_of({begin, first});
}

SortOptions options_of_site(const SortOptions& options) {
  SortOptions site;
  site.inputs = options.inputs;
  site.source = options.source;
  site.sink = options.sink;
  site.objects = options.objects;
  site.memory_bytes = options.memory_bytes;
  site.threads = options.threads;
  site.scratch_directories = options.scratch_directories;
  site.stop = options.stop;
  site.temporary_names = options.temporary_names;
  return site;
}

void validate_for_format(const SortOptions& options) {
  SortOptions checked = options;
  checked.format.kind = RecordKind::kPrefixed;
  checked.unpack = false;
  checked.output_level = 0;
  checked.index.reset();
  validate(checked);
}

}  // namespace sortie::formats
