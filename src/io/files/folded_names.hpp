// Names that differ and reach one file nevertheless: many file systems take letters in either case for the same, or the
// ways in which accents can be written, or drop dots and blanks at the end of a name (vfat, exfat, SMB, ext4 with
// casefold, FUSE). Only the file system knows which. Device and inode do not say: some that are made with FUSE number
// names, not files. Used wherever a file must not be another one.
#pragma once

#include <string>
#include <string_view>

#include "io/files/file.hpp"

namespace sortie {

/// Whether two different names may be one for some file system: they agree but for case, dots and blanks at the end,
/// and whatever is not ASCII.
bool may_be_one_name(std::string_view a, std::string_view b);

/// Whether the two names are one in `directory`, which ends in a slash, or is ".". Makes an empty file there under a
/// hidden name, and removes it. False if none can be made.
bool are_one_name(FileSystem& files, const std::string& directory, const std::string& a, const std::string& b);

/// Whether two paths, which may be links, lead into one directory, by different names that are one there.
bool lead_to_one_name(FileSystem& files, const std::string& path, const std::string& other);

/// Whether names in `directory` may be one that differ in case, or in how an accent is written. Found out as by
/// are_one_name().
bool folds_names(FileSystem& files, const std::string& directory);

}  // namespace sortie
