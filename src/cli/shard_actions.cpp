#include "cli/shard_actions.hpp"

#include <cstring>
#include <utility>
#include <vector>

#include <sortie/file_format_shards.hpp>
#include <sortie/join_shards.hpp>
#include <sortie/run_error.hpp>
#include <sortie/shard.hpp>
#include <sortie/system_file_error.hpp>

#include "base/json.hpp"
#include "base/quote.hpp"
#include "cli/signal_cleanup.hpp"
#include "option/small_files.hpp"

namespace sortie::cli {
namespace {

/// Whether it shares files of a format with others.
bool is_of_files(const CommandLine& command) { return !command.file.format.empty(); }

std::string read_file(const std::string& path) {
  return option::read_small_file(
      path, [&](int error_number) { return "read failed: " + quote_path(path) + ": " + std::strerror(error_number); });
}

/// The options of a command that cuts runs or merges them: inputs are runs.
SortOptions records_of(const CommandLine& command) {
  SortOptions records = sort_of_files(command.options, command.file);
  records.inputs = command.options.inputs;
  return records;
}

std::string cut_runs(CommandLine command) {
  const ShardTask& task = command.shard_task;
  const BoundList list = parse_bounds(read_file(task.file), task.file);
  SortOptions& options = command.options;
  const std::vector<std::string> runs = std::exchange(options.inputs, {});
  if (task.cuts_file.empty()) {
    return to_json(cut_run(options, runs.front(), task.run, list.bounds, list.header), task.run);
  }
  // What is written is no output of a sort.
  options.output = "-";
  return to_json(command.join ? cut_shard(join_options(command), task.side, runs, task.run, list.bounds, list.header,
                                          task.cuts_file)
                              : cut_shard(options, runs, task.run, list.bounds, list.header, task.cuts_file));
}

ShardReport form_runs(const CommandLine& command) {
  ShardRequest request = command.shard_task.shard;
  const std::string& file = command.shard_task.file;
  if (!file.empty()) request.header = parse_inputs_header(read_file(file), file);
  if (is_of_files(command)) return form_files_shard(command.options, command.file, request);
  return command.join ? form_shard(join_options(command), command.shard_task.side, request)
                      : form_shard(command.options, request);
}

/// `entry_start`: of the inputs.
std::string merge_runs(const CommandLine& command, const RecordStart& entry_start) {
  const ShardTask& task = command.shard_task;
  const std::string text = read_file(task.file);
  if (command.join) {
    if (task.output_offset) throw Error("-o: nobody knows how long a joined part will be: leave the offset out");
    return to_json(join_slices(join_options(command), parse_join_slice_plan(text, task.file)));
  }
  SlicePlan plan = parse_slice_plan(text, task.file);
  if (task.most_records != 0) plan.most_records = task.most_records;
  if (plan.writes_payloads) plan.entry_start = entry_start;
  return to_json(merge_slices(command.options, plan, task.output_offset));
}

std::string split_merged_ranges(const CommandLine& command) {
  const std::string& file = command.shard_task.file;
  const RangesPlan plan = parse_ranges_plan(read_file(file), file);
  return to_json(is_of_files(command) ? write_files_ranges(command.options, command.file, plan)
                                      : split_ranges(command.options, plan));
}

std::string failure_line(const char* name, const std::string& value) {
  return json_text({{"version", 1}, {name, value}}) + "\n";
}

}  // namespace

JoinOptions join_options(const CommandLine& command) {
  JoinOptions options = *command.join;
  options.sort = command.options;
  return options;
}

std::string shard_action(CommandLine command, const Diagnostics& diagnostics) {
  TemporaryNames names;
  const SignalCleanup cleanup(names, diagnostics.program());
  command.options.temporary_names = &names;
  command.options.warn = [&](const Warning& warning) { diagnostics.warning(warning); };
  const RecordStart entry_start = command.options.format.text.record_start;
  if (command.shard_task.by_place) command.options = sort_by_place(command.options);
  const bool takes_records = command.action == Action::kCutRun || command.action == Action::kMergeSlices;
  if (takes_records && is_of_files(command)) command.options = records_of(command);
  switch (command.action) {
    case Action::kFindHeader:
      return to_json(is_of_files(command) ? find_files_header(command.options, command.file)
                                          : find_inputs_header(command.options)) +
             "\n";
    case Action::kFormShard:
      return to_json(form_runs(command)) + "\n";
    case Action::kCutRun:
      return cut_runs(command) + "\n";
    case Action::kSplitRanges:
      return split_merged_ranges(command) + "\n";
    default:
      return merge_runs(command, entry_start) + "\n";
  }
}

std::string for_programs(const Error& error) {
  if (const auto* const damaged = dynamic_cast<const DamagedFile*>(&error)) {
    return failure_line("file", damaged->path());
  }
  if (const auto* const failed = dynamic_cast<const SystemFileError*>(&error)) {
    return failure_line("file", failed->path());
  }
  if (dynamic_cast<const RecordError*>(&error) != nullptr) return failure_line("refused", "record");
  if (dynamic_cast<const AnotherShard*>(&error) != nullptr) return failure_line("refused", "shard");
  return {};
}

}  // namespace sortie::cli
