#include "io/output/require_folder.hpp"

#include <cerrno>

#include "base/quote.hpp"
#include "io/files/io_error.hpp"
#include "io/paths/paths.hpp"

namespace sortie {

void require_folder(FileSystem& files, const std::string& path) {
  const FileStatus status = files.target_status(directory_of(path));
  const int error_number = status.kind == FileStatus::Kind::kMissing     ? ENOENT
                           : status.kind != FileStatus::Kind::kDirectory ? ENOTDIR
                           : !status.writable                            ? EACCES
                                                                         : 0;
  if (error_number != 0) throw_io_error("open", quote_path(path), error_number, FileRole::kOutput);
}

}  // namespace sortie
