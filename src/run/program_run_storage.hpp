// A run that a program of the user's choice compresses on its way into another storage, and decompresses on its way
// back: one process compresses the whole run, one decompresses it. Offsets count bytes before compression. Used for
// runs in unnamed files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "io/files/filter_process.hpp"
#include "run/run.hpp"

namespace sortie {

class ProgramRunStorage final : public RunStorage {
 public:
  /// `packed`: an empty storage for the program's output. The program is not started before the first write().
  ProgramRunStorage(std::string program, std::shared_ptr<RunStorage> packed);

  std::uint64_t reserve(std::uint64_t bytes) override;
  /// Precondition: all bytes before `offset` are written. Throws Error if the program cannot be run, has stopped
  /// reading, or writes much more than it reads.
  void write(std::uint64_t offset, std::span<const std::byte> bytes) override;
  /// Waits until the program has ended. Throws Error if it failed.
  void complete() override;
  /// Reading forward skips what lies between; reading backward decompresses the run from its start again. Thread-safe.
  /// Throws Error if the program cannot be run, fails, or does not give back as many bytes as went in.
  void read(std::uint64_t offset, std::span<std::byte> target) const override;
  /// Frees the stored bytes that the program has been given so far, whatever the range: nothing before the last read()
  /// can be read again. Thread-safe.
  void release(std::uint64_t offset, std::uint64_t bytes) noexcept override;
  bool in_file() const override { return true; }
  bool is_sequential() const override { return true; }
  std::string path() const override { return packed_->path(); }
  std::string remedy() const override;

 private:
  /// A stretch of the program's output in `packed_`; other runs may lie between stretches.
  struct Extent {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
  };
  /// A position in `extents_`.
  struct Position {
    std::size_t extent = 0;
    std::uint64_t bytes = 0;  // offset in the extent

    friend bool operator<(const Position& a, const Position& b) {
      return std::tie(a.extent, a.bytes) < std::tie(b.extent, b.bytes);
    }
  };
  /// A process that decompresses, and how far it has come.
  struct Reading {
    explicit Reading(const std::string& program) : process(program, FilterProcess::Work::kDecompress) {}

    FilterProcess process;
    std::uint64_t position = 0;  // offset in the run of the next byte
    Position next;               // stored bytes to fetch next
    std::vector<std::byte> fetched;
    std::size_t taken = 0;  // bytes of `fetched` that the process has taken
  };

  [[noreturn]] void refuse_to_go_on();
  void store(std::span<const std::byte> made);
  std::size_t read_some(Reading& reading, std::span<std::byte> target) const;
  void fetch(Reading& reading) const;
  void read_all(Reading& reading, std::span<std::byte> target) const;
  void skip_to(Reading& reading, std::uint64_t offset) const;
  void check_end(Reading& reading) const;
  [[noreturn]] void refuse() const;

  std::string program_;
  std::shared_ptr<RunStorage> packed_;
  std::uint64_t end_ = 0;  // offset behind the reserved bytes
  std::uint64_t packed_bytes_ = 0;
  std::vector<Extent> extents_;
  std::optional<FilterProcess> writing_;
  std::uint64_t written_bytes_ = 0;
  std::vector<std::byte> made_;  // output of `writing_`
  mutable std::mutex mutex_;
  mutable std::optional<Reading> reading_;  // guarded by mutex_
  Position released_;                       // guarded by mutex_
};

}  // namespace sortie
