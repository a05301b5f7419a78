// Files that take their places together, so that either all of them are there, or what was there before. Used for the
// parts of an output.
//
//   begin() ── write ... ── finish()     one file after another; hidden, as that of an output is
//   put_in_place()                       names, sync ── exchange with what is there, file by file ── sync directories
//
// If one file cannot take its place, those that have are taken back. A signal that would end the process waits
// meanwhile. Only a machine that stops just then, or a SIGKILL, leaves some files in their places and others not.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <sortie/temporary_names.hpp>

#include "io/files/file.hpp"
#include "io/output/output.hpp"
#include "io/output/result_file.hpp"

namespace sortie {

class FileSet {
 public:
  /// Complete files without a name are gone with the process, but each takes a descriptor: `most_open` of them are
  /// kept so, and others get hidden names. `names` may be null.
  FileSet(FileSystem& files, TemporaryNames* names, std::size_t most_open)
      : files_(files), names_(names), most_open_(most_open) {}
  /// Removes what is not in its place.
  ~FileSet();
  FileSet(const FileSet&) = delete;
  FileSet& operator=(const FileSet&) = delete;

  /// The next file. Its finish() completes it, before the next one begins. Throws Error if `path` is no place for a
  /// file that takes part in an exchange, or if the set has a file for it.
  std::unique_ptr<Output> begin(const std::string& path);

  /// Whether the set has a file for `path`.
  bool has(const std::string& path) { return paths_.contains(files_.resolve_links(path)); }

  /// Bytes of the last file that was completed.
  std::uint64_t last_bytes() const { return members_.back()->result.bytes(); }

  /// Puts all files in their places. Call once. Throws Error if not all can take them: then none has, or the message
  /// names what could not be taken back. Precondition: all are complete.
  void put_in_place();

 private:
  struct Member {
    Member(FileSystem& files, const std::string& shown, std::string resolved, const FileStatus& status,
           TemporaryNames* names);

    FileStatus target;
    std::string path;  // with links followed
    ResultFile result;

    bool is_new() const { return target.kind == FileStatus::Kind::kMissing; }
  };
  class MemberOutput;

  void complete(Member& member);
  void make_durable();
  void place_all();
  std::vector<Member*> take_back(std::size_t count) noexcept;
  void sync_directories();
  void remove_hidden() noexcept;

  FileSystem& files_;
  TemporaryNames* names_;
  std::size_t most_open_;
  std::size_t completed_ = 0;
  std::vector<std::unique_ptr<Member>> members_;
  std::unordered_set<std::string_view> paths_;  // of the members
  std::set<std::string> directories_;
};

}  // namespace sortie
