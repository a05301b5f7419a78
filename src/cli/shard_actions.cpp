#include "cli/shard_actions.hpp"

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <sortie/error.hpp>
#include <sortie/shard.hpp>

#include "base/quote.hpp"
#include "cli/signal_cleanup.hpp"
#include "option/small_files.hpp"

namespace sortie::cli {
namespace {

std::string read_file(const std::string& path) {
  return option::read_small_file(
      path, [&](int error_number) { return "read failed: " + quote_path(path) + ": " + std::strerror(error_number); });
}

std::string cut(const CommandLine& command) {
  const ShardTask& task = command.shard_task;
  const BoundList list = parse_bounds(read_file(task.file), task.file);
  SortOptions options = command.options;
  const std::vector<std::string> runs = std::move(options.inputs);
  options.inputs.clear();
  if (task.cuts_file.empty()) {
    return to_json(cut_run(options, runs.front(), task.run, list.bounds, list.header), task.run);
  }
  // What is written is no output of a sort.
  options.output = "-";
  return to_json(cut_shard(options, runs, task.run, list.bounds, list.header, task.cuts_file));
}

ShardReport form(const CommandLine& command) {
  ShardRequest request = command.shard_task.shard;
  const std::string& file = command.shard_task.file;
  if (!file.empty()) request.header = parse_inputs_header(read_file(file), file);
  return form_shard(command.options, request);
}

std::string merge(const CommandLine& command) {
  const ShardTask& task = command.shard_task;
  const SlicePlan plan = parse_slice_plan(read_file(task.file), task.file);
  return to_json(merge_slices(command.options, plan, task.output_offset));
}

}  // namespace

std::string run_shard_action(CommandLine command, const Diagnostics& diagnostics) {
  TemporaryNames names;
  const SignalCleanup cleanup(names, diagnostics.program());
  command.options.temporary_names = &names;
  command.options.warn = [&](const Warning& warning) { diagnostics.warning(warning); };
  switch (command.action) {
    case Action::kFindHeader:
      return to_json(find_inputs_header(command.options)) + "\n";
    case Action::kFormShard:
      return to_json(form(command)) + "\n";
    case Action::kCutRun:
      return cut(command) + "\n";
    default:
      return merge(command) + "\n";
  }
}

}  // namespace sortie::cli
