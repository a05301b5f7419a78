// Puts a file that is complete in the place of another, as the outputs of sorts come there. Used where the file was
// written by several processes, under a name of its own.
#pragma once

#include <string>

#include "io/files/file.hpp"

namespace sortie {

/// Afterwards `target` has the contents of `source`, durably, and is else what it was: mode, owner, access list, other
/// names, attributes. `source` is renamed where that is possible. Else it is copied, and stays: then the return value
/// is false. Throws Error. After an error `source` is there, and `target` is as it was, but for one that was being
/// copied to.
bool put_in_place(FileSystem& files, const std::string& source, const std::string& target);

}  // namespace sortie
