// Makes the pages of a file ready for mapped writes ahead of the writer, on a thread of its own: on a file
// system in memory that takes longer than the writing (13 GB/s in one thread, where 16 threads then write 30),
// but there is time while the input is read. Used by ParallelWriter.
#pragma once

#include <atomic>
#include <cstdint>
#include <future>

#include "base/task_thread.hpp"
#include "io/files/file.hpp"

namespace sortie {

class SpacePreparer {
 public:
  /// `file` must outlive this.
  explicit SpacePreparer(File& file) : file_(file) {}
  /// Stops at once.
  ~SpacePreparer() { is_stopping_ = true; }
  SpacePreparer(const SpacePreparer&) = delete;
  SpacePreparer& operator=(const SpacePreparer&) = delete;

  /// Begins to prepare the first `bytes`, which must be allocated. Waits only where no thread can be started.
  void extend_to(std::uint64_t bytes);

  /// Waits until all that was asked for is prepared: writing and preparing at the same time slow each other down (6
  /// GB/s where first preparing and then writing makes 7). Returns false if preparing failed.
  bool wait();

 private:
  void prepare(std::uint64_t begin, std::uint64_t end);

  File& file_;
  std::uint64_t wanted_bytes_ = 0;
  std::atomic<bool> has_failed_ = false;
  std::atomic<bool> is_stopping_ = false;
  std::future<void> prepared_;  // all that was asked for
  TaskThread thread_;
};

}  // namespace sortie
