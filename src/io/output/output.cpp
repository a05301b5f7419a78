#include "io/output/output.hpp"

#include <cerrno>

#include "base/quote.hpp"
#include "io/files/io_error.hpp"
#include "io/files/scratch.hpp"
#include "io/output/compressed_output.hpp"
#include "io/output/replacing_output.hpp"
#include "io/output/rewriting_output.hpp"
#include "io/output/stream_output.hpp"
#include "io/paths/paths.hpp"

namespace sortie {
namespace {

/// Whether a path that leads nowhere can only be that of a directory.
bool names_directory(FileSystem& files, const std::string& path) {
  if (!path.ends_with('/')) return false;
  const std::string directory = directory_of(without_end_slashes(path));
  return files.status(directory).kind == FileStatus::Kind::kDirectory;
}

/// Where the result waits until it is complete and copied over its target: in the directories for scratch files, or, if
/// none are named, in the usual one or beside the target, wherever there is more room.
std::string waiting_directory(FileSystem& files, const std::string& path,
                              const std::vector<std::string>& scratch_directories) {
  const ScratchSpace scratch(files, scratch_directories);
  if (!scratch_directories.empty()) return scratch.roomiest_directory();
  std::vector<std::string> usable;
  for (const std::string& directory : {scratch.directories().front(), directory_of(files.resolve_links(path))}) {
    const FileStatus status = files.status(directory);
    if (status.kind == FileStatus::Kind::kDirectory && status.writable) usable.push_back(directory);
  }
  // The error that follows names the directory.
  if (usable.empty()) return scratch.directories().front();
  return ScratchSpace(files, usable).roomiest_directory();
}

std::unique_ptr<Output> open_target(FileSystem& files, const std::string& path, TemporaryNames* names,
                                    const std::vector<std::string>& scratch_directories) {
  if (path.empty()) throw_io_error("open", quote_path(path), ENOENT, FileRole::kOutput);
  const FileStatus status = files.status(path);
  if (status.is_stream()) return std::make_unique<StreamOutput>(files.open_stream(path));
  if (status.kind == FileStatus::Kind::kDirectory) {
    throw_io_error("open", quote_path(path), EISDIR, FileRole::kOutput);
  }
  const bool is_there = status.kind == FileStatus::Kind::kRegular;
  if (!is_there && names_directory(files, path)) throw_io_error("open", quote_path(path), EISDIR, FileRole::kOutput);
  // A rename would replace a read-only file: its owner said otherwise.
  if (is_there && !status.writable) throw_io_error("open", quote_path(path), status.write_error, FileRole::kOutput);
  if (!is_there || status.replaceable) return std::make_unique<ReplacingOutput>(files, path, status, names);
  return std::make_unique<RewritingOutput>(files, path, status, waiting_directory(files, path, scratch_directories),
                                           names);
}

}  // namespace

std::unique_ptr<Output> open_output(FileSystem& files, const std::string& path, const Packing& packing,
                                    TemporaryNames* names, const std::vector<std::string>& scratch_directories) {
  if (path == "-") return std::make_unique<StreamOutput>(files.open_stream(path));
  if (packing.by_suffix) refuse_foreign_suffix(path);
  return compress_output(open_target(files, path, names, scratch_directories),
                         packing.by_suffix ? recognise_suffix(path) : CompressionFormat::kNone, packing);
}

std::string result_directory(FileSystem& files, const std::string& path,
                             const std::vector<std::string>& scratch_directories) {
  if (path == "-") return {};
  const FileStatus status = files.status(path);
  if (status.is_stream()) return {};
  if (status.kind == FileStatus::Kind::kRegular && !status.replaceable) {
    return waiting_directory(files, path, scratch_directories);
  }
  return directory_of(files.resolve_links(path));
}

}  // namespace sortie
