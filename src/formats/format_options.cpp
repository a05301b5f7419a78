#include "formats/format_options.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include <sortie/error.hpp>
#include <sortie/genome_order.hpp>

#include "base/quote.hpp"
#include "formats/file_format.hpp"
#include "io/input/compression_format.hpp"
#include "option/option_spec.hpp"

namespace sortie::formats {
namespace {

constexpr std::uint64_t kShareOfBuffers = 8;
constexpr std::uint64_t kLeastBufferBytes = 512 << 10;
constexpr std::uint64_t kMostBufferBytes = 64 << 20;
/// What an index may take beside the memory of any sort, and its share of that memory.
constexpr std::uint64_t kUsualIndexBytes = 16 << 20;
constexpr std::uint64_t kShareOfIndex = 16;

/// Options of SortOptions that a format takes only if it says so.
constexpr std::string_view kNotOfFormats =
    "header merge unique keep count repeated only-once union intersect except symmetric group top order sample split "
    "split-size split-records split-by together manifest output-level";

/// Whether `word` is one of `words`, which have blanks between them.
bool holds(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const std::string_view first = words.substr(0, words.find(' '));
    if (first == word) return true;
    words.remove_prefix(std::min(words.size(), first.size() + 1));
  }
  return false;
}

[[noreturn]] void refuse(const FileFormat& format, std::string_view name) {
  throw Error("--" + std::string(name) + " does not go with files of " + std::string(format.name) + ": leave it out");
}

}  // namespace

std::optional<std::string> JobContext::setting(std::string_view name) const {
  for (const FileSetting& given : asked.settings) {
    if (given.name == name) return given.value;
  }
  return std::nullopt;
}

void JobContext::assume(const Assumption& assumption) const {
  if (options.strict) throw Error("the sort would have to assume something: " + assumption.message, assumption.remedy);
  if (assumptions != nullptr) assumptions->push_back(assumption);
  if (warn) warn(assumption.message);
}

std::uint64_t JobContext::index_bytes() const { return kUsualIndexBytes + index_share_of(options, asked); }

void refuse_foreign_options(const FileFormat& format, const SortOptions& options, const FileFormatOptions& asked) {
  for (const option::Spec* const spec : option::given_in(options)) {
    const std::string_view name = spec->long_name;
    if (holds(kNotOfFormats, name) && !holds(format.takes, name)) refuse(format, name);
  }
  for (const FileSetting& setting : asked.settings) {
    if (!holds(format.takes, setting.name)) refuse(format, setting.name);
  }
  if (options.source || options.sink)
    throw Error("files of " + std::string(format.name) + " are named: give no source or sink");
}

bool lines_are_vcf(const SortOptions& options) {
  static const TextOrder order = genome_order(GenomeFile::kVcf, ChromosomeOrder::kUsual);
  return options.format.text.keys == order.keys;
}

int bgzf_level_of(const SortOptions& options) {
  const int level = settled_level(CompressionFormat::kBgzf, options.output_level);
  const int most = output_levels(CompressionFormat::kBgzf).most;
  if (level >= 1 && level <= most) return level;
  throw Error("an output level of " + std::to_string(level) + ": for BGZF it is from 1 to " + std::to_string(most));
}

bool writes_to_stream(const JobContext& context) {
  const std::string& output = context.options.output;
  return output == "-" || context.files.target_status(output).is_stream();
}

std::uint64_t buffer_bytes_of(const SortOptions& options) {
  if (options.memory_bytes == 0) return kMostBufferBytes;
  return std::clamp(options.memory_bytes / kShareOfBuffers, kLeastBufferBytes, kMostBufferBytes);
}

std::uint64_t index_share_of(const SortOptions& options, const FileFormatOptions& asked) {
  if (std::ranges::find(asked.settings, "index", &FileSetting::name) == asked.settings.end()) return 0;
  return options.memory_bytes == 0 ? kMostBufferBytes : options.memory_bytes / kShareOfIndex;
}

SortOptions record_options(const FileFormat& format, const SortOptions& options, std::uint64_t taken_bytes) {
  SortOptions records = options;
  records.format = Format();
  records.format.kind = RecordKind::kPrefixed;
  records.format.descending = options.format.descending;
  records.format.shuffle = options.format.shuffle && !format.makes_shuffle_keys;
  if (records.format.shuffle) records.format.text.random_seed = options.format.text.random_seed;
  records.inputs.clear();
  records.output = "-";
  records.parts = {};
  records.output_level = 0;
  records.merge_only = false;
  records.protected_files.clear();
  if (records.memory_bytes != 0) {
    records.memory_bytes -= std::min(taken_bytes, records.memory_bytes / 2);
    records.memory_bytes = std::max(records.memory_bytes, kMinMemoryBytes);
  }
  return records;
}

}  // namespace sortie::formats
