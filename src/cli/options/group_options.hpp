// The options that ask for groups and what is made of them. parse_command_line() collects and uses them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sortie/format.hpp>
#include <sortie/grouping.hpp>

#include "cli/options/argument_parser.hpp"

namespace sortie::cli {

struct GroupRequest {
  /// An aggregate as it is written. What its column means is known when all options are.
  struct Column {
    AggregateKind kind = AggregateKind::kCount;
    std::string word;
  };

  bool groups = false;
  std::vector<Column> columns;

  /// Takes --group, --count, or an option of another aggregate.
  void apply(const Argument& argument);

  /// Whether --count asks for numbers in front of lines.
  bool counts_lines() const { return !groups && !columns.empty(); }

  /// What the options ask for; nothing if they ask for no groups. Throws Error, also for aggregates of no groups.
  std::optional<Grouping> make(const Format& format) const;
};

}  // namespace sortie::cli
