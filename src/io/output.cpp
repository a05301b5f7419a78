#include "io/output.hpp"

#include <cerrno>

#include <sortie/quote.hpp>

#include "io/compressed_output.hpp"
#include "io/io_error.hpp"
#include "io/replacing_output.hpp"
#include "io/stream_output.hpp"

namespace sortie {
namespace {

std::unique_ptr<Output> open_target(FileSystem& files, const std::string& path, TemporaryNames* names) {
  if (path.empty()) throw_io_error("open", quote_path(path), ENOENT, FileRole::kOutput);
  const FileStatus status = files.status(path);
  if (status.kind == FileStatus::Kind::kStream) return std::make_unique<StreamOutput>(files.open_stream(path));
  if (status.kind == FileStatus::Kind::kDirectory) {
    throw_io_error("open", quote_path(path), EISDIR, FileRole::kOutput);
  }
  // A rename would replace a read-only file: its owner said otherwise.
  if (status.kind == FileStatus::Kind::kRegular && !status.writable) {
    throw_io_error("open", quote_path(path), EACCES, FileRole::kOutput);
  }
  if (status.kind == FileStatus::Kind::kRegular && !status.replaceable) {
    throw_io_error("replace", quote_path(path), EPERM, FileRole::kOutput);
  }
  return std::make_unique<ReplacingOutput>(files, path, status, names);
}

}  // namespace

std::unique_ptr<Output> open_output(FileSystem& files, const std::string& path, bool pack, TemporaryNames* names) {
  if (path == "-") return std::make_unique<StreamOutput>(files.open_stream(path));
  return compress_output(open_target(files, path, names), pack ? recognise_suffix(path) : CompressionFormat::kNone);
}

}  // namespace sortie
