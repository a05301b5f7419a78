#include "cli/options/command_line.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "base/size.hpp"
#include "base/whole_number.hpp"
#include "cli/options/argument_parser.hpp"
#include "cli/options/order_warnings.hpp"
#include "option/contradictions.hpp"
#include "option/request_keys.hpp"
#include "option/settled_request.hpp"
#include "option/small_files.hpp"
#include "option/value.hpp"

namespace sortie::cli {
namespace {

using option::CheckMode;
using option::Door;
using option::Request;
using option::UsageError;

/// The value of an option as a word of the command line. Its messages are those of GNU sort where it has the option.
class WordValue final : public option::Value {
 public:
  /// `argument` must outlive it.
  WordValue(option::Door door, const Argument& argument) : door_(door), argument_(argument) {}

  option::Door door() const override { return door_; }
  const std::string& name() const override { return argument_.name; }
  bool is_text() const override { return argument_.has_value; }
  bool is_flag() const override { return false; }
  bool as_flag(const char*) const override { return true; }
  std::uint64_t as_count(const char*) const override { return option::count_in(argument_.value, *this); }
  std::uint64_t as_gnu_count() const override;
  std::uint64_t as_number(std::uint64_t least, std::uint64_t most, const std::string& reason) const override;
  std::int64_t as_integer(const std::string& reason) const override;
  std::uint64_t as_size(const char* example, char plain_unit) const override;
  std::string as_text() const override { return argument_.value; }
  std::string as_bytes() const override { return argument_.value; }
  std::vector<std::string> as_texts() const override { return {argument_.value}; }
  std::string as_path() const override { return argument_.value; }
  std::string as_path_or_none() const override { return argument_.value; }
  std::vector<std::string> as_paths() const override { return {argument_.value}; }
  std::vector<int> as_numbers() const override;

 private:
  option::Door door_;
  const Argument& argument_;
};

std::uint64_t WordValue::as_gnu_count() const { return parse_count(argument_.value, argument_.name); }

std::uint64_t WordValue::as_number(std::uint64_t least, std::uint64_t most, const std::string& reason) const {
  const std::optional<std::uint64_t> number = whole_number<std::uint64_t>(argument_.value);
  if (number && *number >= least && *number <= most) return *number;
  refuse(argument_.value, reason);
}

std::int64_t WordValue::as_integer(const std::string& reason) const {
  if (const auto number = whole_number<std::int64_t>(argument_.value)) return *number;
  refuse(argument_.value, reason);
}

std::uint64_t WordValue::as_size(const char* example, char plain_unit) const {
  const std::string& word = argument_.value;
  const bool is_share = word.ends_with('%');
  const std::uint64_t bytes = is_share ? 0 : parse_size(word, argument_.name, 0, plain_unit);
  if (bytes == 0) refuse(word, std::string("give a size, for example ") + example);
  return bytes;
}

std::vector<int> WordValue::as_numbers() const {
  std::vector<int> numbers;
  std::string_view rest = argument_.value;
  for (bool more = true; more;) {
    const std::size_t comma = rest.find(',');
    more = comma != std::string_view::npos;
    const std::optional<int> number = whole_number<int>(rest.substr(0, comma));
    if (!number || *number < 0) refuse(argument_.value, "give all, or numbers separated by commas: 0,1");
    if (std::ranges::count(numbers, *number) != 0) refuse(argument_.value, "a device is named twice");
    numbers.push_back(*number);
    if (more) rest.remove_prefix(comma + 1);
  }
  return numbers;
}

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
  if (request.shards.directory) return Action::kFormShard;
  if (request.shards.bounds) return Action::kCutRun;
  if (request.shards.slice_plan) return Action::kMergeSlices;
  if (request.shards.ranges_plan) return Action::kSplitRanges;
  if (request.shards.shared_header) return Action::kFindHeader;
  if (request.join.kind) return Action::kJoin;
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
  for (const auto* path : {&request.order.random_source, &request.shards.bounds, &request.shards.slice_plan,
                           &request.shards.ranges_plan}) {
    if (*path) paths.push_back(**path);
  }
  if (!request.order.chromosome_list.empty()) paths.push_back(request.order.chromosome_list);
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
  // A shard is sorted in the order of --split-by; files are made of what was merged.
  const bool is_for_values = options.parts.by_first_key;
  if (request.shards.asks_for_shards() && !request.shards.ranges_plan) options.parts.by_first_key = false;
  drop_repeated_standard_input(options.inputs);
  CommandLine command;
  if (request.shards.asks_for_shards()) command.shard_task = shard_task_of(request);
  command.shard_task.shard.is_for_values = is_for_values;
  if (request.join.asks_for_join()) command.join = join_options_of(request);
  refuse_names_without_header(request, command.join ? &*command.join : nullptr);
  if (request.shards.slice_plan && request.output) {
    command.shard_task.output_offset = take_output_offset(*request.output);
  }
  if (request.output) options.output = *request.output;
  // To GNU sort it is the name of a file.
  if (request.door == Door::kGnuSort && request.output == "-") options.output = "./-";
  options.protected_files = files_read_for_options(request);
  command.action = action_of(request);
  if (request.debug) command.warnings = order_warnings(request.order, options.unique);
  command.file = request.file;
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
  defaults.unpack = defaults.objects = !as_gnu_sort;
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
  request.file.command = std::string(program);
  for (const std::string& word : words) request.file.command.append(" ").append(word);
  return finish(std::move(request));
}

}  // namespace sortie::cli
