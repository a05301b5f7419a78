// The options of one sort by several processes: which part of it this process does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <sortie/join_options.hpp>
#include <sortie/shard.hpp>

#include "option/request.hpp"

namespace sortie::cli {

/// What the process does of a sort by several.
struct ShardTask {
  ShardRequest shard;                          ///< for --form
  JoinSide side = JoinSide::kLeft;             ///< of a join, for --form and --cut
  std::string file;                            ///< of the bounds, of a plan, or of the header for --form
  std::uint64_t run = 0;                       ///< for --cut, the number of the first run
  std::string cuts_file;                       ///< for --cut, where the cuts go; empty: they are printed
  std::optional<std::uint64_t> output_offset;  ///< for --merge-runs
  bool by_place = false;                       ///< the second sort of --order=input, or of a sample
  std::uint64_t most_records = 0;              ///< that its merges write
};

/// Throws Error if the options contradict each other or miss one that they need.
ShardTask shard_task_of(const option::Request& request);

/// Takes "@OFFSET" off the end of an output's name, if it is there. A last "@" alone is taken off, too: what is in
/// front of it is all of the name, whatever it ends with.
std::optional<std::uint64_t> take_output_offset(std::string& output);

}  // namespace sortie::cli
