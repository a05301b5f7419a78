#include "cli/options/group_options.hpp"

#include <sortie/error.hpp>

namespace sortie::cli {

// The options are called as their aggregates are.
void GroupRequest::apply(const Argument& argument) {
  if (argument.option->id == OptionId::kGroup) {
    groups = true;
  } else {
    columns.push_back({*aggregate_kind(argument.option->long_name), argument.value});
  }
}

std::optional<Grouping> GroupRequest::make(const Format& format) const {
  if (!groups) {
    for (const Column& column : columns) {
      if (column.kind != AggregateKind::kCount) throw Error("option --" + to_string(column.kind) + " needs --group");
    }
    return std::nullopt;
  }
  Grouping grouping;
  for (const Column& column : columns) {
    Aggregate& aggregate = grouping.aggregates.emplace_back();
    aggregate.kind = column.kind;
    if (column.kind != AggregateKind::kCount) aggregate.place = parse_aggregate_place(column.word, format.text);
  }
  return grouping;
}

}  // namespace sortie::cli
