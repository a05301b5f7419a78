// The inputs that places lead to: plain files that are read again, at any offset, until the job ends. There may be more
// than a process may have open. Owned by the files of a format's job.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "formats/places/place.hpp"
#include "io/files/file.hpp"

namespace sortie::formats {

class PlacedFiles {
 public:
  /// `most_open`: so many files are kept open; 0: as many as leave the job enough descriptors.
  explicit PlacedFiles(FileSystem& files, std::size_t most_open = 0);

  /// Takes a file that has offsets, and gives its number.
  std::uint32_t add(std::unique_ptr<File> file);
  std::uint64_t bytes(std::uint32_t input) const { return inputs_[input].version.bytes; }
  const std::string& path(std::uint32_t input) const { return inputs_[input].path; }

  /// Opens it again if it has been closed. Thread-safe beside others of these, not beside add(). Throws Error if the
  /// name now leads to another file.
  std::shared_ptr<File> file(std::uint32_t input);
  /// Fills `target` from `offset` on. Throws Error if the file is shorter now. Thread-safe as file() is.
  void read(std::uint32_t input, std::uint64_t offset, std::span<std::byte> target);

  /// The same for many reads of one thread, which seldom asks for a file: threads would wait for each other.
  class Reader {
   public:
    explicit Reader(PlacedFiles& files) : files_(files) {}

    void read(std::uint32_t input, std::uint64_t offset, std::span<std::byte> target);

   private:
    PlacedFiles& files_;
    std::uint32_t input_ = 0;
    std::shared_ptr<File> file_;  // of input_
  };

  /// Throws Error if an input is another file than it was, or was written to: what was copied may be wrong.
  void check();

 private:
  struct Input {
    std::string path;
    FileVersion version;
    std::shared_ptr<File> file;  // null while it is closed
    bool is_reopened = true;     // false for what has no name to open it by
  };

  void close_one();

  FileSystem& files_;
  std::size_t most_open_;
  std::mutex mutex_;
  std::vector<Input> inputs_;
  std::vector<std::uint32_t> open_;  // of these, those that can be closed
  std::size_t next_closed_ = 0;      // in open_: the one that is closed next
};

}  // namespace sortie::formats
