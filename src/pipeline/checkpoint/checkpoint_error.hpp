// Error messages about a checkpoint that cannot be used. Used throughout this folder, and where kept runs are opened.
// They tell the user to remove the directory only if sorts made everything in it.
#pragma once

#include <string>

namespace sortie {

/// The checkpoint directory, as messages describe it.
struct CheckpointPlace {
  std::string directory;
  bool holds_other_files = false;  ///< files that are not a checkpoint's
};

/// Throws Error: "checkpoint 'DIRECTORY' cannot be used: REASON; REMEDY".
[[noreturn]] void refuse_checkpoint(const CheckpointPlace& place, const std::string& reason, const std::string& remedy);

/// The remedy for a checkpoint whose contents cannot be used.
std::string remedy_to_begin_anew(const CheckpointPlace& place);

/// Throws Error for damaged contents; the remedy is to begin anew.
[[noreturn]] void refuse_damaged(const CheckpointPlace& place, const std::string& reason);

}  // namespace sortie
