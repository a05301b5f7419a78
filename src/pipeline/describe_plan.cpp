#include "pipeline/describe_plan.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <sstream>
#include <string>

#include "base/quote.hpp"
#include "base/size.hpp"
#include "io/files/scratch.hpp"
#include "pipeline/checkpoint/resume.hpp"
#include "pipeline/input/input_opener.hpp"
#include "pipeline/join/join_plan.hpp"
#include "pipeline/join/row_plan.hpp"
#include "pipeline/merge/sorted_inputs_merge.hpp"
#include "pipeline/setup/chain_shape.hpp"
#include "pipeline/setup/engine_pool.hpp"
#include "pipeline/setup/job_inputs.hpp"
#include "pipeline/setup/page_context.hpp"
#include "pipeline/setup/sort_files.hpp"

namespace sortie {
namespace {

/// `bytes`: all records in the form in which they are sorted.
void describe_runs(std::ostream& text, const JobPlan& plan, std::uint64_t bytes, const ScratchSpace& scratch,
                   const SortOptions& options) {
  const MemoryPlan& memory = plan.memory;
  const std::uint64_t runs = divide_up(bytes, memory.run_bytes);
  if (runs <= 1 && plan.needs.scratch_bytes == 0) {
    text << "runs          1: all fits in memory, no merge, no scratch space\n";
    return;
  }
  const std::uint64_t passes = merge_passes(runs, memory.merge.fan_in);
  text << "runs          about " << runs << " of " << format_size(memory.run_bytes) << "\n"
       << "merge         " << passes << (passes == 1 ? " pass" : " passes") << ", up to "
       << std::min(runs, memory.merge.fan_in) << " runs at once, blocks of " << format_size(memory.merge.block_bytes)
       << "\n"
       << "scratch       up to " << format_size(plan.needs.scratch_bytes) << " uncompressed; "
       << format_size(scratch.free_bytes()) << " free in";
  for (const std::string& directory : scratch.directories()) text << " " << directory;
  if (options.compress_program) text << "; compressed by " << quote_word(*options.compress_program);
  text << "\n";
}

/// Inputs that are sorted already.
void describe_merge(std::ostream& text, const JobPlan& plan, const SortSpec& spec) {
  const std::uint64_t inputs = spec.options.inputs.size();
  const std::uint64_t at_once = most_inputs_at_once(plan.memory, spec);
  const std::uint64_t passes = merge_passes(inputs, at_once);
  text << "merge         " << passes << (passes == 1 ? " pass" : " passes") << " over " << inputs
       << (inputs == 1 ? " sorted input" : " sorted inputs") << ", up to " << std::min(inputs, at_once) << " at once\n";
}

// What the sort needs of file systems, and what may go wrong there.
std::string describe_preflight(const PreflightEstimate& needs, const PreflightSpace& room) {
  std::string text;
  if (needs.output_bytes > 0 && !room.output_directory.empty()) {
    text += "target        " + format_size(needs.output_bytes) + "; " + format_size(room.output_bytes) + " free in " +
            quote_path(room.output_directory) + "\n";
  }
  for (const PreflightFinding& finding : preflight(needs, room)) {
    text += (finding.is_fatal ? "error         " : "warning       ") + finding.message + "\n";
  }
  return text;
}

// A line of its own if records get longer while they are sorted.
std::string describe_keys(const SortSpec& spec, std::optional<std::uint64_t> bytes) {
  if (!spec.codec->makes_keys()) return {};
  const std::string text = "keys          records are sorted with their keys in front";
  return text + (bytes ? ": about " + format_size(*bytes) + "\n" : "\n");
}

// A line of its own if not all records are wanted.
std::string describe_selection(const SortOptions& options) {
  if (options.top_records == 0) return {};
  return "output        the first " + std::to_string(options.top_records) + " records\n";
}

// A line of its own if other sorts follow the one that is planned.
std::string describe_chain(const SortOptions& options) {
  if (chain_length(options) == 1) return {};
  const std::string by_position = "sorts         this one, of which each record keeps its place; then one by places";
  return by_position + (has_third_sort(options) ? "; then one of the sample\n" : "\n");
}

// A line of its own for the sort that a sample is given to.
std::string describe_sort_of_sample(const EngineContext& first, const SortOptions& options,
                                    std::span<const std::byte> header) {
  if (!has_third_sort(options)) return {};
  const SortSpec third = resolve(third_of_chain(options, first.spec.threads, first.sizes.budget.memory_bytes), header);
  // What is drawn may be all of it.
  EnginePool pool;
  start_engines({first.files, third, first.sizes, nullptr, first.machine, first.observer}, EngineUse::kPlan, pool);
  return "sample        sorted by " + std::string(pool.engines[0]->name()) + ": " + pool.reason + "\n";
}

// A line of its own if the output is cut.
std::string describe_parts(const Parts& parts) {
  if (!parts.are_wanted()) return {};
  std::string text = "parts         ";
  if (parts.count != 0) text += std::to_string(parts.count) + " of equal bytes";
  if (parts.most_bytes != 0) text += "of at most " + format_size(parts.most_bytes);
  if (parts.most_records != 0) text += "of " + std::to_string(parts.most_records) + " records";
  if (parts.most_weight != 0) text += "of weights up to " + std::to_string(parts.most_weight);
  if (parts.by_first_key) text += std::string(parts.are_limited() ? ", " : "") + "one for each value of the first key";
  return text + (parts.together ? ", records with equal keys together\n" : "\n");
}

std::string describe_sort(FileSystem& files, const SortOptions& options, RecordForm form, const Machine& machine) {
  const auto checkpoint = look_at_checkpoint(files, options);
  Observer observer(ProgressMode::kNever);
  JobInputs inputs(files, first_of_chain(options), observer, form);
  inputs.begin_at({});
  if (checkpoint) inputs.count_resumed(checkpoint->end());
  inputs.take_sizes();
  const SortSpec& spec = inputs.spec();
  const InputSizes& sizes = inputs.sizes();
  EnginePool pool;
  const EngineContext context{files, spec, sizes, nullptr, machine, observer};
  const JobPlan plan = start_engines(context, EngineUse::kPlan, pool);
  const ScratchSpace scratch(files, run_directories(checkpoint.get(), options));

  std::ostringstream text;
  text << "format        " << words_for(options.format) << "\n"
       << "input         " << (sizes.bytes ? format_size(*sizes.bytes) : "of unknown size") << "\n"
       << describe_checkpoint(checkpoint.get(), files, spec) << describe_selection(options) << describe_chain(options)
       << describe_parts(options.parts) << describe_keys(spec, sizes.sorted.bytes) << "engine        "
       << pool.engines[0]->name() << ", " << spec.threads << " threads: " << pool.reason << "\n"
       << describe_sort_of_sample(context, options, inputs.header()) << "memory        "
       << format_size(sizes.budget.memory_bytes);
  if (!options.merge_only) {
    text << ": " << format_size(plan.memory.formation_bytes) << " to form runs, "
         << format_size(plan.memory.store_bytes) << " to keep them";
  }
  text << "\n";
  if (const std::uint64_t device_bytes = pool.device_budget_bytes(); device_bytes != 0) {
    text << "device        " << pool.engines.size() << " with " << format_size(device_bytes) << " each\n";
  }
  if (sizes.sorted.bytes && plan.memory.run_bytes != 0 && !options.merge_only) {
    describe_runs(text, plan, *sizes.sorted.bytes, scratch, options);
  }
  if (options.merge_only) describe_merge(text, plan, spec);
  text << describe_preflight(plan.needs, survey_room(files, scratch, options, plan.needs));
  return text.str();
}

std::string header_of(FileSystem& files, const SortOptions& side) {
  InputOpener opener(files, side);
  opener.find_header(side.inputs);
  return std::string(as_text(opener.header()));
}

/// Throws Error for columns that are not there, as far as headers tell.
void refuse_missing_columns(FileSystem& files, const JoinOptions& options, const JoinPlan& join_plan) {
  if (options.sort.header_lines == 0 || !inputs_can_be_read_again(files, options.sort)) return;
  const std::string left = header_of(files, join_plan.left);
  const std::string right = header_of(files, join_plan.right);
  if (left.empty() || right.empty()) return;
  plan_rows(options, describe_input(join_plan.left.format, {left, std::nullopt}),
            describe_input(join_plan.right.format, {right, std::nullopt}));
}

}  // namespace

std::string describe_plan(FileSystem& files, const SortOptions& wanted, const Machine& machine) {
  refuse_shared_targets_of_sort(files, wanted);
  const SortOptions options = with_order_settled(wanted, kept_seed(files, wanted));
  return describe_sort(files, options, chain_length(options) > 1 ? RecordForm::kPositioned : RecordForm::kPlain,
                       machine);
}

std::string describe_plan(FileSystem& files, const JoinOptions& options, const Machine& machine) {
  refuse_shared_targets_of_sort(files, options.sort);
  const JoinPlan join_plan = plan_join(options);
  const std::string left = describe_sort(files, join_plan.left, RecordForm::kKeyed, machine);
  const std::string right = describe_sort(files, join_plan.right, RecordForm::kKeyed, machine);
  refuse_missing_columns(files, options, join_plan);  // the sorts have named the input of a key that is not there
  return "join          " + format_size(join_plan.budget.memory_bytes) + ": " +
         format_size(join_plan.limits.group_bytes) + " for right records with equal keys, " +
         format_size(2 * join_plan.limits.queue_bytes) +
         " for sorted records that wait; the rest for the sorts\n\nleft input\n" + left + "\nright input\n" + right;
}

}  // namespace sortie
