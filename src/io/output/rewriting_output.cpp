// A target that nothing can be renamed onto without a loss: it has other names, another owner, is mounted where it is,
// or its directory may not be written. The result is completed in a scratch directory and copied over the target, which
// stays the file it was.
//
//   file without a name ── write ... ── sync ── TARGET.sortie-XXXXXX ── copy over the target, sync ── removed
//
// Until the copy begins the target is as it was. From then on the result has a name, so that it is there whatever
// happens to the copy: whoever reads the error, or a signal's message, finds it.
#include <algorithm>
#include <cerrno>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "io/output/file_outputs.hpp"
#include "io/output/result_file.hpp"
#include "io/paths/paths.hpp"

namespace sortie {
namespace {

constexpr std::size_t kRewriteBytes = 4 << 20;

/// The name of the result's scratch file if it has to be found.
std::string scratch_path(const std::string& directory, const std::string& target) {
  return directory + "/" + temporary_name(name_in_directory(target));
}

class RewritingOutput final : public Output {
 public:
  RewritingOutput(FileSystem& files, const std::string& path, const FileStatus& target,
                  const std::string& scratch_directory, TemporaryNames* names)
      : files_(files),
        path_(files.resolve_links(path)),
        target_(files, path_, target.bytes),
        scratch_directory_(scratch_directory),
        result_(files, scratch_directory, scratch_path(scratch_directory, path_), {0600, scratch_directory, true},
                names) {}

  void write(std::span<const std::byte> bytes) override { result_.write(bytes); }
  void expect(std::uint64_t bytes) override;
  void write_around_cache() override {
    result_.write_around_cache();
    target_.write_around_cache();
  }
  void finish() override;

 private:
  FileSystem& files_;
  std::string path_;
  RewrittenTarget target_;
  std::string scratch_directory_;
  ResultFile result_;
};

void RewritingOutput::expect(std::uint64_t bytes) {
  result_.expect(bytes);
  if (bytes <= target_.old_bytes()) return;
  if (files_.free_space(path_).bytes < bytes - target_.old_bytes()) {
    throw_io_error("reserve space for", quote_path(path_), ENOSPC, FileRole::kOutput);
  }
}

void RewritingOutput::finish() {
  std::vector<std::byte> buffer(static_cast<std::size_t>(std::min<std::uint64_t>(kRewriteBytes, result_.bytes())));
  result_.complete();
  result_.file().sync();
  const std::string where = "the complete result is in " + quote_path(result_.temporary_path());
  result_.keep(quote_path(path_) + " is incomplete; " + where);
  try {
    result_.file().sync();  // some file systems keep no record of a file without a name
    files_.sync_directory(scratch_directory_);
    target_.make_room(result_.bytes());
    target_.copy(result_.file(), result_.temporary_path(), FileRole::kScratch, result_.bytes(), buffer);
  } catch (const std::exception& error) {
    if (target_.is_changed()) throw Error(std::string(error.what()) + "; " + where);
    result_.drop();
    throw;
  }
  result_.drop();
}

}  // namespace

std::unique_ptr<Output> make_rewriting_output(FileSystem& files, const std::string& path, const FileStatus& target,
                                              const std::string& scratch_directory, TemporaryNames* names) {
  return std::make_unique<RewritingOutput>(files, path, target, scratch_directory, names);
}

void RewrittenTarget::make_room(std::uint64_t bytes) {
  if (bytes <= old_bytes_) return;
  is_changed_ = true;
  try {
    file_->allocate(bytes);
  } catch (const Error&) {
    file_->truncate(old_bytes_);
    is_changed_ = false;
    throw;
  }
}

void RewrittenTarget::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  is_changed_ = true;
  file_->write_at(offset, bytes);
}

void RewrittenTarget::finish(std::uint64_t bytes) {
  is_changed_ = true;
  file_->truncate(bytes);
  file_->sync();
}

void RewrittenTarget::copy(File& source, const std::string& source_path, FileRole role, std::uint64_t bytes,
                           std::span<std::byte> buffer) {
  for (std::uint64_t offset = 0; offset < bytes;) {
    const std::size_t got = source.read_at(offset, buffer);
    if (got == 0) throw_io_error("read", quote_path(source_path), EIO, role);
    write_at(offset, buffer.first(got));
    offset += got;
  }
  finish(bytes);
}

}  // namespace sortie
