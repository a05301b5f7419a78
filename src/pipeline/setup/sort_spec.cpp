#include "pipeline/setup/sort_spec.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <ctime>
#include <memory>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>

#include "base/quote.hpp"
#include "base/random_bits.hpp"
#include "base/retry_interrupted.hpp"
#include "base/size.hpp"
#include "base/system_limits.hpp"
#include "base/thread_team.hpp"
#include "io/output/compressed_output.hpp"
#include "pipeline/input/shared_header.hpp"
#include "pipeline/setup/chain_shape.hpp"
#include "record/csv/column_names.hpp"
#include "record/number_order.hpp"
#include "record/record_scan.hpp"
#include "record/text/guess_subjects.hpp"
#include "record/text/vcf_header.hpp"

namespace sortie {
namespace {

/// Address space that a thread may reserve for its stack and its memory. With less to spare, another thread does not
/// pay.
constexpr std::uint64_t kAddressSpaceOfThread = 64 << 20;

/// Address space that the program takes beside the data.
constexpr std::uint64_t kOwnAddressSpace = 64 << 20;

/// Hardly a machine or container cannot spare so much memory. Inputs of up to kSmallInputBytes mostly need far less,
/// and those with many keys are spilled: how much memory there is takes the system longer to say than GNU sort takes to
/// sort 1000 lines.
constexpr std::uint64_t kSurelySpareBytes = 96 << 20;
constexpr std::uint64_t kSmallInputBytes = 2 << 20;

/// One thread takes 4.8 ms of a processor for 2 MB of lines with keys, two take 6.2, and the start of the second one
/// must be waited for.
constexpr std::uint64_t kLeastSharedBytes = 2 << 20;

/// The share of the memory budget that packing may take.
constexpr std::uint64_t kPackingShare = 8;

/// Each run that is merged is decompressed by a process of its own. GNU sort runs as many at once.
constexpr std::uint64_t kMostPrograms = 16;
/// The ends of two pipes.
constexpr std::uint64_t kDescriptorsOfProgram = 4;

/// The header of the inputs, and what says which of its records names the columns.
struct FoundHeader {
  std::span<const std::byte> bytes;
  HeaderRule rule;

  std::string_view text() const { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
  /// All but the lines in front of CSV, and the byte order mark.
  std::string_view from_names(const Format& format) const { return header_names(layout_of(format), rule, text()); }
  /// The first record of these.
  std::string_view names(const Format& format) const {
    const std::string_view records = from_names(format);
    return records.substr(0, first_records(layout_of(format), std::as_bytes(std::span(records)), 1));
  }
  /// Lines in front of the names of CSV: they stay there.
  std::string_view before_names(const Format& format) const {
    if (!format.text.csv || rule.prefixes.empty()) return {};
    return text().substr(0, text().size() - from_names(format).size());
  }
};

/// The format with what the header says of its keys.
Format with_header_read(Format format, const FoundHeader& header) {
  if (!format.text.csv) {
    format.text = with_contigs_found(std::move(format.text), header.text());
    return format;
  }
  format.text = with_columns_found(std::move(format.text), header.from_names(format));
  return format;
}

/// The same for a key that is no part of the order.
TextKey with_column_found(const TextKey& key, const Format& format, const FoundHeader& header) {
  if (!format.text.csv) return key;
  TextOrder order = format.text;
  order.keys = {key};
  return with_columns_found(std::move(order), header.from_names(format)).keys.front();
}

Grouping with_columns_found(Grouping grouping, const Format& format, const FoundHeader& header) {
  if (!format.text.csv) return grouping;
  TextOrder field_order = format.text;
  field_order.keys.clear();
  for (const Aggregate& aggregate : grouping.aggregates) field_order.keys.push_back(aggregate.field);
  field_order = with_columns_found(std::move(field_order), header.from_names(format));
  for (std::size_t i = 0; i < field_order.keys.size(); ++i) grouping.aggregates[i].field = field_order.keys[i];
  return grouping;
}

/// Calls `read`, which looks for columns in a header. Throws its Error with the name of the input.
template <class Read>
auto naming_input(const SortOptions& options, const Read& read) {
  try {
    return read();
  } catch (const Error& error) {
    if (options.source) throw;
    const std::string input = options.inputs.empty() ? "-" : quote_path(options.inputs.front());
    throw Error(input + ": " + error.what(), error.remedy());
  }
}

/// Lines whose keys show alike are one group: where blanks separate fields, those in front of a key do not count.
TextOrder with_blanks_skipped(TextOrder order) {
  if (!order.separator.empty() || order.csv || order.json) return order;
  for (TextKey& key : order.keys) {
    const bool is_whole_line = key.begin == TextPosition{} && !key.end;
    if (key.begin.byte == 0 && !is_whole_line) key.begin.skip_blanks = true;
  }
  return order;
}

/// Records become groups: what is sorted in their place, and how it is shown.
void resolve_groups(SortSpec& spec, const FoundHeader& header) {
  spec.input_format.text = with_blanks_skipped(std::move(spec.input_format.text));
  const Format& format = spec.input_format;
  const SortOptions& options = spec.options;
  const Grouping found = naming_input(options, [&] { return with_columns_found(*options.grouping, format, header); });
  spec.codec = std::make_shared<const RecordCodec>(format, true, &found, guess_subjects(options));
  std::string_view names = header.names(format);
  std::string_view line_end(&format.delimiter, 1);
  if (names.ends_with("\r\n") && format.text.csv) line_end = "\r\n";
  // Lines that are told by their prefixes name no columns.
  const bool has_names = !names.empty() && (format.text.csv || spec.options.header_prefixes.empty());
  if (!names.empty()) names.remove_suffix(line_end.size());
  const std::vector<std::string> texts = has_names ? spec.codec->names_of_groups(names) : std::vector<std::string>();
  spec.group_text = std::make_shared<const GroupText>(format, found, texts, line_end);
  if (has_names || header.rule.prefixes.empty()) {
    spec.group_header.assign(header.before_names(format)).append(spec.group_text->header());
  } else {
    spec.group_header.assign(header.text());
  }
}

/// Arrays of numbers that engines do not take, big-endian and short ones, become records with one field; so do those
/// whose keys are counted or passed on. Shuffled ones become records without a field.
Format as_engines_take_it(Format format, bool shows_keys) {
  if (format.kind != RecordKind::kArray) return format;
  if (format.shuffle) format.fields.clear();
  if (format.shuffle || shows_keys || !is_number_order(RecordOrder(format))) format.kind = RecordKind::kFixed;
  return format;
}

/// The budget for inputs of this size, if none is asked for.
std::uint64_t usual_budget(std::optional<std::uint64_t> input_bytes) {
  if (input_bytes && *input_bytes <= kSmallInputBytes) return kSurelySpareBytes;
  return std::max(kMinMemoryBytes, available_memory_bytes() / 4 * 3);
}

/// `budget_bytes`, or less if address space or data are limited: that leaves room for the program itself.
std::uint64_t limited_budget(std::uint64_t budget_bytes) {
  const std::uint64_t space = available_address_space();
  return std::min(budget_bytes, std::max(kMinMemoryBytes, (space - std::min(space / 2, kOwnAddressSpace)) / 4 * 3));
}

bool examine(const std::string& path, struct stat& status) {
  return retry_interrupted([&] { return ::stat(path.c_str(), &status); }) == 0;
}

bool has_key_of(const TextOrder& order, TextKind kind) {
  return std::ranges::any_of(order.keys, [&](const TextKey& key) { return key.kind == kind; });
}

RandomSeed made_up_seed() { return std::bit_cast<RandomSeed>(std::array{random_bits(), random_bits()}); }

/// Whether records with equal keys may differ.
bool key_is_part_of_record(const SortSpec& spec) {
  return spec.codec->makes_keys() || spec.options.format.kind == RecordKind::kFixed;
}

}  // namespace

CompressionFormat packed_format(const SortOptions& options) {
  return options.unpack ? recognise_suffix(options.output) : CompressionFormat::kNone;
}

std::optional<std::uint64_t> file_bytes(const std::vector<std::string>& inputs) {
  if (inputs.empty()) return std::nullopt;
  std::uint64_t total_bytes = 0;
  for (const std::string& path : inputs) {
    struct stat status {};
    if (path == "-" || !examine(path, status) || !S_ISREG(status.st_mode)) return std::nullopt;
    total_bytes += static_cast<std::uint64_t>(status.st_size);
  }
  return total_bytes;
}

std::int32_t day_after_last_change(const std::vector<std::string>& inputs) {
  std::time_t changed = 0;
  for (const std::string& path : inputs) {
    struct stat status {};
    const bool is_file = path != "-" && examine(path, status) && S_ISREG(status.st_mode);
    changed = std::max(changed, is_file ? status.st_mtime : std::time(nullptr));
  }
  if (inputs.empty()) changed = std::time(nullptr);
  const auto day = std::chrono::floor<std::chrono::days>(std::chrono::sys_seconds(std::chrono::seconds(changed)));
  return static_cast<std::int32_t>(day.time_since_epoch().count()) + 1;
}

bool needs_seed(const Format& format) {
  return !format.text.random_seed && (format.shuffle || is_ordered_by_seed(format.text));
}

SortOptions with_order_settled(SortOptions options, const std::optional<RandomSeed>& kept_seed) {
  TextOrder& order = options.format.text;
  if (!order.last_day && has_key_of(order, TextKind::kTime)) {
    order.last_day = day_after_last_change(options.source ? std::vector<std::string>() : options.inputs);
  }
  if (needs_seed(options.format)) order.random_seed = kept_seed ? *kept_seed : made_up_seed();
  if (options.sample_records != 0 && !options.sample_seed) options.sample_seed = made_up_seed();
  return options;
}

SortOptions with_warnings_once(SortOptions options) {
  if (!options.warn) return options;
  struct Said {
    std::mutex mutex;
    std::set<std::string> messages;
  };
  options.warn = [warn = std::move(options.warn), said = std::make_shared<Said>()](const Warning& warning) {
    const std::scoped_lock lock(said->mutex);
    if (said->messages.insert(warning.message).second) warn(warning);
  };
  return options;
}

unsigned thread_count(const SortOptions& options) {
  const auto known_bytes = options.source ? std::nullopt : file_bytes(options.inputs);
  if (options.threads == 0 && known_bytes.value_or(kLeastSharedBytes) < kLeastSharedBytes) return 1;
  const std::uint64_t affordable = std::max<std::uint64_t>(1, available_address_space() / kAddressSpaceOfThread);
  const std::uint64_t asked = options.threads != 0 ? options.threads : available_threads();
  const auto wanted = static_cast<unsigned>(std::min({asked, affordable, std::uint64_t{kMostThreads}}));
  return ThreadTeam::most_threads(wanted);
}

SortSpec resolve(const SortOptions& options, std::span<const std::byte> header_bytes, RecordForm form) {
  const FoundHeader header{header_bytes, header_rule(options)};
  SortSpec spec;
  spec.form = form;
  spec.options = options;
  const bool implies_unique =
      options.count || options.set_operation != SetOperation::kNone || spec.shows_some_keys() || options.grouping;
  spec.options.unique = options.unique || implies_unique;
  const bool shows_keys = spec.shows_some_keys() || form != RecordForm::kPlain;
  spec.input_format =
      naming_input(options, [&] { return with_header_read(as_engines_take_it(options.format, shows_keys), header); });
  const RecordForm encoded_for = spec.tells_inputs_apart() ? RecordForm::kPositioned : form;
  if (options.grouping) {
    resolve_groups(spec, header);
  } else {
    spec.codec = std::make_shared<const RecordCodec>(
        RecordCodec::make(spec.input_format, spec.options.unique, encoded_for, guess_subjects(options)));
  }
  spec.options.format = spec.codec->sorted_format();
  spec.keeps_last = options.keep_last && key_is_part_of_record(spec);
  if (options.parts.weight) {
    spec.options.parts.weight =
        naming_input(options, [&] { return with_column_found(*options.parts.weight, options.format, header); });
  }
  if (options.keep_best) {
    const TextKey key =
        naming_input(options, [&] { return with_column_found(*options.keep_best, options.format, header); });
    spec.best = std::make_shared<const BestOfEqual>(options.format, key);
  }
  if (spec.options.inputs.empty()) spec.options.inputs = {"-"};
  spec.options.header_lines = header_records(options);
  const ThreadTeam* const team = ThreadTeam::current();  // its threads have been counted already
  spec.threads = options.threads == 0 && team != nullptr ? team->threads() : thread_count(options);
  return spec;
}

std::uint64_t whole_budget(std::uint64_t memory_bytes, std::optional<std::uint64_t> input_bytes) {
  return limited_budget(memory_bytes == 0 ? usual_budget(input_bytes) : memory_bytes);
}

MemoryBudget memory_budget(const SortSpec& spec, std::optional<std::uint64_t> input_bytes) {
  const SortOptions& options = spec.options;
  MemoryBudget budget;
  // To ask how much memory is free takes as long as to sort a thousand lines.
  const std::uint64_t usual_bytes = whole_budget(0, input_bytes);
  const std::uint64_t whole_bytes = options.memory_bytes == 0 ? usual_bytes : limited_budget(options.memory_bytes);
  budget.memory_bytes = share_of_chain(whole_bytes, chain_length(options));
  budget.most_bytes = std::max(budget.memory_bytes, usual_bytes);
  const std::uint64_t wanted_bytes = packing_bytes(packed_format(options), options.output_level, spec.threads);
  budget.packing_bytes =
      std::min(wanted_bytes - std::min(wanted_bytes, Packing::kUsualPackingBytes), budget.memory_bytes / kPackingShare);
  return budget;
}

std::uint64_t limited_fan_in(std::uint64_t fitting, const SortOptions& options) {
  if (options.compress_program) {
    fitting =
        std::min(fitting, std::clamp<std::uint64_t>(free_descriptors() / kDescriptorsOfProgram, 2, kMostPrograms));
  }
  return options.merge_fan_in == 0 ? fitting : std::min(fitting, options.merge_fan_in);
}

bool inputs_can_be_read_again(FileSystem& files, const SortOptions& options) {
  return !options.inputs.empty() && std::ranges::all_of(options.inputs, [&](const std::string& path) {
    return path != "-" && files.status(path).kind == FileStatus::Kind::kRegular;
  });
}

}  // namespace sortie
