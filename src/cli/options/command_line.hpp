// What the user asked for: the action, and the options that the library takes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/file_format_options.hpp>
#include <sortie/join.hpp>
#include <sortie/options.hpp>

#include "cli/options/shard_options.hpp"
#include "option/request.hpp"

namespace sortie::cli {

enum class Action : std::uint8_t {
  kSort,
  kSortAnnotated,
  kJoin,
  kCheck,
  kCheckQuietly,
  kPlan,
  kExplain,
  kListColumns,
  kFindHeader,
  kFormShard,
  kCutRun,
  kMergeSlices,
  kSplitRanges,
  kSelfTest,
  kHelp,
  kVersion,
};

struct CommandLine {
  Action action = Action::kSort;
  SortOptions options = {};
  std::optional<JoinOptions> join = {};  ///< without its sort, which is `options`
  option::HelpForm help_form = option::HelpForm::kText;
  bool print_stats = false;
  ShardTask shard_task = {};               ///< for kFormShard, kCutRun, kMergeSlices and kSplitRanges
  std::vector<std::string> warnings = {};  ///< for --debug
  FileFormatOptions file = {.by_content = false};
};

/// `words` are the arguments after the program's name, `program` that name without folders: "sort" makes it behave as
/// GNU sort where Sortie goes its own way. The C library's locale must be the user's. Throws UsageError for a command
/// line that cannot be understood, Error for impossible values.
CommandLine parse_command_line(const std::vector<std::string>& words, std::string_view program);

/// The same where `defaults` hold what the words do not say, in place of the usual ones.
CommandLine parse_command_line(const std::vector<std::string>& words, std::string_view program, SortOptions defaults);

}  // namespace sortie::cli
