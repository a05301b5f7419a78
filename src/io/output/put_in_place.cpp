#include "io/output/put_in_place.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "io/files/io_error.hpp"
#include "io/paths/paths.hpp"

namespace sortie {
namespace {

constexpr std::size_t kCopiedBytes = 4 << 20;

void copy(File& source, File& target, std::uint64_t bytes) {
  std::vector<std::byte> buffer(kCopiedBytes);
  for (std::uint64_t offset = 0; offset < bytes;) {
    const std::size_t got = source.read_at(offset, buffer);
    if (got == 0) throw_io_error("read", quote_path(source.path()), EIO, FileRole::kOutput);
    target.write_at(offset, std::span(buffer).first(got));
    offset += got;
  }
  target.truncate(bytes);
  target.sync();
}

// Space is reserved first, so that a full disk is found while the target is as it was.
void copy_over(FileSystem& files, const std::string& source_path, const std::string& target_path,
               std::uint64_t old_bytes) {
  const std::unique_ptr<File> source = files.open_input(source_path);
  const std::unique_ptr<File> target = files.open_target(target_path);
  const std::uint64_t bytes = source->size();
  try {
    if (bytes > old_bytes) target->allocate(bytes);
  } catch (const Error&) {
    target->truncate(old_bytes);
    throw;
  }
  try {
    copy(*source, *target, bytes);
  } catch (const Error& error) {
    throw Error(std::string(error.what()) + "; the complete result is in " + quote_path(source_path));
  }
}

}  // namespace

bool put_in_place(FileSystem& files, const std::string& source, const std::string& target) {
  const std::string path = files.resolve_links(target);
  const FileStatus status = files.status(path);
  const bool is_there = status.kind == FileStatus::Kind::kRegular;
  if (is_there && !status.writable) throw_io_error("open", quote_path(target), status.write_error, FileRole::kOutput);
  if (is_there && !status.replaceable) {
    copy_over(files, source, path, status.bytes);
    return false;
  }
  const std::unique_ptr<File> file = files.open_target(source);
  file->adopt_permissions(status);
  file->sync();
  files.rename(source, path);
  files.sync_directory(directory_of(path));
  return true;
}

}  // namespace sortie
