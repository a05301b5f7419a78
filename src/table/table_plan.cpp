#include "table/table_plan.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "base/system_limits.hpp"
#include "base/thread_team.hpp"
#include "table/held_columns.hpp"
#include "table/ranked_keys.hpp"

namespace sortie::table {
namespace {

/// No column of a batch has more bytes than all records of its rows, so that 32-bit offsets reach.
constexpr std::uint64_t kMostBytes = std::numeric_limits<std::int32_t>::max();
constexpr std::uint64_t kUsualRows = 1 << 16;
constexpr std::uint64_t kUsualBytes = 4 << 20;
/// Columns of a batch should hold more than what each of them costs besides.
constexpr std::uint64_t kUsualColumnBytes = 16 << 10;

/// Held rows take no more than this part of the memory of a sort.
constexpr std::uint64_t kShareOfHeld = 8;
constexpr std::uint64_t kSurelyHeldBytes = 4 << 20;

/// So much memory of batches is kept at most, and no more than this part of the memory of a sort: some batches of the
/// usual size are on their way to be encoded.
constexpr std::uint64_t kMostKeptBytes = 8 * kUsualBytes;
constexpr std::uint64_t kShareOfKept = 32;
/// Sorts in less memory than this need all of it.
constexpr std::uint64_t kLeastThatKeeps = 1 << 20;

constexpr std::uint64_t kAnyNumber = std::numeric_limits<std::uint64_t>::max();

/// How many values an array of the type holds in any case; 0 if that depends on what they are. Run ends of 16 bits
/// number no more than 32767 values.
std::uint64_t most_values(const TableType& type) {
  std::uint64_t most = kAnyNumber;
  for (const TableType& child : type.children) most = std::min(most, most_values(child));
  switch (type.storage) {
    case Storage::kRunEnd:
      return type.width == sizeof(std::int16_t) ? std::min<std::uint64_t>(most, INT16_MAX) : most;
    case Storage::kFixedList:
      return most == kAnyNumber || type.list_size == 0 ? kAnyNumber : most / static_cast<std::uint64_t>(type.list_size);
    case Storage::kList:
    case Storage::kListView:
    case Storage::kDictionary:
      return most == kAnyNumber ? kAnyNumber : 0;
    default:
      return most;
  }
}

/// What a null takes in columns, up to kMostBytes.
std::uint64_t null_bytes(const TableType& type) {
  std::uint64_t bytes = 0;
  if (type.storage != Storage::kDictionary) {
    for (const TableType& child : type.children) bytes = std::min(bytes + null_bytes(child), kMostBytes);
  }
  switch (type.storage) {
    case Storage::kStruct:
    case Storage::kSparseUnion:
      return bytes;
    case Storage::kFixedList:
      return bytes *
             std::min(static_cast<std::uint64_t>(type.list_size), kMostBytes / std::max<std::uint64_t>(bytes, 1));
    case Storage::kFixed:
    case Storage::kBinary:
    case Storage::kBinaryView:
    case Storage::kList:
    case Storage::kListView:
    case Storage::kDictionary:
      return type.width;
    default:
      return 0;
  }
}

bool has_lists(const TableType& type) {
  return type.storage != Storage::kDictionary && (type.is_list() || std::ranges::any_of(type.children, has_lists));
}

BatchLimit batch_limit(const TableSchema& schema, std::optional<std::uint64_t> rows) {
  const std::uint64_t usual_bytes = std::clamp(kUsualColumnBytes * schema.columns.size(), kUsualBytes, kMostBytes);
  BatchLimit limit{rows.value_or(kUsualRows), rows ? kMostBytes : usual_bytes};
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    const std::uint64_t most = most_values(schema.columns[i]);
    if (most == 0) {
      throw Error("column " + quote_word(schema.names[i]) + ": run ends of 16 bits in a " + schema.columns[i].shown() +
                  " may be too small for the values of a sorted batch: cast them to 32 bits");
    }
    limit.rows = std::min(limit.rows, most);
  }
  return limit;
}

SortOptions sort_options(const TableOptions& options, const RowLayout& layout) {
  SortOptions sort = options.sort;
  if (sort.format != Format()) throw Error("the schema tells how rows are sorted: give keys and no format");
  if (sort.header_lines != 0 || !sort.header_prefixes.empty())
    throw Error("a table has no header lines: its schema has the names");
  if (sort.count) throw Error("rows of a table cannot be counted: use unique to keep one of those with equal keys");
  sort.format = record_format(layout);
  return sort;
}

/// Whether a sort of places does what is asked for: all rows in order, and nobody listens meanwhile.
bool is_plain(const SortOptions& sort) {
  const bool keeps_all = !sort.unique && !sort.keep_last && sort.key_filter == KeyFilter::kAll &&
                         sort.set_operation == SetOperation::kNone && !sort.grouping && sort.top_records == 0 &&
                         sort.sample_records == 0 && sort.output_order == OutputOrder::kKeys && !sort.merge_only;
  const bool is_pushed = sort.inputs.empty() && !sort.source && !sort.sink && sort.output == "-";
  const bool is_on_cpu = sort.engine != EngineChoice::kGpu && sort.devices.empty() && !sort.all_devices;
  const bool is_silent = !sort.watch && sort.progress == ProgressMode::kNever && sort.trace_path.empty() &&
                         sort.stats_json_path.empty() && sort.report_path.empty();
  return keeps_all && is_pushed && is_on_cpu && is_silent && sort.checkpoint_directory.empty();
}

bool may_be_held(const TableSchema& schema, const RowLayout& layout) {
  return layout.keys.size() == 1 && layout.keys[0].is_restored && has_ranked_keys(*layout.keys[0].type) &&
         std::ranges::all_of(schema.columns, can_be_held);
}

/// What is fed to the sort of records in the end should be little beside what that takes; 32-bit offsets reach.
HeldMemory held_limits(std::uint64_t memory_bytes) {
  if (memory_bytes == 0) return {.most = kMostBytes, .surely = kSurelyHeldBytes};
  const std::uint64_t most = std::min(memory_bytes / kShareOfHeld, kMostBytes);
  return {.most = most, .surely = most};
}

}  // namespace

std::uint64_t held_memory(const HeldMemory& held, std::uint64_t available_bytes) {
  return std::clamp(available_bytes / 4 * 3 / kShareOfHeld, held.surely, held.most);
}

unsigned most_threads(const SortOptions& options) {
  const unsigned wanted = std::min(options.threads == 0 ? available_threads() : options.threads, kMostThreads);
  return ThreadTeam::most_threads(wanted);
}

TablePlan make_table_plan(const ArrowSchema& schema, const TableOptions& options) {
  if (options.batch_rows == 0U) throw Error("batches of 0 rows hold no table: batch_rows is at least 1");
  TablePlan plan;
  plan.schema = read_schema(schema);
  plan.layout = make_row_layout(plan.schema, options.keys);
  plan.sort = sort_options(options, plan.layout);
  plan.batch = batch_limit(plan.schema, options.batch_rows);
  for (const TableType& type : plan.schema.columns) {
    plan.least_row_bytes = std::min(plan.least_row_bytes + null_bytes(type), kMostBytes);
  }
  plan.has_lists = std::ranges::any_of(plan.schema.columns, has_lists);
  plan.kept_bytes = kMostKeptBytes;
  if (plan.sort.memory_bytes != 0) {
    const bool keeps = plan.sort.memory_bytes >= kLeastThatKeeps;
    plan.kept_bytes = keeps ? std::min(kMostKeptBytes, plan.sort.memory_bytes / kShareOfKept) : 0;
    plan.sort.memory_bytes -= plan.kept_bytes;
  }
  if (is_plain(plan.sort) && may_be_held(plan.schema, plan.layout)) plan.held = held_limits(plan.sort.memory_bytes);
  return plan;
}

}  // namespace sortie::table
