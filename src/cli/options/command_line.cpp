#include "cli/options/command_line.hpp"

#include <algorithm>
#include <utility>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "cli/options/contradictions.hpp"
#include "cli/options/input_names.hpp"
#include "cli/options/option_values.hpp"
#include "cli/options/order_warnings.hpp"
#include "cli/options/request.hpp"

namespace sortie::cli {
namespace {

void take_input_names(Request& request) {
  if (!request.input_names) return;
  std::vector<std::string>& inputs = request.options.inputs;
  if (!inputs.empty()) {
    throw UsageError("extra operand " + quote_path_always(inputs.front()) +
                     "\nfile operands cannot be combined with --files0-from");
  }
  inputs = read_input_names(*request.input_names);
}

Format make_format(const Request& request) {
  Format format = parse_format(request.format);
  const bool lines = format.kind == RecordKind::kLines;
  if (!lines && request.zero_terminated) throw Error("-z/--zero-terminated needs --format=lines");
  if (!lines && request.order.asks_for_lines()) throw Error("keys and other orders than -r need --format=lines");
  if (!lines && asks_for_header(request)) throw Error("--header needs --format=lines");
  if (!lines && request.options.count) throw Error("--count needs --format=lines");
  if (!lines && request.groups.groups) throw Error("--group needs --format=lines");
  const bool has_fields = !lines && format.kind != RecordKind::kPrefixed;
  if (!has_fields && !request.fields.empty()) throw Error("--field needs --format=fixed:BYTES");
  refuse_contradictory_forms(request);
  if (!request.fields.empty()) {
    if (!format.fields.empty()) {
      throw Error("--field does not go with --format=" + request.format +
                  ", which has its field: write --format=fixed:" + std::to_string(format.record_bytes));
    }
    format.fields = request.fields;
  }
  if (request.zero_terminated) format.delimiter = '\0';
  if (request.order.shuffle) {
    if (!request.fields.empty()) throw Error("--field does not go with --shuffle: leave one of the two out");
    format = make_shuffled(std::move(format), request.order);
    validate(format);
    return format;
  }
  if (lines) format.text = make_order(request.order, request.options.unique, request.groups.groups);
  // Keys have a direction of their own.
  format.descending = request.order.global.descending && format.text.keys.empty();
  validate(format);
  return format;
}

constexpr std::string_view kGnuSort = "sort";

Action action_of(const Request& request) {
  if (request.check == CheckMode::kDiagnose) return Action::kCheck;
  if (request.check == CheckMode::kQuiet) return Action::kCheckQuietly;
  if (request.plan) return Action::kPlan;
  if (request.explain) return Action::kExplain;
  if (request.columns) return Action::kListColumns;
  if (request.join.kind) return Action::kJoin;
  if (request.shard_directory) return Action::kFormShard;
  if (request.bounds) return Action::kCutRun;
  if (request.slice_plan) return Action::kMergeSlices;
  if (request.shared_header) return Action::kFindHeader;
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
  if (request.order.as_gnu_sort) return paths;
  if (request.input_names) paths.push_back(*request.input_names == "-" ? "/dev/stdin" : *request.input_names);
  for (const auto* path : {&request.order.random_source, &request.bounds, &request.slice_plan}) {
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
  if (request.groups.counts_lines()) request.options.count = request.options.unique = true;
  request.options.format = make_format(request);
  if (request.order.genome) request.options.header_prefixes = genome_header_prefixes(*request.order.genome);
  request.options.grouping = request.groups.make(request.options.format);
  refuse_contradictions(request);
  drop_repeated_standard_input(request.options.inputs);
  CommandLine command;
  settle_header(request);
  if (request.join.asks_for_join()) command.join = make_join(request);
  refuse_names_without_header(request, command.join);
  if (asks_for_shards(request)) command.shard_task = shard_task_of(request);
  if (request.slice_plan && request.output) command.shard_task.output_offset = take_output_offset(*request.output);
  if (request.output) request.options.output = *request.output;
  // To GNU sort it is the name of a file.
  if (request.order.as_gnu_sort && request.output == "-") request.options.output = "./-";
  if (request.options.sample_records != 0) {
    request.options.sample_seed =
        request.sample_seed ? seed_of_text(*request.sample_seed) : random_seed(request.order.random_source);
  }
  request.options.seed_is_made_up = !request.order.random_source && !request.order.shuffle_seed;
  request.options.other_files = files_read_for_options(request);
  command.action = action_of(request);
  if (request.debug) command.warnings = order_warnings(request.order, request.options.unique);
  command.options = std::move(request.options);
  command.print_stats = request.print_stats;
  return command;
}

/// The command as a shell reads it.
std::string shell_command(const std::vector<std::string>& words, std::string_view program) {
  std::string command(program);
  for (const std::string& word : words) command += " " + quote_path(word);
  return command;
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
  Request request;
  request.options = std::move(defaults);
  request.order.as_gnu_sort = program == kGnuSort;
  ArgumentReader reader(words, ArgumentRules::from_environment(program));
  while (const std::optional<Argument> argument = reader.next()) {
    request.apply(*argument);
    if (request.help) return {.action = Action::kHelp, .help_form = *request.help};
    if (request.version) return {.action = Action::kVersion};
  }
  if (!request.options.report_path.empty()) request.options.command = shell_command(words, program);
  return finish(std::move(request));
}

}  // namespace sortie::cli
