#include "io/output/put_in_place.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "io/files/io_error.hpp"
#include "io/output/file_outputs.hpp"
#include "io/paths/paths.hpp"

namespace sortie {
namespace {

constexpr std::size_t kCopiedBytes = 4 << 20;

void copy_over(FileSystem& files, const std::string& source_path, const std::string& target_path,
               std::uint64_t old_bytes) {
  const std::unique_ptr<File> source = files.open_input(source_path);
  RewrittenTarget target(files, target_path, old_bytes);
  const std::uint64_t bytes = source->size();
  std::vector<std::byte> buffer(kCopiedBytes);
  target.make_room(bytes);
  try {
    target.copy(*source, source->path(), FileRole::kOutput, bytes, buffer);
  } catch (const Error& error) {
    throw Error(std::string(error.what()) + "; the complete result is in " + quote_path(source_path));
  }
}

}  // namespace

bool put_in_place(FileSystem& files, const std::string& source, const std::string& target) {
  const std::string path = files.resolve_links(target);
  const FileStatus status = files.target_status(path);
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
