// Who may read and write a file that takes another's place: the same as before, and never more. Used by the POSIX
// files.
#pragma once

#include <cstdint>
#include <string>

#include "io/files/file.hpp"

namespace sortie {

/// The access control list that a file has beside its permission bits, as the system stores it; empty if it has none.
std::string access_list_of(const std::string& path);

/// Gives the file owner, group, access control list and permission bits of `status`, but never set-user-ID and
/// set-group-ID. If group or list cannot be set, the group gets no more than all others. A status of kMissing stands
/// for the usual permissions of a new file. Returns false with errno set if that fails.
bool set_permissions(int descriptor, const FileStatus& status);

}  // namespace sortie
