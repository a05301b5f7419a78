// Names of files of a running sort that would be left behind if the process ended now. For programs that clean up when
// a signal ends them: SortOptions::temporary_names.
//
// Few sorts have any: scratch files have no names, and the output has none before it is complete, unless its file
// system has no files without a name.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace sortie {

/// Thread-safe. Must outlive the sorts that are given it.
class TemporaryNames {
 public:
  TemporaryNames() : mutex_(*this) {}

  /// What Lock locks. Unlike std::mutex it may be tried by a signal handler.
  class Mutex {
   public:
    explicit Mutex(TemporaryNames& names) : names_(names) {}
    void lock() noexcept;
    bool try_lock() noexcept;
    void unlock() noexcept;

   private:
    TemporaryNames& names_;
    std::atomic<bool> is_held_ = false;
  };
  using Lock = std::unique_lock<Mutex>;

  /// Lives from before a file, or a directory, gets the name until it has lost it again. What lies in a directory has
  /// entries that begin later.
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
    [[nodiscard]] Lock hold() const;

   private:
    friend class TemporaryNames;

    TemporaryNames* names_;
    std::string path_;
    std::string farewell_;  // not empty if the file stays
  };

  /// Removes all files that need not stay. While the lock is held no entry begins or ends: release it only when the
  /// process is about to end.
  [[nodiscard]] Lock remove_files();

  /// The farewells of files that stay. Precondition: the lock of remove_files() is held.
  std::vector<std::string> farewells() const;

  /// For signal handlers: removes all files that need not stay and calls `end`, which does not return. If the lock is
  /// held, this returns, and whoever releases the lock does it. Async-signal-safe if `end` is.
  using End = void (*)(const TemporaryNames& names);
  void remove_files_and_end(End end) noexcept;

  /// The same as farewells(), one after another, for `end`: takes no memory.
  template <class Visit>
  void visit_farewells(const Visit& visit) const {
    for (const Entry* entry : entries_) {
      if (!entry->farewell_.empty()) visit(entry->farewell_);
    }
  }

  /// remove_files() waits while the lock is held. Hold it to create a file under a name that has an entry, or while a
  /// file has a name that has none.
  [[nodiscard]] Lock hold() { return Lock(mutex_); }

 private:
  void remove_held() const noexcept;

  Mutex mutex_;
  std::atomic<End> end_ = nullptr;  // not null: the process is to end when the mutex is free
  std::vector<const Entry*> entries_;
};

}  // namespace sortie
