// The options of one sort by several processes: which part of it this process does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <sortie/shard.hpp>

namespace sortie::cli {

struct Request;

struct ByteRange {
  std::uint64_t begin = 0;
  std::optional<std::uint64_t> end;  ///< nothing: to the end of the input
};

/// "A-B" or "A-".
ByteRange parse_byte_range(std::string_view word);
std::uint64_t parse_place(std::string_view word);
/// At least 1.
std::uint64_t parse_sample_count(std::string_view word);

/// What the process does of a sort by several.
struct ShardTask {
  ShardRequest shard;                          ///< for --form
  std::string file;                            ///< of the bounds, of the plan, or of the header for --form
  std::uint64_t run = 0;                       ///< for --cut, the number of the first run
  std::string cuts_file;                       ///< for --cut, where the cuts go; empty: they are printed
  std::optional<std::uint64_t> output_offset;  ///< for --merge-runs
};

/// Throws Error if the options contradict each other or miss one that they need.
ShardTask shard_task_of(const Request& request);

/// Takes "@OFFSET" off the end of an output's name, if it is there. A last "@" alone is taken off, too: what is in
/// front of it is all of the name, whatever it ends with.
std::optional<std::uint64_t> take_output_offset(std::string& output);

}  // namespace sortie::cli
