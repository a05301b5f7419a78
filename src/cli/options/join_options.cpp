#include "cli/options/join_options.hpp"

#include <utility>

#include <sortie/error.hpp>

#include "cli/options/option_values.hpp"
#include "cli/options/request.hpp"

namespace sortie::cli {
namespace {

void refuse_other_tasks(const Request& request) {
  const SortOptions& options = request.options;
  const std::pair<bool, const char*> others[] = {
      {options.key_filter == KeyFilter::kRepeated, "--repeated"},
      {options.key_filter == KeyFilter::kOnce, "--only-once"},
      {options.set_operation != SetOperation::kNone, "sets"},
      {request.groups.groups, "--group"},
      {options.count, "--count"},
      {options.unique, "--unique"},
      {options.top_records != 0, "--top"},
      {options.parts.are_wanted(), "parts"},
      {options.sample_records != 0, "--sample"},
      {options.output_order != OutputOrder::kKeys, "--order=input"},
      {request.order.shuffle, "--shuffle"},
      {request.order.jsonl, "--jsonl"},
      {static_cast<bool>(request.order.entry_start), "--entry-start"},
      {request.check != CheckMode::kNo, "--check"},
      {request.columns, "--columns"},
      {request.debug, "--debug"},
      {!options.checkpoint_directory.empty(), "--checkpoint"},
  };
  for (const auto& [is_given, name] : others) {
    if (is_given) refuse_together("--join", name);
  }
}

}  // namespace

void apply_join_option(JoinRequest& request, const Argument& argument) {
  switch (argument.option->id) {
    case OptionId::kJoin:
      request.kind = parse_join_kind(argument.value);
      return;
    case OptionId::kRightKey:
      request.right_keys.push_back(argument.value);
      return;
    case OptionId::kSelect:
      request.columns = argument.value;
      return;
    case OptionId::kEmpty:
      request.empty = argument.value;
      return;
    default:
      return;
  }
}

JoinOptions make_join(const Request& request) {
  const JoinRequest& asked = request.join;
  if (!asked.kind) {
    throw Error(std::string(!asked.right_keys.empty() ? "--right-key"
                            : asked.columns           ? "--select"
                                                      : "--empty") +
                " needs --join");
  }
  refuse_other_tasks(request);
  if (request.options.inputs.size() != 2) throw Error("--join needs two files, the left and the right one");
  JoinOptions join;
  join.kind = *asked.kind;
  join.right_keys = parse_right_keys(asked.right_keys, request.options.format.text);
  if (asked.columns) join.columns = parse_join_columns(*asked.columns);
  join.empty = asked.empty.value_or("");
  return join;
}

}  // namespace sortie::cli
