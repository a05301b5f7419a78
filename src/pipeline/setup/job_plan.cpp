#include "pipeline/setup/job_plan.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "pipeline/setup/chain_shape.hpp"
#include "pipeline/setup/engine_choice.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

/// With less memory than this share of the input, there would be so many runs, each with a file and a list of blocks,
/// that they take more memory than is saved. A smaller budget is raised to this share, at most to kMostRaisedBudget.
constexpr std::uint64_t kLargestInputShare = 256;
constexpr std::uint64_t kMostRaisedBudget = 32 << 20;

/// Whether lines may refer to the input. A mapped input takes memory of the budget, and address space even before it is
/// known whether it fits. A GPU is fed by copying anyway. Where keys are passed on, their common beginning must not be
/// left out, and references do not order lines with equal keys. They show offsets, where a report has numbers.
bool may_stay_in_place(const SortSpec& spec, const InputSizes& sizes, const EngineDecision& engine) {
  const SortOptions& options = spec.options;
  return !engine.gpu && sizes.bytes && *sizes.bytes <= sizes.budget.memory_bytes && spec.codec->may_refer() &&
         spec.form != RecordForm::kKeyed && options.top_records == 0 && !options.merge_only && !spec.reports_dropped();
}

/// Why this sort is left to the CPU engine, where nobody has asked for that; empty if it is not.
std::string_view reason_for_cpu(const SortSpec& spec) {
  if (spec.options.engine == EngineChoice::kCpu) return "";
  // Most records of a sample go no further than to where they are read.
  if (draws_sample(spec.options)) return "a sample is drawn on the CPU";
  const bool is_side_of_join = spec.form == RecordForm::kKeyed;
  return is_side_of_join && spec.options.engine == EngineChoice::kAuto
             ? "a join sorts on the CPU unless a GPU is asked for"
             : "";
}

std::uint64_t spilled_bytes(std::uint64_t bytes, std::uint64_t run_bytes, std::uint64_t store_bytes) {
  return bytes <= run_bytes ? 0 : bytes - std::min(bytes, store_bytes);
}

/// Bytes of the inputs that no earlier attempt has read. An earlier attempt may have counted a byte more than there is:
/// the end of a last line that the file lacks. Precondition: their size is known.
std::uint64_t bytes_left(const InputSizes& sizes) { return *sizes.bytes - std::min(*sizes.bytes, sizes.resumed_bytes); }

/// The same in the form in which records are sorted. Precondition: an estimate of their size is known.
std::uint64_t sorted_bytes_left(const InputSizes& sizes) {
  if (sizes.resumed_bytes == 0 || !sizes.bytes || *sizes.bytes == 0) return *sizes.sorted.bytes;
  const double share = static_cast<double>(bytes_left(sizes)) / static_cast<double>(*sizes.bytes);
  return static_cast<std::uint64_t>(static_cast<double>(*sizes.sorted.bytes) * share);
}

/// Whether as many bytes are stored as are read.
bool stores_what_is_read(const SortSpec& spec) {
  return !spec.codec->makes_keys() && !spec.options.unique && spec.options.top_records == 0;
}

/// Margins: other lines may get longer keys than those of the sample, and they may be shorter.
constexpr double kExpansionToSpare = 1.1;
constexpr std::uint64_t kBytesToSpare = 4 << 10;
constexpr double kLengthToSpare = 0.75;

/// Sizes of the sample, which is encoded in a millisecond. Of a small input all may be in memory, however large it
/// turns out to be: to look at a share of it is enough.
constexpr std::size_t kLeastSampleBytes = 2 << 10;
constexpr std::size_t kMostSampleBytes = 128 << 10;
constexpr std::uint64_t kSampleShare = 16;

std::uint64_t encoded_bytes(const RecordCodec& codec, const Layout& layout, std::span<const std::byte> lines) {
  std::uint64_t bytes = 0;
  EncodedLines encoded;
  for_each_record(layout, lines, [&](const std::byte* line, std::uint64_t stored) {
    encoded.clear();
    codec.encode({line, static_cast<std::size_t>(stored)}, 0, encoded);
    bytes += encoded.size();
  });
  return bytes;
}

}  // namespace

std::size_t estimate_sample_bytes(std::uint64_t input_bytes) {
  return static_cast<std::size_t>(
      std::clamp<std::uint64_t>(input_bytes / kSampleShare, kLeastSampleBytes, kMostSampleBytes));
}

InputEstimate estimate_input(std::optional<std::uint64_t> bytes, std::span<const std::byte> sample,
                             const RecordCodec& codec) {
  const Format& format = codec.input_format();
  InputEstimate estimate{bytes, format.record_bytes};
  if (!bytes || (format.record_bytes != 0 && !codec.makes_keys()) || sample.empty()) return estimate;
  const Layout layout = layout_of(format);
  const std::uint64_t sorted_bytes = codec.makes_keys() ? encoded_bytes(codec, layout, sample) : sample.size();
  const auto record_count = static_cast<double>(count_records(layout, sample));
  const double mean_bytes = static_cast<double>(sorted_bytes) / record_count;
  estimate.record_bytes = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(mean_bytes * kLengthToSpare));
  if (codec.makes_keys()) {
    const double expansion = static_cast<double>(sorted_bytes) / static_cast<double>(sample.size()) * kExpansionToSpare;
    estimate.bytes = static_cast<std::uint64_t>(static_cast<double>(*estimate.bytes) * expansion) + kBytesToSpare;
  }
  return estimate;
}

EngineDecision decide_engine(const SortSpec& spec, const InputSizes& sizes, const Machine& machine) {
  const auto bytes = sizes.sorted.bytes ? sizes.sorted.bytes : sizes.stored_bytes;
  if (const std::string_view reason = reason_for_cpu(spec); !reason.empty()) return {false, std::string(reason), {}};
  return decide_engine(spec.options, bytes, spec.threads, machine);
}

Reading choose_reading(const SortSpec& spec, const InputSizes& sizes, const Machine& machine) {
  if (may_stay_in_place(spec, sizes, decide_engine(spec, sizes, machine))) return Reading::kInPlace;
  const bool engine_is_open =
      spec.options.engine == EngineChoice::kAuto && !spec.options.merge_only && reason_for_cpu(spec).empty();
  return engine_is_open && !sizes.bytes && machine.gpus().start ? Reading::kFirstBytesFirst : Reading::kCopied;
}

EngineWorkload engine_workload(const SortSpec& spec, const InputSizes& sizes) {
  const SortOptions& options = spec.options;
  EngineWorkload workload{sizes.sorted.bytes, sizes.sorted.record_bytes, options.merge_only};
  if (options.merge_only) workload.bytes = sizes.stored_bytes;
  const bool any_share_will_do = options.engine == EngineChoice::kGpu || options.device_memory_bytes != 0;
  if (!any_share_will_do) workload.least_share_bytes = kLeastPayingDeviceBytes;
  return workload;
}

JobPlan plan_job(const SortSpec& spec, const InputSizes& sizes, const EngineDecision& decision,
                 const StartedEngines& engines) {
  const MemoryPlan memory =
      plan_memory(memory_plan_input(spec, sizes.budget, sizes.sorted, engines.form_runs_on_host, engines.count));
  return {decision, memory, needs_of_job(spec, sizes, memory, memory.run_bytes)};
}

JobPlan plan_job(const SortSpec& spec, const InputSizes& sizes, const Machine& machine) {
  const EngineDecision decision = decide_engine(spec, sizes, machine);
  const auto gpus = static_cast<unsigned>(decision.devices.size());
  return plan_job(spec, sizes, decision, {!decision.gpu, std::max(1U, gpus)});
}

PreflightEstimate needs_of_job(const SortSpec& spec, const InputSizes& sizes, const MemoryPlan& memory,
                               std::uint64_t run_bytes) {
  const SortOptions& options = spec.options;
  PreflightEstimate needs;
  needs.may_compress = options.compression != Compression::kNone || options.compress_program.has_value();
  if (sizes.bytes && stores_what_is_read(spec)) needs.output_bytes = *sizes.bytes;
  if (options.merge_only || !sizes.sorted.bytes) return needs;
  needs.knows_runs = run_bytes != 0;
  if (!needs.knows_runs) return needs;
  const std::uint64_t store_bytes = options.checkpoint_directory.empty() ? memory.store_bytes : 0;
  // What fits one run goes to the output without being stored. But a continued sort stores even the only run that is
  // left, to merge it with the runs that are there.
  const bool goes_on = sizes.resumed_bytes > 0;
  const std::uint64_t unstored_bytes = goes_on ? 0 : run_bytes;
  const std::uint64_t most_unstored_bytes = goes_on ? 0 : std::max(run_bytes, memory.formation_bytes);
  needs.scratch_bytes = spilled_bytes(sorted_bytes_left(sizes), unstored_bytes, store_bytes);
  if (!stores_what_is_read(spec) || !sizes.bytes) return needs;
  needs.least_scratch_bytes =
      std::min(needs.scratch_bytes, spilled_bytes(bytes_left(sizes), most_unstored_bytes, store_bytes));
  return needs;
}

// What fits memory is sorted as fast if it is one input, unless a join waits for its first records, or if strcoll() is
// asked for the order. A sort that stops after the first records would not find those out of order behind them.
bool streams_if_sorted(const SortSpec& spec, const JobPlan& plan) {
  const SortOptions& options = spec.options;
  if (options.merge_only || options.top_records != 0 || plan.engine.gpu || spec.reports_dropped()) return false;
  const bool is_one = options.inputs.size() == 1 && spec.form != RecordForm::kKeyed;
  return plan.needs.scratch_bytes > 0 || !(is_one || spec.codec->collates());
}

/// Beyond this a guess tells no more, and sums of the plan could overflow.
constexpr std::uint64_t kMostGuessedBytes = std::uint64_t{1} << 50;

MemoryPlanInput memory_plan_input(const SortSpec& spec, const MemoryBudget& budget, const InputEstimate& estimate,
                                  bool records_on_host, unsigned engine_count) {
  MemoryPlanInput input;
  input.input_bytes = estimate.bytes.value_or(std::min(spec.options.source_bytes, kMostGuessedBytes));
  input.guesses_input = !estimate.bytes;
  // Only what is known to come raises the budget: a guess may be wrong.
  input.budget_bytes =
      std::max(budget.memory_bytes, std::min(estimate.bytes.value_or(0) / kLargestInputShare, kMostRaisedBudget));
  input.most_bytes = budget.most_bytes;
  input.record_bytes = estimate.record_bytes;
  const std::uint64_t held_output_bytes =
      std::min(budget.held_output_bytes, estimate.bytes.value_or(budget.held_output_bytes));
  input.held_bytes = estimate.held_bytes + budget.packing_bytes + held_output_bytes;
  input.host_record_overhead = host_record_overhead(spec.options.format);
  input.records_on_host = records_on_host;
  input.engine_count = engine_count;
  input.threads = spec.threads;
  input.key_bytes = make_key_plan(spec.options.format).key_bytes;
  input.most_fan_in = limited_fan_in(input.most_fan_in, spec.options);
  input.encodes = spec.codec->makes_keys();
  // Numbers are sorted into other memory than they are read to, which does the same.
  input.overlaps_runs = records_on_host && spec.threads > 1 && spec.codec->sorted_format().kind != RecordKind::kArray;
  input.selects = spec.options.top_records != 0 && !spec.options.merge_only;
  return input;
}

}  // namespace sortie
