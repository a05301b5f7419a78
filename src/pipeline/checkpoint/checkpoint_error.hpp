// What is said of a checkpoint that cannot be used. Used by everything in this folder, and where kept runs are opened.
// A user is told to remove the directory only if sorts have made all that is in it.
#pragma once

#include <string>

namespace sortie {

/// The directory, as messages speak of it.
struct CheckpointPlace {
  std::string directory;
  bool holds_other_files = false;  ///< than those of a checkpoint
};

/// Throws Error: "checkpoint 'DIRECTORY' cannot be used: REASON; REMEDY".
[[noreturn]] void refuse_checkpoint(const CheckpointPlace& place, const std::string& reason, const std::string& remedy);

/// The remedy where what is kept is of no use.
std::string remedy_to_begin_anew(const CheckpointPlace& place);

/// What refuse_checkpoint() says where what is kept is damaged.
[[noreturn]] void refuse_damaged(const CheckpointPlace& place, const std::string& reason);

}  // namespace sortie
