// The result of a sort while it is written, before it is in its place: a file without a name, or with a temporary one
// where the file system has no files without a name. It is gone when the process ends, unless it was kept. Used by
// ReplacingOutput and RewritingOutput.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include <sortie/temporary_names.hpp>

#include "io/files/file.hpp"
#include "io/output/parallel_writer.hpp"

namespace sortie {

/// A unique name for a file that is to become `name`.
std::string temporary_name(const std::string& name);

/// Such a name for the file that is to become `path`, hidden beside it.
std::string hidden_path_beside(const std::string& path);

/// The same, made unique by `bits`. Where the file system takes two names for one, so it does these, if all of the
/// names is in them: nothing for a name that would be too long then.
std::optional<std::string> hidden_path_beside(const std::string& path, std::uint64_t bits);

/// How a file is made that takes the place of `target`, which is called `path`.
CreateOptions creation_for(const FileStatus& target, const std::string& path);

class ResultFile {
 public:
  /// Makes a file in `directory`, called `temporary_path` if it must have a name. `how.mode` is the mode of a file
  /// without a name; one with a name is for this user alone. `names` may be null.
  ResultFile(FileSystem& files, const std::string& directory, std::string temporary_path, const CreateOptions& how,
             TemporaryNames* names);
  ~ResultFile();
  ResultFile(const ResultFile&) = delete;
  ResultFile& operator=(const ResultFile&) = delete;

  File& file() { return *file_; }
  std::uint64_t bytes() const { return written_bytes_; }

  /// Appends.
  void write(std::span<const std::byte> bytes);
  /// See Output, as for the next three.
  bool takes_early() { return writer_->takes_early(); }
  bool write_early(std::uint64_t position, std::span<const std::byte> bytes) {
    return writer_->write_early(position, bytes);
  }
  std::span<std::byte> early_room(std::uint64_t position, std::uint64_t bytes, bool waits) {
    return writer_->early_room(position, bytes, waits);
  }
  void pass_over(std::uint64_t bytes) {
    written_bytes_ += bytes;
    writer_->finish_early(written_bytes_);
  }
  /// See Output.
  void write_around_cache() { writer_->write_around_cache(); }
  /// Reserves space for `bytes` in all.
  void expect(std::uint64_t bytes);
  /// Ends writing: the file gets its final length.
  void complete();

  const std::string& temporary_path() const { return name_.path(); }
  bool has_temporary_name() const { return has_name_; }
  void take_temporary_name();
  /// Renames the file to `path`, whatever is there.
  void replace(const std::string& path);
  /// Takes a file that replace() has put at `path` back to its temporary name.
  void take_back(const std::string& path);
  /// Gives the file the name `path`, and what was there the temporary name; the same again undoes it.
  void exchange(const std::string& path) { files_.exchange(name_.path(), path); }
  /// Gives the descriptor back, once all is written. The file must have its temporary name.
  void close() { file_.reset(); }

  /// Removes what has the temporary name, unless it was kept. Done at the end anyway.
  void remove() noexcept;

  /// From now on the file stays, with its temporary name, however the process ends. If a signal ends it, `farewell` is
  /// printed.
  void keep(const std::string& farewell);
  /// Removes a file that was kept.
  void drop();

 private:
  /// No file yet: what is made from then on is removed by the destructor.
  ResultFile(FileSystem& files, std::string temporary_path, TemporaryNames* names);

  FileSystem& files_;
  TemporaryNames::Entry name_;
  bool has_name_ = false;
  bool is_kept_ = false;
  std::unique_ptr<File> file_;
  std::unique_ptr<ParallelWriter> writer_;  // null when all is written: a job may have many such files
  std::uint64_t written_bytes_ = 0;
  std::uint64_t writeback_bytes_ = 0;  // of these, sent on their way to the disk
};

}  // namespace sortie
