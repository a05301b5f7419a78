#include "cli/options/command_line.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "cli/options/argument_parser.hpp"
#include "cli/options/order_warnings.hpp"
#include "cli/options/word_value.hpp"
#include "option/contradictions.hpp"
#include "option/request_keys.hpp"
#include "option/settled_request.hpp"
#include "option/small_files.hpp"

namespace sortie::cli {
namespace {

using option::CheckMode;
using option::Door;
using option::Request;
using option::UsageError;

void take_input_names(Request& request) {
  if (!request.input_names) return;
  std::vector<std::string>& inputs = request.options.inputs;
  if (!inputs.empty()) {
    throw UsageError("extra operand " + quote_path_always(inputs.front()) +
                     "\nfile operands cannot be combined with --files0-from");
  }
  inputs = option::read_input_names(*request.input_names);
}

constexpr std::string_view kGnuSort = "sort";

Action action_of(const Request& request) {
  if (request.check == CheckMode::kDiagnose) return Action::kCheck;
  if (request.check == CheckMode::kQuiet) return Action::kCheckQuietly;
  if (request.plan) return Action::kPlan;
  if (request.explain) return Action::kExplain;
  if (request.columns) return Action::kListColumns;
  if (request.join.kind) return Action::kJoin;
  if (request.shards.directory) return Action::kFormShard;
  if (request.shards.bounds) return Action::kCutRun;
  if (request.shards.slice_plan) return Action::kMergeSlices;
  if (request.shards.shared_header) return Action::kFindHeader;
  return request.debug ? Action::kSortAnnotated : Action::kSort;
}

/// Standard input is used up when it has been read once.
void drop_repeated_standard_input(std::vector<std::string>& inputs) {
  const auto first = std::ranges::find(inputs, "-");
  if (first != inputs.end()) inputs.erase(std::remove(first + 1, inputs.end(), "-"), inputs.end());
}

/// The files have been read by now, and the sort must not replace them. GNU sort does.
std::vector<std::string> files_read_for_options(const Request& request) {
  std::vector<std::string> paths;
  if (request.door == Door::kGnuSort) return paths;
  if (request.input_names) paths.push_back(*request.input_names == "-" ? "/dev/stdin" : *request.input_names);
  for (const auto* path : {&request.order.random_source, &request.shards.bounds, &request.shards.slice_plan}) {
    if (*path) paths.push_back(**path);
  }
  return paths;
}

CommandLine self_test_of(const Request& request) {
  if (request.beside_resources) {
    throw UsageError("--self-test makes its own records and takes options of resources alone, not " +
                     quote_word(*request.beside_resources));
  }
  return {.action = Action::kSelfTest, .options = request.options};
}

CommandLine finish(Request request) {
  if (request.self_test) return self_test_of(request);
  take_input_names(request);
  settle(request);
  SortOptions& options = request.options;
  drop_repeated_standard_input(options.inputs);
  CommandLine command;
  if (request.join.asks_for_join()) command.join = join_options_of(request);
  refuse_names_without_header(request, command.join ? &*command.join : nullptr);
  if (request.shards.asks_for_shards()) command.shard_task = shard_task_of(request);
  if (request.shards.slice_plan && request.output) {
    command.shard_task.output_offset = take_output_offset(*request.output);
  }
  if (request.output) options.output = *request.output;
  // To GNU sort it is the name of a file.
  if (request.door == Door::kGnuSort && request.output == "-") options.output = "./-";
  options.protected_files = files_read_for_options(request);
  command.action = action_of(request);
  if (request.debug) command.warnings = order_warnings(request.order, options.unique);
  command.options = std::move(options);
  command.print_stats = request.print_stats;
  return command;
}

/// The first argument that says more than with which resources to sort.
void note_other_than_resources(Request& request, const Argument& argument) {
  if (request.beside_resources) return;
  if (argument.kind != Argument::Kind::kOption) {
    request.beside_resources = argument.value;
  } else if ((group_of(*argument.option) != option::Group::kResources && argument.option->long_name != "self-test") ||
             argument.option->long_name == "checkpoint") {
    request.beside_resources = argument.name;
  }
}

void take(Request& request, const Argument& argument) {
  note_other_than_resources(request, argument);
  switch (argument.kind) {
    case Argument::Kind::kOperand:
      request.options.inputs.push_back(argument.value);
      return;
    case Argument::Kind::kObsoleteKey:
      return option::add_obsolete_key(request, argument.value, argument.key_end);
    case Argument::Kind::kOption:
      request.take(*argument.option, WordValue(request.door, argument));
  }
}

}  // namespace

CommandLine parse_command_line(const std::vector<std::string>& words, std::string_view program) {
  const bool as_gnu_sort = program == kGnuSort;
  SortOptions defaults;
  defaults.progress = as_gnu_sort ? ProgressMode::kNever : ProgressMode::kAuto;
  defaults.unpack = !as_gnu_sort;
  return parse_command_line(words, program, std::move(defaults));
}

CommandLine parse_command_line(const std::vector<std::string>& words, std::string_view program, SortOptions defaults) {
  Request request(program == kGnuSort ? Door::kGnuSort : Door::kCommand, std::move(defaults));
  ArgumentReader reader(words, ArgumentRules::from_environment(program));
  while (const std::optional<Argument> argument = reader.next()) {
    take(request, *argument);
    if (request.help) return {.action = Action::kHelp, .help_form = *request.help};
    if (request.version) return {.action = Action::kVersion};
  }
  return finish(std::move(request));
}

}  // namespace sortie::cli
