// Names of files of a running sort that would be left behind if the process ended now. For programs that clean up when
// a signal ends them: SortOptions::temporary_names.
//
// Few sorts have any: scratch files have no names, and the output has none before it is complete, unless its file
// system has no files without a name.
#pragma once

#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace sortie {

/// Thread-safe. Must outlive the sorts that are given it.
class TemporaryNames {
 public:
  /// Lives from before a file gets the name until the file has lost it again.
  class Entry {
   public:
    /// `names` may be null: then nobody cleans up.
    Entry(TemporaryNames* names, std::string path);
    ~Entry();
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

    const std::string& path() const { return path_; }

    /// From now on the file stays where it is, and whoever ends the process prints `farewell`. An empty `farewell`
    /// takes this back.
    void keep(const std::string& farewell);

    /// TemporaryNames::hold(): hold the lock while the file is given this name.
    [[nodiscard]] std::unique_lock<std::mutex> hold() const;

   private:
    friend class TemporaryNames;

    TemporaryNames* names_;
    std::string path_;
    std::string farewell_;  // not empty if the file stays
  };

  /// Removes all files that need not stay. While the lock is held no entry begins or ends: release it only when the
  /// process is about to end.
  [[nodiscard]] std::unique_lock<std::mutex> remove_files();

  /// The farewells of files that stay. Precondition: the lock of remove_files() is held.
  std::vector<std::string> farewells() const;

  /// remove_files() waits while the lock is held. Hold it to create a file under a name that has an entry, or while a
  /// file has a name that has none.
  [[nodiscard]] std::unique_lock<std::mutex> hold() { return std::unique_lock(mutex_); }

 private:
  std::mutex mutex_;
  std::vector<const Entry*> entries_;
};

}  // namespace sortie
