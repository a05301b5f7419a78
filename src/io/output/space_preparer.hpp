// Makes the pages of a file ready for mapped writes ahead of the writer, on a thread of its own: on a file
// system in memory that takes longer than the writing (13 GB/s in one thread, where 16 threads then write 30),
// but there is time while the input is read. Used by ParallelWriter.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

#include "io/files/file.hpp"

namespace sortie {

class SpacePreparer {
 public:
  /// `file` must outlive this.
  explicit SpacePreparer(File& file) : file_(file) {}
  /// Stops at once.
  ~SpacePreparer();
  SpacePreparer(const SpacePreparer&) = delete;
  SpacePreparer& operator=(const SpacePreparer&) = delete;

  /// Begins to prepare the first `bytes`, which must be allocated. Does not wait.
  void extend_to(std::uint64_t bytes);

  /// Waits until all that was asked for is prepared: writing and preparing at the same time slow each other down (6
  /// GB/s where first preparing and then writing makes 7). Returns false if preparing failed.
  bool wait();

 private:
  void prepare_all();

  File& file_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t wanted_bytes_ = 0;
  std::uint64_t prepared_bytes_ = 0;
  bool has_failed_ = false;
  bool is_stopping_ = false;
  std::thread thread_;
};

}  // namespace sortie
