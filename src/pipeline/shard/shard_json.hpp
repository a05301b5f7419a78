// The file of a shard that tells of its runs. What else is told as JSON is in the public header.
#pragma once

#include <string>

#include <sortie/shard.hpp>

namespace sortie {

inline constexpr const char* kShardFileName = "shard.json";

/// The text of the file. `request`: tells apart what shards were asked for.
std::string shard_file(const ShardReport& report, const std::string& request);

struct ShardFile {
  ShardReport report;
  std::string request;
};
/// Throws Error that names `file` if the text is not that of such a file.
ShardFile parse_shard_file(const std::string& text, const std::string& file);

}  // namespace sortie
