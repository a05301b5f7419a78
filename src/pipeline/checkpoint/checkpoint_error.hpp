// What is said of a checkpoint that cannot be used. Used by everything in this folder.
#pragma once

#include <string>

namespace sortie {

/// The remedy where what is kept is of no use.
std::string remedy_to_begin_anew(const std::string& directory);

/// Throws Error: "checkpoint 'DIRECTORY' cannot be used: REASON; REMEDY".
[[noreturn]] void refuse_checkpoint(const std::string& directory, const std::string& reason, const std::string& remedy);

}  // namespace sortie
