// Several files that replace what was there together: either all of them are in place in the end, or what was there
// before. Used for the parts of an output.
//
//   begin() ── write ... ── finish()     one file after another; hidden, as that of an output is
//   put_in_place()                       names, sync ── exchange with what is there, file by file ── sync directories
//
// Different names may reach one file: in a directory that ignores case, the form of accents, or dots at the end. If the
// directory takes the first two names for one, files get hidden names at once, so that the second file is refused when
// it begins. Before a file takes a name, the name is looked at: if it reaches a file of the set, nothing is put in
// place. Files that replace nothing go first, so that this is known before anything is replaced.
//
// If one file cannot be put in place, the others are taken back. A signal that would end the process waits meanwhile.
// Only SIGKILL or a machine that stops just then leaves some files in place and others not.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <sortie/error.hpp>
#include <sortie/temporary_names.hpp>

#include "io/files/file.hpp"
#include "io/output/output.hpp"
#include "io/output/result_file.hpp"

namespace sortie {

/// Thrown if the names of two files of a set reach the same file.
class SameFileError : public Error {
 public:
  SameFileError(std::string first, std::string second);

  const std::string& first() const { return first_; }
  const std::string& second() const { return second_; }

 private:
  std::string first_;
  std::string second_;
};

class FileSet {
 public:
  /// `most_open`: so many complete files are kept open without a name; they vanish with the process, but each takes a
  /// descriptor. Further ones get hidden names. `names` may be null.
  FileSet(FileSystem& files, TemporaryNames* names, std::size_t most_open);
  /// Removes what is not in its place.
  ~FileSet();
  FileSet(const FileSet&) = delete;
  FileSet& operator=(const FileSet&) = delete;

  /// The next file. Its finish() completes it, before the next one begins. Throws Error if `path` is no place for a
  /// file that takes part in an exchange, or if the set has a file for it; SameFileError if it has one that another
  /// name of this file stands for.
  std::unique_ptr<Output> begin(const std::string& path);

  /// Whether the set has a file for `path`.
  bool has(const std::string& path) { return paths_.contains(files_.resolve_links(path)); }

  /// True if the directory of `path` may take different names for one. Finds out once for each directory.
  bool folds_names_beside(const std::string& path);

  /// Bytes of the last file that was completed.
  std::uint64_t last_bytes() const { return members_.back()->result.bytes(); }

  /// Puts all files in their places. Call once. Throws Error, or SameFileError, if not all can take them: then none
  /// has, or the message names what could not be taken back. Precondition: all are complete.
  void put_in_place();

 private:
  struct Member {
    Member(FileSystem& files, const std::string& shown, std::string resolved, const FileStatus& status,
           const std::string& hidden, TemporaryNames* names);

    FileStatus target;
    std::string path;  // with links followed
    ResultFile result;

    bool is_new() const { return target.kind == FileStatus::Kind::kMissing; }
  };
  class MemberOutput;

  using Identity = std::pair<std::uint64_t, std::uint64_t>;  // device and inode

  void complete(Member& member);
  void refuse_same_file(const std::string& path, const std::string& hidden);
  void take_hidden_name(Member& member);
  void make_durable();
  std::vector<Member*> in_order_of_places() const;
  void place_all();
  void place(Member& member, std::span<Member* const> placed);
  std::vector<Member*> take_back(std::span<Member* const> placed) noexcept;
  void sync_directories();
  void remove_hidden() noexcept;

  FileSystem& files_;
  TemporaryNames* names_;
  std::size_t most_open_;
  std::size_t completed_ = 0;
  std::vector<std::unique_ptr<Member>> members_;
  std::unordered_set<std::string_view> paths_;  // of the members
  std::map<Identity, const Member*> replaced_;
  std::uint64_t hidden_bits_;                // make hidden names unique, the same for all members
  bool have_names_ = false;                  // some members have hidden names
  std::map<std::string, bool> directories_;  // whether they fold names
};

}  // namespace sortie
