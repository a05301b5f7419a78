// Opens an output: a file beside the target that is renamed at the end, a file that is copied over a target which
// cannot be replaced, or a stream; packed if its name says so. Called by the pipeline before it reads anything.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <sortie/temporary_names.hpp>

#include "io/files/file.hpp"
#include "io/output/output.hpp"

namespace sortie {

/// `path` "-" is standard output. Pipes, terminals and devices are written in place; a symbolic link is followed. A new
/// target gets the usual mode (0666 & ~umask), an existing one keeps its mode (and owner where permitted). Checks now
/// that the target can be written, and that its name is not that of a packed form that is not written. `names` records
/// the temporary names of files; it may be null. `scratch_directories` (empty: $TMPDIR, else /tmp) hold the result if
/// it must be copied over its target; where they cannot, and where no more files may be open, memory does, as far as
/// `held` allows (null: the usual bytes).
std::unique_ptr<Output> open_output(FileSystem& files, const std::string& path, const Packing& packing = {},
                                    TemporaryNames* names = nullptr,
                                    const std::vector<std::string>& scratch_directories = {},
                                    HeldResult* held = nullptr);

/// The directory that the result is written to before it is in its place, so that callers can look at the free space;
/// empty if the result goes to a stream, or no directory can hold it.
std::string result_directory(FileSystem& files, const std::string& path,
                             const std::vector<std::string>& scratch_directories);

}  // namespace sortie
