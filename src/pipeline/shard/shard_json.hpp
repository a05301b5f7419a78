// The files of a job that describe runs. What else is told as JSON is in the public header.
#pragma once

#include <string>
#include <vector>

#include <sortie/shard.hpp>

namespace sortie {

inline constexpr const char* kShardFileName = "shard.json";

/// The text of the file, with a checksum at its end. `request`: tells apart what shards were asked for.
std::string shard_file(const ShardReport& report, const std::string& request);

struct ShardFile {
  ShardReport report;
  std::string request;
};
/// Throws Error that names `file` if the text is not that of such a file, or was changed.
ShardFile parse_shard_file(const std::string& text, const std::string& file);

/// The run files of each shard, see SliceSource::runs_file. Throws Error that names `file`.
std::vector<std::vector<std::string>> parse_run_lists(const std::string& text, const std::string& file);

}  // namespace sortie
