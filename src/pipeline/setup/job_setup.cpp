#include "pipeline/setup/job_setup.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/size.hpp"
#include "base/system_limits.hpp"
#include "pipeline/input/headed_input.hpp"
#include "pipeline/input/input_opener.hpp"
#include "pipeline/setup/engine_choice.hpp"
#include "record/csv/column_names.hpp"
#include "record/number_order.hpp"

namespace sortie {
namespace {

/// Address space that a thread may reserve for its stack and its memory. With less to spare, another thread does not
/// pay.
constexpr std::uint64_t kAddressSpaceOfThread = 64 << 20;

/// Address space that the program takes beside the data.
constexpr std::uint64_t kOwnAddressSpace = 64 << 20;

/// A smaller input is sorted before another thread has begun.
constexpr std::uint64_t kLeastSharedBytes = 64 << 10;

/// With less memory than this share of the input, there would be so many runs, each with a file and a list of blocks,
/// that they take more memory than is saved. A smaller budget is raised to this share, at most to kMostRaisedBudget.
constexpr std::uint64_t kLargestInputShare = 256;
constexpr std::uint64_t kMostRaisedBudget = 32 << 20;

/// Each run that is merged is decompressed by a process of its own. GNU sort runs as many at once.
constexpr std::uint64_t kMostPrograms = 16;
/// The ends of two pipes.
constexpr std::uint64_t kDescriptorsOfProgram = 4;

Format with_columns_found(Format format, std::span<const std::byte> header) {
  if (!format.text.csv) return format;
  header = without_byte_order_mark(header);
  const std::size_t names_bytes = first_records(layout_of(format), header, 1);
  const std::string_view names(reinterpret_cast<const char*>(header.data()), names_bytes);
  format.text = with_columns_found(std::move(format.text), names);
  return format;
}

/// Arrays of numbers that engines do not take, big-endian and short ones, become records with one field.
Format as_engines_take_it(Format format) {
  if (format.kind == RecordKind::kArray && !is_number_order(RecordOrder(format))) format.kind = RecordKind::kFixed;
  return format;
}

/// The budget asked for, or three quarters of the available memory if that is 0. If address space is limited, the
/// budget leaves room for the program itself.
std::uint64_t memory_budget(std::uint64_t asked_bytes) {
  const std::uint64_t space = available_address_space();
  const std::uint64_t most_bytes = std::max(kMinMemoryBytes, (space - std::min(space / 2, kOwnAddressSpace)) / 4 * 3);
  const std::uint64_t wanted =
      asked_bytes != 0 ? asked_bytes : std::max(kMinMemoryBytes, available_memory_bytes() / 4 * 3);
  return std::min(wanted, most_bytes);
}

/// Whether records with equal keys may differ.
bool key_is_part_of_record(const ResolvedOptions& resolved) {
  return resolved.decorator || resolved.options.format.kind == RecordKind::kFixed;
}

}  // namespace

unsigned thread_count(const SortOptions& options) {
  if (options.threads == 0 && file_bytes(options.inputs).value_or(kLeastSharedBytes) < kLeastSharedBytes) return 1;
  const std::uint64_t affordable = std::max<std::uint64_t>(1, available_address_space() / kAddressSpaceOfThread);
  const std::uint64_t wanted = options.threads != 0 ? options.threads : available_threads();
  return static_cast<unsigned>(std::min({wanted, affordable, std::uint64_t{kMostThreads}}));
}

ResolvedOptions resolve(const SortOptions& options, std::span<const std::byte> header) {
  ResolvedOptions resolved;
  resolved.options = options;
  resolved.options.unique = options.unique || options.count;
  resolved.input_format = with_columns_found(as_engines_take_it(options.format), header);
  resolved.decorator = LineDecorator::make(resolved.input_format, resolved.options.unique);
  if (resolved.decorator) {
    resolved.options.format = resolved.decorator->decorated_format();
  } else {
    resolved.options.format = plain_format(resolved.input_format);
  }
  resolved.keeps_last = options.keep_last && key_is_part_of_record(resolved);
  if (resolved.options.inputs.empty()) resolved.options.inputs = {"-"};
  resolved.options.header_lines = header_records(options);
  resolved.threads = thread_count(options);
  const std::uint64_t usual_bytes = memory_budget(0);
  resolved.memory_bytes = options.memory_bytes == 0 ? usual_bytes : memory_budget(options.memory_bytes);
  resolved.most_memory_bytes = std::max(resolved.memory_bytes, usual_bytes);
  return resolved;
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

InputEstimate estimate_input(const ResolvedOptions& resolved, const RecordReader& reader) {
  InputEstimate estimate = estimate_input(reader, resolved.input_format, resolved.decorator.get());
  const std::uint64_t most_records = resolved.options.top_records;
  if (most_records == 0 || resolved.options.merge_only || estimate.record_bytes == 0 || !estimate.bytes)
    return estimate;
  // The records may be longer than estimated.
  const std::uint64_t record_bytes = 2 * estimate.record_bytes;
  if (*estimate.bytes / record_bytes > most_records) estimate.bytes = most_records * record_bytes;
  return estimate;
}

EngineDemand engine_demand(const ResolvedOptions& resolved, const InputEstimate& estimate) {
  const SortOptions& options = resolved.options;
  EngineDemand demand{estimate.bytes, estimate.record_bytes, options.merge_only};
  if (options.merge_only) demand.bytes = file_bytes(options.inputs);
  return demand;
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
