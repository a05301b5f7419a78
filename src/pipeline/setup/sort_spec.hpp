// What a sort is asked for, with every default settled: resolve(options). Jobs, their plans and their phases follow it.
// Its owner, JobInputs, replaces it only where it finds that inputs are read otherwise: lines stay in a mapped file, or
// inputs are merged because they are in order.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <sortie/options.hpp>

#include "io/files/file.hpp"
#include "io/input/compression_format.hpp"
#include "pipeline/scan/best_of_equal.hpp"
#include "pipeline/scan/repeat_filter.hpp"
#include "record/aggregate/group_text.hpp"
#include "record/record_form.hpp"
#include "record/text/record_codec.hpp"

namespace sortie {

struct SortSpec {
  /// Their format is that of the records while they are sorted: lines may be encoded.
  SortOptions options;
  Format input_format;                       ///< format in which records are read and written
  std::shared_ptr<const RecordCodec> codec;  ///< makes records sortable; never null
  /// How groups are shown; null if records are not grouped.
  std::shared_ptr<const GroupText> group_text;
  std::string group_header;  ///< the header of groups
  /// The last of records with equal keys is kept, and may differ from the first.
  bool keeps_last = false;
  /// Tells which of records with equal keys is kept; null if their order does.
  std::shared_ptr<const BestOfEqual> best;
  RecordForm form = RecordForm::kPlain;  ///< in which records are written
  unsigned threads = 0;

  /// Whether it matters which input a record is of. Records are encoded then, with positions that show it.
  bool compares_inputs() const {
    return options.set_operation != SetOperation::kNone && options.set_operation != SetOperation::kUnion;
  }
  /// Whether it is told which records are dropped for which.
  bool reports_dropped() const { return !options.dropped_path.empty(); }
  /// Whether positions of records show which input they are of.
  bool tells_inputs_apart() const { return compares_inputs() || reports_dropped(); }
  /// How many inputs are compared, of which a part of a job may have only some.
  std::uint64_t compared_inputs() const { return options.set_inputs != 0 ? options.set_inputs : options.inputs.size(); }
  /// Whether the output shows only some of the keys, depending on all records that have them.
  bool shows_some_keys() const { return options.key_filter != KeyFilter::kAll || compares_inputs(); }
  /// Whether the output for records with equal keys is known only when the last of them has come.
  bool needs_groups() const { return options.count || keeps_last || best || shows_some_keys() || reports_dropped(); }
  /// What becomes of records with equal keys on the way into runs.
  Repeats repeats_in_runs() const {
    if (group_text) return Repeats::kCombined;
    return options.unique && !needs_groups() ? Repeats::kDropped : Repeats::kKept;
  }
  /// Whether grouped lines may become one when they are read. A checkpoint says how many lines of the input runs hold.
  bool may_combine_lines() const {
    return codec->group_shape() != nullptr && !codec->collates() && options.checkpoint_directory.empty();
  }
  /// Whether a line may be refused, or named as the first of which something was assumed.
  bool names_lines() const { return may_refuse_lines(input_format) || group_text || codec->may_guess(); }
  /// Whether the first records of the output can be told before all have come.
  bool can_select_top() const { return options.top_records != 0 && !shows_some_keys() && !group_text; }
  /// Whether records are selected on their way in. Those that are left out are counted, but not hashed: nothing comes
  /// out with which they could be compared.
  bool selects_top() const { return can_select_top() && !options.merge_only; }
};

/// The memory of a job.
struct MemoryBudget {
  std::uint64_t memory_bytes = 0;
  /// Limit to which memory may grow for records that are longer than their share of it: the budget, or the default one
  /// if that is greater.
  std::uint64_t most_bytes = 0;
  /// Memory of the budget for packing the output, beside Packing::kUsualPackingBytes.
  std::uint64_t packing_bytes = 0;
  /// The same for a result that is kept in memory until it is complete, beside HeldResult::kUsualHeldBytes.
  std::uint64_t held_output_bytes = 0;
};

/// How the output is packed.
CompressionFormat packed_format(const SortOptions& options);

/// Total size of the inputs as they are stored, without reading them; nothing if one of them is no regular file.
std::optional<std::uint64_t> file_bytes(const std::vector<std::string>& inputs);

/// The day after that on which one of `inputs` was changed last, or after the present one if they are not all regular
/// files, counted from 1970-01-01: times without a year are not later.
std::int32_t day_after_last_change(const std::vector<std::string>& inputs);

/// The options with an order that leaves nothing open: times without a year get a last day, that after the last change
/// of the inputs, and random orders and samples a seed, `kept_seed` or one that is made up.
SortOptions with_order_settled(SortOptions options, const std::optional<RandomSeed>& kept_seed = std::nullopt);

/// Whether `format` has a random order that nobody has given a seed.
bool needs_seed(const Format& format);

/// Whether times without a year are read in one that nobody has said. `wanted`: the options before
/// with_order_settled().
inline bool assumes_year(const SortOptions& wanted) { return !wanted.format.text.last_day; }

/// The options with a `warn` that says each warning once, however often the job begins anew and whatever thread it
/// comes from. Copies of it say it once, too.
SortOptions with_warnings_once(SortOptions options);

/// Number of CPU threads, 1 to kMostThreads: as the options say, or fewer if address space is limited.
unsigned thread_count(const SortOptions& options);

/// Settles all that the options leave open. `header_bytes`: the header of the inputs, which names the columns. Throws
/// Error for a column name that it does not have. The threads are as many as the options say, or those of the calling
/// thread's team, if it has one. Precondition: validate(options).
SortSpec resolve(const SortOptions& options, std::span<const std::byte> header_bytes = {},
                 RecordForm form = RecordForm::kPlain);

/// The memory for a job that is asked to take `memory_bytes`; 0: three quarters of what is available. The system is not
/// asked how much that is if the inputs take `input_bytes`, and are small. Nothing: their size is unknown.
std::uint64_t whole_budget(std::uint64_t memory_bytes, std::optional<std::uint64_t> input_bytes);

/// That of a sort, which may be one of a chain, and the part of it for packing. `input_bytes`: of plain files.
MemoryBudget memory_budget(const SortSpec& spec, std::optional<std::uint64_t> input_bytes);

/// Runs merged at once: `fitting`, or fewer if the options say so.
std::uint64_t limited_fan_in(std::uint64_t fitting, const SortOptions& options);

/// Whether a sort that has begun to read its inputs can begin anew. It cannot with pipes, nor with standard input,
/// which is not read from its beginning again even if it is a file.
bool inputs_can_be_read_again(FileSystem& files, const SortOptions& options);

}  // namespace sortie
