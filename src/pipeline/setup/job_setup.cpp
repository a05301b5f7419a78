#include "pipeline/setup/job_setup.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <sortie/error.hpp>

#include "base/size.hpp"
#include "base/system_limits.hpp"
#include "pipeline/input/headed_input.hpp"
#include "pipeline/input/input_opener.hpp"
#include "pipeline/setup/engine_choice.hpp"
#include "record/csv/column_names.hpp"

namespace sortie {
namespace {

/// With less memory than this share of the input there are so many runs, each with a file and a list of blocks, that
/// they take more memory than is saved: a smaller budget counts as that much, up to the most.
constexpr std::uint64_t kLargestInputShare = 256;
constexpr std::uint64_t kMostRaisedBudget = 32 << 20;

Format with_columns_found(Format format, std::span<const std::byte> header) {
  if (!format.text.csv) return format;
  header = without_byte_order_mark(header);
  const std::size_t names_bytes = first_records(layout_of(format), header, 1);
  const std::string_view names(reinterpret_cast<const char*>(header.data()), names_bytes);
  format.text = with_columns_found(std::move(format.text), names);
  return format;
}

void refuse_contradictions(const SortOptions& options) {
  if (options.header_lines > 0 && options.format.kind != RecordKind::kLines) {
    throw Error("records of format '" + to_string(options.format) + "' have no header lines: drop --header");
  }
  if (options.keep_last && !options.unique && !options.count) throw Error("--keep=last needs --unique or --count");
  if (!options.count) return;
  if (options.format.kind != RecordKind::kLines) throw Error("--count needs --format=lines");
  if (options.format.text.csv) throw Error("--count does not go with --csv: with counts, records are no CSV");
}

/// Whether records with equal keys may differ.
bool key_is_part_of_record(const ResolvedOptions& resolved) {
  return resolved.decorator || resolved.options.format.kind == RecordKind::kFixed;
}

}  // namespace

unsigned thread_count(const SortOptions& options) {
  return options.threads != 0 ? options.threads : available_threads();
}

ResolvedOptions resolve(const SortOptions& options, std::span<const std::byte> header) {
  validate(options.format);
  refuse_contradictions(options);
  ResolvedOptions resolved;
  resolved.options = options;
  resolved.options.unique = options.unique || options.count;
  resolved.input_format = with_columns_found(options.format, header);
  if (needs_decoration(resolved.input_format)) {
    resolved.decorator = std::make_shared<const LineDecorator>(resolved.input_format, resolved.options.unique);
    resolved.options.format = resolved.decorator->decorated_format();
  } else {
    resolved.options.format = plain_format(resolved.input_format);
  }
  resolved.keeps_last = options.keep_last && key_is_part_of_record(resolved);
  if (resolved.options.inputs.empty()) resolved.options.inputs = {"-"};
  resolved.options.header_lines = header_records(options);
  resolved.threads = thread_count(options);
  const std::uint64_t default_bytes = std::max(kMinMemoryBytes, available_memory_bytes() / 4 * 3);
  resolved.memory_bytes = options.memory_bytes != 0 ? options.memory_bytes : default_bytes;
  resolved.most_memory_bytes = std::max(resolved.memory_bytes, default_bytes);
  if (options.merge_fan_in == 1) throw Error("a merge takes two runs at least: raise it with --batch-size");
  if (resolved.memory_bytes < kMinMemoryBytes) {
    throw Error("a memory budget of " + std::to_string(resolved.memory_bytes) + " bytes is too small: at least " +
                std::to_string(kMinMemoryBytes) + " are needed; raise it with --buffer-size");
  }
  return resolved;
}

std::uint64_t limited_fan_in(std::uint64_t fitting, const SortOptions& options) {
  return options.merge_fan_in == 0 ? fitting : std::min(fitting, options.merge_fan_in);
}

bool inputs_can_be_read_again(FileSystem& files, const SortOptions& options) {
  return !options.inputs.empty() && std::ranges::all_of(options.inputs, [&](const std::string& path) {
    return path != "-" && files.status(path).kind == FileStatus::Kind::kRegular;
  });
}

InputEstimate estimate_input(const ResolvedOptions& resolved, const RecordReader& reader) {
  InputEstimate estimate = estimate_input(reader, resolved.input_format, resolved.decorator.get());
  const std::uint64_t most_records = resolved.options.top_records;
  if (most_records == 0 || resolved.options.merge_only || estimate.record_bytes == 0 || !estimate.bytes)
    return estimate;
  // The records may be longer than is thought.
  const std::uint64_t record_bytes = 2 * estimate.record_bytes;
  if (*estimate.bytes / record_bytes > most_records) estimate.bytes = most_records * record_bytes;
  return estimate;
}

MemoryPlanInput memory_plan_input(const ResolvedOptions& resolved, const InputEstimate& estimate, bool records_on_host,
                                  unsigned engine_count) {
  MemoryPlanInput input;
  input.input_bytes = estimate.bytes.value_or(0);
  input.budget_bytes =
      std::max(resolved.memory_bytes, std::min(input.input_bytes / kLargestInputShare, kMostRaisedBudget));
  input.most_bytes = resolved.most_memory_bytes;
  input.record_bytes = estimate.record_bytes;
  input.mapped_bytes = estimate.mapped_bytes;
  input.host_record_overhead = host_record_overhead(resolved.options.format);
  input.records_on_host = records_on_host;
  input.engine_count = engine_count;
  input.decorates = resolved.decorator != nullptr;
  input.selects = resolved.options.top_records != 0 && !resolved.options.merge_only;
  return input;
}

MemoryPlan plan_for(const ResolvedOptions& resolved, const InputEstimate& estimate, bool records_on_host,
                    unsigned engine_count) {
  return plan_memory(memory_plan_input(resolved, estimate, records_on_host, engine_count));
}

}  // namespace sortie
