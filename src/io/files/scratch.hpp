// Scratch space for runs: unnamed files spread over the given directories in turn. Made once per sort.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "io/files/file.hpp"

namespace sortie {

class ScratchSpace {
 public:
  /// No `directories`: $TMPDIR, else /tmp. They need not exist before something is kept there.
  ScratchSpace(FileSystem& files, std::vector<std::string> directories);

  /// A new unnamed file in the next directory. Thread-safe.
  std::unique_ptr<File> create();

  /// Throws Error if a directory is missing or cannot be written.
  void check() const;

  /// Free bytes over all directories (each file system counted once).
  std::uint64_t free_bytes() const;

  /// The directory with the most free bytes. One that does not say comes last: /proc holds no files of ours.
  const std::string& roomiest_directory() const;

  /// Whether what is kept in any of the directories stays in memory. False if one does not say, or is missing.
  bool lies_in_memory() const;

  /// Whether one of the directories is on this file system.
  bool uses(std::uint64_t file_system) const;

  const std::vector<std::string>& directories() const { return directories_; }

 private:
  FileSystem& files_;
  std::vector<std::string> directories_;
  std::atomic<std::uint64_t> next_{0};
};

}  // namespace sortie
