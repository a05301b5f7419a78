#include "io/output/open_output.hpp"

#include <cerrno>
#include <exception>
#include <utility>

#include <sortie/system_file_error.hpp>

#include "base/quote.hpp"
#include "base/system_limits.hpp"
#include "io/files/io_error.hpp"
#include "io/files/scratch.hpp"
#include "io/output/compressed_output.hpp"
#include "io/output/file_outputs.hpp"
#include "io/output/stream_output.hpp"
#include "io/paths/paths.hpp"

namespace sortie {
namespace {

[[noreturn]] void refuse(const std::string& path, int error_number) {
  throw_io_error("open", quote_path(path), error_number, FileRole::kOutput);
}

/// Where the result waits until it is complete and copied over its target: in the directories for scratch files, or, if
/// none are named, in the usual one or beside the target, wherever there is more room.
std::string waiting_directory(FileSystem& files, const std::string& path,
                              const std::vector<std::string>& scratch_directories) {
  const ScratchSpace scratch(files, scratch_directories);
  if (!scratch_directories.empty()) return scratch.roomiest_directory();
  std::vector<std::string> usable;
  for (const std::string& directory : {scratch.directories().front(), directory_of(files.resolve_links(path))}) {
    const FileStatus status = files.target_status(directory);
    if (status.kind == FileStatus::Kind::kDirectory && status.writable) usable.push_back(directory);
  }
  // The error that follows names the directory.
  if (usable.empty()) return scratch.directories().front();
  return ScratchSpace(files, usable).roomiest_directory();
}

bool are_too_many_open(int error_number) { return error_number == EMFILE || error_number == ENFILE; }

/// Whether no file could be made for a reason that lies in the place.
bool may_not_be_there(int error_number) {
  return error_number == EACCES || error_number == EPERM || error_number == EROFS || error_number == ENOENT ||
         error_number == ENOTDIR;
}

/// The result is kept in memory if no directory can hold it, or if its descriptor is needed elsewhere.
template <class Open>
std::unique_ptr<Output> open_or_hold(FileSystem& files, const std::string& path, TemporaryNames* names,
                                     HeldResult& held, bool (*can_be_held)(int), Open open) {
  try {
    if (descriptors_are_scarce()) refuse(path, EMFILE);
    return open();
  } catch (const SystemFileError& error) {
    if (!can_be_held(error.error_number())) throw;
    held.is_used = true;
    return make_held_output(files, path, names, held.most_bytes, std::current_exception());
  }
}

std::unique_ptr<Output> open_target(FileSystem& files, const std::string& path, TemporaryNames* names,
                                    const std::vector<std::string>& scratch_directories, HeldResult& held) {
  if (path.empty()) refuse(path, ENOENT);
  const bool is_standard_output = path == "-";
  const FileStatus status = is_standard_output ? FileStatus() : files.target_status(path);
  if (is_standard_output || status.is_stream()) {
    auto stream = std::make_unique<StreamOutput>(files.open_stream(path, status));
    if (status.kind == FileStatus::Kind::kRegular) stream->cut_off_the_rest();
    return stream;
  }
  const bool is_there = status.kind == FileStatus::Kind::kRegular;
  if (status.kind == FileStatus::Kind::kDirectory || status.lacks_directory) refuse(path, EISDIR);
  // A rename would replace a read-only file: its owner said otherwise.
  if (is_there && !status.writable) refuse(path, status.write_error);
  if (!is_there || status.replaceable) {
    return open_or_hold(files, path, names, held, are_too_many_open,
                        [&] { return make_replacing_output(files, path, status, names); });
  }
  const auto cannot_wait = [](int error_number) {
    return are_too_many_open(error_number) || may_not_be_there(error_number);
  };
  return open_or_hold(files, path, names, held, cannot_wait, [&] {
    const std::string directory = waiting_directory(files, path, scratch_directories);
    return make_rewriting_output(files, path, status, directory, names);
  });
}

}  // namespace

std::unique_ptr<Output> open_output(FileSystem& files, const std::string& path, const Packing& packing,
                                    TemporaryNames* names, const std::vector<std::string>& scratch_directories,
                                    HeldResult* held) {
  const CompressionFormat format = packing.by_suffix ? format_of_output(path) : CompressionFormat::kNone;
  HeldResult usual;
  return compress_output(open_target(files, path, names, scratch_directories, held != nullptr ? *held : usual), format,
                         packing);
}

std::string result_directory(FileSystem& files, const std::string& path,
                             const std::vector<std::string>& scratch_directories) {
  if (path == "-") return {};
  const FileStatus status = files.target_status(path);
  if (status.is_stream()) return {};
  if (status.kind == FileStatus::Kind::kRegular && !status.replaceable) {
    try {
      return waiting_directory(files, path, scratch_directories);
    } catch (const SystemFileError&) {
      return {};  // one of those that are named is missing
    }
  }
  return directory_of(files.resolve_links(path));
}

}  // namespace sortie
