// The options of --join: which records are shown, by which keys of the right input, in which columns. Request collects
// them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sortie/join.hpp>

#include "cli/options/argument_parser.hpp"

namespace sortie::cli {

struct Request;

struct JoinRequest {
  std::optional<JoinKind> kind;
  std::vector<std::string> right_keys;
  std::optional<std::string> columns;
  std::optional<std::string> empty;

  /// Whether there is an option that only a join has.
  bool asks_for_join() const { return kind || !right_keys.empty() || columns || empty; }
};

/// Takes an option of the group kJoin. Throws Error.
void apply_join_option(JoinRequest& request, const Argument& argument);

/// What a join is asked for, all but its sort. Throws Error, also for options that do not go together.
/// Precondition: the request's format is made.
JoinOptions make_join(const Request& request);

}  // namespace sortie::cli
