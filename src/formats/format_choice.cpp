#include "formats/format_choice.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "formats/file_begin.hpp"
#include "formats/format_options.hpp"
#include "formats/registry.hpp"
#include "pipeline/setup/options_check.hpp"

namespace sortie::formats {
namespace {

/// Lines are ordered by the locale although nobody asks for keys. Records of a format are not.
bool has_only_key_of_locale(const TextOrder& order) {
  return order.locale && order.keys.size() == 1 && order.keys.front() == TextKey{};
}

/// Tokens of Megatron are told by the index beside them.
const FileFormat* format_of_index(FileSystem& files, const std::string& path) {
  constexpr std::string_view kTokens = ".bin";
  if (!path.ends_with(kTokens)) return nullptr;
  const std::string index = path.substr(0, path.size() - kTokens.size()) + ".idx";
  const std::vector<std::byte> begin = read_begin(files, index);
  return format_of({begin, index});
}

}  // namespace

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
  const bool is_vcf = lines_are_vcf(options);
  const auto format_of_input = [&](const std::string& path) {
    const std::vector<std::byte> begin = read_begin(files, path);
    const FileFormat* const found = format_of({begin, path, options.output, is_vcf});
    return found == nullptr ? format_of_index(files, path) : found;
  };
  const FileFormat* format = format_of_input(options.inputs.front());
  // One file of BCF among those of VCF makes all be read as it.
  for (std::size_t i = 1; is_vcf && format == nullptr && i < options.inputs.size(); ++i) {
    format = format_of_input(options.inputs[i]);
  }
  return format;
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

SortOptions without_lines(const SortOptions& options) {
  SortOptions of_files = options;
  if (!lines_are_vcf(options)) return of_files;
  of_files.header_prefixes.clear();
  of_files.index.reset();
  return of_files;
}

void validate_for_format(const FileFormat& format, const SortOptions& options) {
  SortOptions checked = options;
  checked.format.kind = RecordKind::kPrefixed;
  if ((format.takes_vcf && lines_are_vcf(options)) || has_only_key_of_locale(options.format.text)) {
    checked.format.text = {};
  }
  if (!checked.format.text.keys.empty()) {
    throw Error("an order of lines is asked for, and the inputs are files of " + std::string(format.name) +
                ": leave it out");
  }
  checked.unpack = false;
  checked.output_level = 0;
  checked.index.reset();
  validate(checked);
}

}  // namespace sortie::formats
