// One rule for every program of ours: a file that is read, or written for one purpose, is no target for another. Here
// it is checked, before anything is opened. Called for the sorts, checks and plans of the library, and by the tools.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/file.hpp"

namespace sortie {

/// A file, and what it is to the job.
struct FileUse {
  enum class Kind : std::uint8_t {
    kRead,       ///< what is read, or in use by others
    kInput,      ///< the same; the output may replace it
    kOutput,     ///< a target that may replace inputs
    kTarget,     ///< any other target
    kDirectory,  ///< no target may lie in it; it may be missing
  };
  Kind kind;
  std::string path;  ///< "-": for an input standard input, for an output standard output, else a file of that name
  std::string name;  ///< for messages: "the trace", "an input"
};

/// Throws Error if a target is also used otherwise, whatever paths lead to it. It may be missing yet. Terminals and
/// devices may be used as often as one likes; a pipe or socket takes no report beside what else is written to it.
void refuse_shared_targets(FileSystem& files, const std::vector<FileUse>& uses);

}  // namespace sortie
