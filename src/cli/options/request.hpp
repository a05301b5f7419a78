// What the command line asks for, option by option, before it is known how the options go together.
// parse_command_line() fills it and makes a CommandLine of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <sortie/options.hpp>

#include "cli/options/argument_parser.hpp"
#include "cli/options/group_options.hpp"
#include "cli/options/join_options.hpp"
#include "cli/options/option_values.hpp"
#include "cli/options/order_options.hpp"
#include "cli/options/shard_options.hpp"

namespace sortie::cli {

enum class CheckMode : std::uint8_t { kNo, kDiagnose, kQuiet };

struct Request {
  SortOptions options;
  OrderRequest order;
  JoinRequest join;
  std::optional<std::string> output;
  std::optional<std::string> input_names;  ///< the file of --files0-from
  std::optional<std::string> compress_program;
  std::optional<std::string> sample_seed;
  std::vector<Field> fields;
  GroupRequest groups;
  std::string format = "lines";
  CheckMode check = CheckMode::kNo;
  bool plan = false;
  bool explain = false;
  bool columns = false;
  bool debug = false;
  std::optional<HelpForm> help;
  bool version = false;
  bool self_test = false;
  std::optional<std::string> beside_resources;  ///< the first argument that says more than with which resources to sort
  bool zero_terminated = false;
  bool no_header = false;
  bool print_stats = false;
  std::optional<std::string> shard_directory;  ///< of --form
  std::optional<std::string> bounds;           ///< the file of --cut
  std::optional<std::string> slice_plan;       ///< the file of --merge-runs
  std::optional<ByteRange> bytes;
  std::optional<std::uint64_t> place;
  std::optional<std::uint64_t> samples;
  std::optional<std::string> shared_header;  ///< the file of --shared-header; empty: it is to be told

  /// Takes the next argument. Throws Error, UsageError.
  void apply(const Argument& argument);

 private:
  void note_other_than_resources(const Argument& argument);
  void apply_option(const Argument& argument);
  void apply_action(const Argument& argument);
  void apply_records(const Argument& argument);
  void apply_observation(const Argument& argument);
  void apply_shards(const Argument& argument);
};

}  // namespace sortie::cli
