// The files of a sort whose records come from the calling program or go to it: two names stand for its source and its
// sink, which are read and written like pipes. All other names are those of another file system. Made by sort().
#pragma once

#include <memory>
#include <string>

#include <sortie/record_stream.hpp>

#include "io/files/file.hpp"

namespace sortie {

/// No path of the options is one of these where they stand for streams.
inline constexpr const char* kSourceName = "(source)";
inline constexpr const char* kSinkName = "(sink)";

/// `files` must outlive it. Either function may be empty: then its name is one of `files`.
std::unique_ptr<FileSystem> with_caller_streams(FileSystem& files, RecordSource source, RecordSink sink);

}  // namespace sortie
