// The ways in which a result comes to a file: beside its target and renamed onto it, copied over it, or kept in memory
// until it is complete. open_output() chooses; put_in_place() uses RewrittenTarget, too.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>

#include <sortie/temporary_names.hpp>

#include "io/files/file.hpp"
#include "io/files/io_error.hpp"
#include "io/output/output.hpp"

namespace sortie {

/// `target`: what `path` is now, missing or a regular file. `names`, here and below, may be null.
std::unique_ptr<Output> make_replacing_output(FileSystem& files, const std::string& path, const FileStatus& target,
                                              TemporaryNames* names);

/// `target`: what `path` is now, a regular file.
std::unique_ptr<Output> make_rewriting_output(FileSystem& files, const std::string& path, const FileStatus& target,
                                              const std::string& scratch_directory, TemporaryNames* names);

/// Keeps up to `most_bytes`. If more come it makes the file after all; if that is impossible, it throws `why_held`,
/// the error that kept it from being made before.
std::unique_ptr<Output> make_held_output(FileSystem& files, const std::string& path, TemporaryNames* names,
                                         std::uint64_t most_bytes, std::exception_ptr why_held);

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

}  // namespace sortie
