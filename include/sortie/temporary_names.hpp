// Names that files of a running sort have, and that would be left behind if the process ended now. For programs that
// clean up when a signal ends them: SortOptions::temporary_names.
//
// Few sorts have any: scratch files have no names, and the output has none before it is complete, unless its file
// system knows no files without a name.
#pragma once

#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace sortie {

/// Thread-safe. Must outlive the sorts that are given it.
class TemporaryNames {
 public:
  /// From before a file gets the name until it has lost it again.
  class Entry {
   public:
    /// `names` may be null: then nobody cleans up.
    Entry(TemporaryNames* names, std::string path);
    ~Entry();
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

    const std::string& path() const { return path_; }

    /// From now on the file stays where it is, and who ends the process says `farewell`. An empty one takes this back.
    void keep(const std::string& farewell);

    /// TemporaryNames::hold(), for giving the file this name.
    [[nodiscard]] std::unique_lock<std::mutex> hold() const;

   private:
    friend class TemporaryNames;

    TemporaryNames* names_;
    std::string path_;
    std::string farewell_;  // of one that stays
  };

  /// Removes all those files that need not stay. As long as the lock is held no other entry begins or ends: let it go
  /// when the process is about to end.
  [[nodiscard]] std::unique_lock<std::mutex> remove_files();

  /// What is to be said of files that stay. Precondition: the lock of remove_files() is held.
  std::vector<std::string> farewells() const;

  /// remove_files() waits while the lock is held: for making a file with a name that has an entry, and for names that a
  /// file has no longer than that.
  [[nodiscard]] std::unique_lock<std::mutex> hold() { return std::unique_lock(mutex_); }

 private:
  std::mutex mutex_;
  std::vector<const Entry*> entries_;
};

}  // namespace sortie
