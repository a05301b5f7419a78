// Messages about a checkpoint that cannot be used. They advise to remove the directory only if sorts made everything in
// it.
#pragma once

#include <string>

namespace sortie {

/// The checkpoint directory, as messages describe it.
struct CheckpointLocation {
  std::string directory;
  bool holds_other_files = false;  ///< files that are not a checkpoint's
};

/// Throws Error: "checkpoint 'DIRECTORY' cannot be used: REASON; REMEDY".
[[noreturn]] void refuse_checkpoint(const CheckpointLocation& location, const std::string& reason,
                                    const std::string& remedy);

/// The remedy for a checkpoint whose contents cannot be used.
std::string remedy_to_begin_anew(const CheckpointLocation& location);

/// Throws Error for damaged contents; the remedy is to begin anew.
[[noreturn]] void refuse_damaged(const CheckpointLocation& location, const std::string& reason);

}  // namespace sortie
