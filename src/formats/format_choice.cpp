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

constexpr std::string_view kTokens = ".bin";

/// The index of Megatron that would lie beside these tokens.
std::string index_beside(const std::string& path) { return path.substr(0, path.size() - kTokens.size()) + ".idx"; }

/// Tokens of Megatron begin like nothing: the index beside them tells.
const FileFormat* format_of_index(FileSystem& files, const std::string& path) {
  if (!path.ends_with(kTokens)) return nullptr;
  const std::vector<std::byte> begin = read_begin(files, index_beside(path));
  return format_of({begin});
}

/// `why`: what speaks for `format`.
Assumption guess_of(const FileFormat& format, const std::string& path, const std::string& why, std::size_t inputs) {
  const std::string name(format.name);
  return {.kind = "format-by-name",
          .message = "input " + quote_path(path) + " is taken for " + name + " by its name: " + why +
                     "; say what it is by --format, such as --format=" + name,
          .count = 1,
          .of = inputs,
          .first_place = path};
}

ChosenFormat guessed_format(FileSystem& files, const std::string& path, std::size_t inputs) {
  if (const FileFormat* const format = format_called(path)) {
    return {format, guess_of(*format, path, "its first bytes do not show it", inputs)};
  }
  const FileFormat* const format = format_of_index(files, path);
  if (format == nullptr) return {};
  return {format, guess_of(*format, path, "beside it is " + quote_path(index_beside(path)), inputs)};
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

ChosenFormat chosen_format(FileSystem& files, const SortOptions& options, const FileFormatOptions& asked) {
  if (!asked.format.empty()) return {&format_named(asked.format)};
  const bool is_vcf = lines_are_vcf(options);
  const auto format_of_input = [&](const std::string& path) -> ChosenFormat {
    const std::vector<std::byte> begin = read_begin(files, path);
    if (const FileFormat* const found = format_of({begin, options.output, is_vcf})) return {found};
    return guessed_format(files, path, options.inputs.size());
  };
  ChosenFormat chosen = format_of_input(options.inputs.front());
  // One file of BCF among those of VCF makes all be read as it.
  for (std::size_t i = 1; is_vcf && chosen.format == nullptr && i < options.inputs.size(); ++i) {
    chosen = format_of_input(options.inputs[i]);
  }
  return chosen;
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

void refuse_name_of_other_format(const FileFormat& format, const std::string& output) {
  const FileFormat* const called = format_called(output);
  // SAM and CRAM are written where BAM is.
  if (called == nullptr || called->open == format.open) return;
  throw Error("the output " + quote_path(output) + " is called as a file of " + std::string(called->name) +
              " is, and the inputs are files of " + std::string(format.name) + ": name it otherwise");
}

void validate_for_format(const FileFormat& format, const SortOptions& options) {
  refuse_name_of_other_format(format, options.output);
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
  if (checked.sample_records != 0) {
    // A list of files of a format tells of no keys, which a sample of lines lacks: each is checked without the other.
    SortOptions of_all = checked;
    of_all.sample_records = 0;
    validate(of_all);
    checked.parts.manifest_path.clear();
  }
  validate(checked);
}

}  // namespace sortie::formats
