// A file as if some stretches of it were all that there is: a shard of an input is read like a file of its own.
//
//   file     | header | ... | shard                | ... |
//   as seen  | header | shard                |
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "io/files/file.hpp"

namespace sortie {

struct FileStretch {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// The files of `files`, which must outlive it, but that `path` is opened as an input of these stretches, one behind
/// the other. Such a file has offsets and is never mapped.
std::unique_ptr<FileSystem> with_stretches(FileSystem& files, std::string path, std::vector<FileStretch> stretches);

}  // namespace sortie
