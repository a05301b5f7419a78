// A target that nothing can be renamed onto without a loss: it has other names, another owner, is mounted where it is,
// or its directory may not be written. The result is completed in a scratch directory and copied over the target, which
// stays the file it was. Made by open_output() only; put_in_place() uses RewrittenTarget, too.
//
//   file without a name ── write ... ── sync ── TARGET.sortie-XXXXXX ── copy over the target, sync ── removed
//
// Until the copy begins the target is as it was. From then on the result has a name, so that it is there whatever
// happens to the copy: whoever reads the error, or a signal's message, finds it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include <sortie/temporary_names.hpp>

#include "io/files/file.hpp"
#include "io/files/io_error.hpp"
#include "io/output/output.hpp"
#include "io/output/result_file.hpp"

namespace sortie {

/// A file that is to be written over, and stays the file it is.
class RewrittenTarget {
 public:
  /// `bytes`: its size now. Links must have been followed. Throws Error if it cannot be written.
  RewrittenTarget(FileSystem& files, const std::string& path, std::uint64_t bytes)
      : old_bytes_(bytes), file_(files.open_target(path)) {}

  std::uint64_t old_bytes() const { return old_bytes_; }
  void write_around_cache() { file_->write_around_cache(); }
  /// Reserves its space, so that a full disk is found while it is as it was.
  void make_room(std::uint64_t bytes);
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes);
  /// Cuts it off behind the first `bytes`, and makes it durable.
  void finish(std::uint64_t bytes);
  /// Writes the first `bytes` of `source`, piece by piece through `buffer`, and finishes. `source_path` and `role`: as
  /// errors about the source have them.
  void copy(File& source, const std::string& source_path, FileRole role, std::uint64_t bytes,
            std::span<std::byte> buffer);
  /// Whether its contents may be other ones than before.
  bool is_changed() const { return is_changed_; }

 private:
  std::uint64_t old_bytes_;
  std::unique_ptr<File> file_;
  bool is_changed_ = false;
};

class RewritingOutput final : public Output {
 public:
  /// `target`: what `path` is now, a regular file. `names` may be null.
  RewritingOutput(FileSystem& files, const std::string& path, const FileStatus& target,
                  const std::string& scratch_directory, TemporaryNames* names);

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

}  // namespace sortie
