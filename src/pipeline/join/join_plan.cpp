#include "pipeline/join/join_plan.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <sortie/error.hpp>

#include "option/contradictions.hpp"
#include "pipeline/join/row_plan.hpp"
#include "pipeline/setup/option_fields.hpp"
#include "record/csv/csv_syntax.hpp"
#include "record/enumeration.hpp"

namespace sortie {
namespace {

void check_format(const Format& format) {
  if (format.kind != RecordKind::kLines || format.shuffle || format.text.json || format.text.record_start) {
    throw Error("a join is one of lines or CSV: sort other records, or make such of them");
  }
  if (format.text.keys.empty()) throw Error("a join needs a key: say which fields or columns are compared");
}

void check_files(const SortOptions& sort) {
  if (sort.source) throw Error("a join reads two inputs, not a source: name them");
  if (sort.inputs.size() != 2) {
    throw Error("a join is one of two inputs, not of " + std::to_string(sort.inputs.size()) +
                ": name the left and the right one");
  }
  if (sort.inputs[0] == "-" && sort.inputs[1] == "-") throw Error("standard input is one side of a join, not both");
}

void check_headers(const SortOptions& sort) {
  if (!sort.header_prefixes.empty())
    throw Error("a header of lines that begin alike does not go with a join: cut it off");
  if (sort.header_lines > 1) throw Error("the header of a join's input is one line or record, not several");
}

/// Whether equal values have equal keys. Moments do, however they are written.
bool read_alike(TextKey a, const TextKey& b) {
  a.begin = b.begin;
  a.end = b.end;
  a.column = b.column;
  a.may_be_position = b.may_be_position;
  if (a.kind == TextKind::kTime) a.time = b.time;
  return a == b;
}

void check_right_keys(const JoinOptions& options) {
  const std::vector<TextKey>& left = options.sort.format.text.keys;
  const std::vector<TextKey>& right = options.right_keys;
  if (right.empty()) return;
  if (right.size() != left.size()) {
    throw Error("the right input has " + std::to_string(right.size()) + " keys, the left one " +
                std::to_string(left.size()) + ": give as many");
  }
  if (!std::ranges::equal(left, right, read_alike)) {
    throw Error("the keys of the two inputs are not of the same types and directions: they would never be equal");
  }
}

/// The order of one side: by its keys alone, records with equal ones as they come.
Format format_of_side(const JoinOptions& options, JoinSide side) {
  Format format = options.sort.format;
  TextOrder& order = format.text;
  if (side == JoinSide::kRight && !options.right_keys.empty()) order.keys = options.right_keys;
  order.last_resort = false;
  order.locale = false;
  if (!order.separator.empty()) return format;
  for (TextKey& key : order.keys) key.begin.skip_blanks = true;
  return format;
}

SortOptions sort_of_side(const JoinOptions& options, JoinSide side) {
  using enum OptionRole;
  SortOptions sort = part_of_job(options.sort, {kRecords, kSelection, kInputs, kMachine, kEngine});
  sort.inputs = {options.sort.inputs[side == JoinSide::kLeft ? 0 : 1]};
  sort.device_memory_bytes /= 2;
  sort.format = format_of_side(options, side);
  return sort;
}

void check_kind(const JoinOptions& options) {
  refuse_unknown(options.kind, JoinKind::kAnti, "kind of join");
  check_format(options.sort.format);
  option::refuse_beside_job(options.sort, option::Door::kLibrary, "join");
}

void check_rows(const JoinOptions& options) {
  check_headers(options.sort);
  check_right_keys(options);
  refuse_keys_that_cannot_be_shown(options);
  const bool csv = options.sort.format.text.csv;
  if (!csv && options.empty.find(options.sort.format.delimiter) != std::string::npos) {
    throw Error("what stands for empty fields holds the end of a line");
  }
  const bool has_quotes = csv && syntax_of(options.sort.format.text).has_quotes();
  if (csv && !has_quotes &&
      options.empty.find_first_of(options.sort.format.text.separator + "\n") != std::string::npos) {
    throw Error(
        "what stands for empty fields holds a separator of fields or the end of a line, and there are no quotes "
        "around it: take another text");
  }
  for (const JoinColumn& column : options.columns) {
    if (!column.name.empty() && !csv)
      throw Error("columns have names in CSV alone: write 1.2 for field 2 of the left input");
  }
  validate(format_of_side(options, JoinSide::kRight));
}

/// `left_bytes`, `right_bytes`: of what is sorted or merged; nothing if that is not known.
JoinPlan share_out(const JoinOptions& options, SortOptions left, SortOptions right,
                   std::optional<std::uint64_t> left_bytes, std::optional<std::uint64_t> right_bytes) {
  const SortOptions& sort = options.sort;
  JoinPlan join_plan{{}, {}, {}, std::move(left), std::move(right)};
  join_plan.whole.options = sort;
  join_plan.whole.input_format = sort.format;
  join_plan.whole.threads = thread_count(sort);
  const auto bytes = left_bytes && right_bytes ? std::optional(*left_bytes + *right_bytes) : std::nullopt;
  join_plan.budget = memory_budget(join_plan.whole, bytes);
  join_plan.limits = share_for_join(join_plan.budget.memory_bytes, join_plan.whole.threads, left_bytes, right_bytes);
  join_plan.left.memory_bytes = join_plan.limits.left_memory_bytes;
  join_plan.left.threads = join_plan.limits.left_threads;
  join_plan.right.memory_bytes = join_plan.limits.right_memory_bytes;
  join_plan.right.threads = join_plan.limits.right_threads;
  return join_plan;
}

}  // namespace

void validate(const JoinOptions& options) {
  check_kind(options);
  check_files(options.sort);
  check_rows(options);
}

void validate_side(const JoinOptions& options) {
  check_kind(options);
  check_rows(options);
}

SortOptions left_sort(const JoinOptions& options) { return sort_of_side(options, JoinSide::kLeft); }
SortOptions right_sort(const JoinOptions& options) { return sort_of_side(options, JoinSide::kRight); }

SortOptions shard_options(const JoinOptions& options, JoinSide side) {
  SortOptions sort = options.sort;
  sort.format = format_of_side(options, side);
  return sort;
}

JoinLimits share_for_join(std::uint64_t memory_bytes, unsigned threads, std::optional<std::uint64_t> left_bytes,
                          std::optional<std::uint64_t> right_bytes) {
  constexpr std::uint64_t kGroupShare = 8;
  constexpr std::uint64_t kQueueShare = 32;
  constexpr std::uint64_t kLeastQueueBytes = 64 << 10;
  constexpr std::uint64_t kMostQueueBytes = 4 << 20;
  const bool known = left_bytes && right_bytes && *left_bytes + *right_bytes > 0;
  const double left = known ? static_cast<double>(*left_bytes) / static_cast<double>(*left_bytes + *right_bytes) : 0.5;
  const double share = std::clamp(left, 0.125, 0.875);
  JoinLimits limits;
  limits.group_bytes = static_cast<std::size_t>(memory_bytes / kGroupShare);
  limits.queue_bytes =
      static_cast<std::size_t>(std::clamp(memory_bytes / kQueueShare, kLeastQueueBytes, kMostQueueBytes));
  const std::uint64_t own_bytes = limits.group_bytes + 2 * limits.queue_bytes;
  const auto rest = static_cast<double>(memory_bytes - std::min(memory_bytes, own_bytes));
  limits.left_memory_bytes = std::max(kMinMemoryBytes, static_cast<std::uint64_t>(share * rest));
  limits.right_memory_bytes = std::max(kMinMemoryBytes, static_cast<std::uint64_t>((1 - share) * rest));
  if (threads > 1) {
    const auto half_threads = static_cast<unsigned>(2 * share * threads);
    limits.left_threads = std::clamp((half_threads + 1) / 2, 1U, threads - 1);
    limits.right_threads = threads - limits.left_threads;
  }
  return limits;
}

JoinPlan plan_join(const JoinOptions& wanted) {
  JoinOptions options = wanted;
  options.sort = with_warnings_once(with_order_settled(options.sort));  // both sides have the same
  return share_out(options, left_sort(options), right_sort(options), file_bytes({options.sort.inputs[0]}),
                   file_bytes({options.sort.inputs[1]}));
}

JoinPlan plan_join_of_slices(const JoinOptions& options, std::uint64_t left_bytes, std::uint64_t right_bytes) {
  const auto slices_of_side = [&](JoinSide side, std::size_t input) {
    SortOptions sort = shard_options(options, side);
    sort.inputs = {options.sort.inputs[input]};
    sort.device_memory_bytes /= 2;
    return sort;
  };
  return share_out(options, slices_of_side(JoinSide::kLeft, 0), slices_of_side(JoinSide::kRight, 1), left_bytes,
                   right_bytes);
}

}  // namespace sortie
