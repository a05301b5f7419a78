// Which bytes of an input belong to a shard: its whole records, behind the header that all shards share.
#pragma once

#include <cstdint>
#include <vector>

#include <sortie/shard.hpp>

#include "io/files/file.hpp"
#include "io/files/file_stretch.hpp"

namespace sortie {

struct ShardStretches {
  std::vector<FileStretch> stretches;  ///< of the header, and of the records; none of an empty file
  std::uint64_t skipped_bytes = 0;     ///< between the first byte in the range behind the header and the first record
};

/// The header and the records that begin in [request.begin, request.end), where a record that begins in front of the
/// header's end is none. Lines that begin as those of a header belong to the record in front of them: at the begin of a
/// shard they would become part of its header. Reads a little around both ends. Throws Error if the input is no plain
/// file, or its records can only be found from its beginning.
ShardStretches stretches_of_shard(FileSystem& files, const SortOptions& options, const ShardRequest& request);

/// How many lines lie between the header and the shard: in front of those that the shard counts. Reads them.
std::uint64_t lines_left_out(FileSystem& files, const SortOptions& options, const std::vector<FileStretch>& stretches);

}  // namespace sortie
