// Checks one rule for every program of ours, before anything is opened: a file that is read, or written for one
// purpose, must not be the target for another. Called for the sorts, checks and plans of the library, and by the tools.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/files/file.hpp"

namespace sortie {

/// A file, and what it is to the job.
struct FileUse {
  enum class Kind : std::uint8_t {
    kRead,       ///< read, or in use by others
    kInput,      ///< the same; the output may replace it
    kOutput,     ///< a target that may replace inputs
    kTarget,     ///< any other target
    kDirectory,  ///< no target may lie in it; it may be missing
  };
  Kind kind;
  std::string path;  ///< "-" is a standard stream for inputs and for what is written, else a file
  std::string name;  ///< for messages: "the trace", "an input"
};

/// Throws Error if a target has another use too, whatever paths lead to it. It need not exist yet. Terminals and
/// devices may have any number of uses; a pipe or socket must not take a report beside other output.
void refuse_shared_targets(FileSystem& files, const std::vector<FileUse>& uses);

}  // namespace sortie
