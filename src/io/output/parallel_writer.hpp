// Writes parts of a file at known offsets with all threads: on a disk if that is faster than with one, in memory
// always. Owned by ResultFile, and by FileRunStorage for runs whose space ScratchRuns has prepared. Both have records
// made in huge pages of the file, where there are some, and let go of these behind what is written.
//
// pwrite() holds the file's lock: one file takes 3 to 5 GB/s on tmpfs, however many threads write. Through mapped
// memory 16 threads write 40 GB/s to huge pages that have been made, 16 to small ones that are reserved, 4 if they are
// not (16 cores, Linux 6.18). Eight threads make huge pages at 17 GB/s, one reserves small ones at 5 to 11. Two threads
// gain nothing: 4.1 to 2.8 GB/s where pwrite() has 5.2 to 4.6 (2 cores, tmpfs).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <future>
#include <list>
#include <mutex>
#include <span>

#include "base/task_thread.hpp"
#include "io/files/file.hpp"

namespace sortie {

/// How parts of a file on a disk are written: found out by measuring, because it depends on the file system, the disk
/// and the number of cores. Pure: bytes and seconds in, a decision out.
enum class WriteWay : std::uint8_t {
  kCalls,   ///< pwrite() by one thread: several wait for each other
  kMapped,  ///< mapped memory, filled by all threads
};

/// The two ways take turns for the first parts; whichever was faster writes the rest.
class WriteWayChoice {
 public:
  /// Bytes written each way before the choice is made: they take some milliseconds, more than a stray wait.
  static constexpr std::uint64_t kTrialBytes = 64 << 20;

  /// The way for the next part.
  WriteWay next() const;

  /// Records how long a part took.
  void record(WriteWay way, std::uint64_t bytes, double seconds);

 private:
  struct Trial {
    std::uint64_t bytes = 0;
    double seconds = 0;
  };

  Trial calls_;
  Trial mapped_;
};

/// Makes the pages of a file ready for mapped writes ahead of the writer, on threads of its own: there is time while
/// the input is read. Small pages are reserved by one thread at a time, since the file has one lock; huge pages are
/// made, and cleared, by several.
class SpacePreparer {
 public:
  /// As many as suit the team.
  static constexpr std::size_t kAnyThreads = ~std::size_t{0};

  /// `file` must outlive this.
  explicit SpacePreparer(File& file, std::size_t most_threads = kAnyThreads)
      : file_(file), most_threads_(most_threads) {}
  /// Stops at once.
  ~SpacePreparer() {
    is_stopping_ = true;
    for (Worker& worker : workers_) worker.thread.ask_to_end();
  }
  SpacePreparer(const SpacePreparer&) = delete;
  SpacePreparer& operator=(const SpacePreparer&) = delete;

  /// Begins to prepare the first `bytes`, which must be allocated. `wants_huge`: what no thread has
  /// begun with gets huge pages, if these can be had. Waits only where no thread can be started.
  void extend_to(std::uint64_t bytes, bool wants_huge);

  /// How much was asked for, if all of it has huge pages by now; 0 otherwise.
  std::uint64_t huge_bytes();

  /// Waits until all that was asked for is prepared: writing and preparing at the same time slow each other down (6
  /// GB/s where first preparing and then writing makes 7). Returns false if preparing failed.
  bool wait();

 private:
  struct Range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  struct Worker {
    TaskThread thread;
    std::future<void> prepared;  // all that it was asked for
  };

  Range take_range();
  void prepare(const Range& range);
  bool prepare_huge(const Range& range);
  void prepare_small(const Range& range);

  File& file_;
  std::size_t most_threads_;
  std::atomic<bool> has_failed_ = false;
  std::atomic<bool> is_stopping_ = false;
  std::atomic<bool> wants_huge_ = false;
  std::atomic<bool> is_huge_refused_ = false;  // once, so for all that follows
  std::mutex mutex_;
  std::uint64_t wanted_bytes_ = 0;  // guarded by it
  std::uint64_t taken_bytes_ = 0;   // guarded by it: of these, prepared or being prepared
  std::uint64_t huge_bytes_ = 0;    // guarded by it: of these, prepared while huge pages were to be had
  std::mutex small_pages_mutex_;    // held by the thread that prepares small pages
  std::list<Worker> workers_;
};

class ParallelWriter {
 public:
  /// In memory a file of at least this many bytes has huge pages: outputs, and runs. 16 threads sort 1 GB of lines in
  /// 0.79 of the time for it, and in 0.83 those of 10 GB with runs of 350 MB. Where few threads write, small pages are
  /// faster: a virtual machine may have given its free memory back to its host, in large blocks; to take it again costs
  /// ten times as much as to clear it, while small pages mostly come from what is left of blocks (1 GB on two cores: 3
  /// to 5 s of the system for 0.7 to 1.1).
  static constexpr std::uint64_t kLeastHugeBytes = 64 << 20;

  /// Whether a file of so many bytes has huge pages if it lies in memory and the system has some.
  static bool may_make_huge_pages(std::uint64_t bytes);

  /// `most_preparers`: most threads that make its pages ready. `least_huge_bytes`: tests have less data.
  explicit ParallelWriter(File& file, std::uint64_t least_huge_bytes = kLeastHugeBytes,
                          std::size_t most_preparers = SpacePreparer::kAnyThreads);

  /// Reserves the space of the first `bytes` and extends the file to that length; does nothing where unsupported.
  /// Throws Error if there is too little space.
  void reserve(std::uint64_t bytes);

  /// Writes around the system's cache from now on: see File. Mapped memory is that cache.
  void write_around_cache() {
    if (always_maps_) return;
    may_map_ = false;
    file_.write_around_cache();
  }

  /// End of the reserved space: the file may be longer than what was written.
  std::uint64_t reserved_bytes() const { return reserved_bytes_; }

  /// Writes all of `part` at `offset`; what was made there, in early_room(), is not copied. One call at a time. Throws
  /// Error as File::write_at() does.
  void write_at(std::uint64_t offset, std::span<const std::byte> part);

  /// Whether write_early() may write by now: huge pages have been made for all that is reserved. Thread-safe.
  bool takes_early() { return preparer_.huge_bytes() != 0; }
  /// The file's memory at `offset`, once takes_early() is true; empty if the file does not have all of it. `waits`: for
  /// the huge pages that are being made, and is not called beside write_at() then. Thread-safe.
  std::span<std::byte> early_room(std::uint64_t offset, std::uint64_t bytes, bool waits);
  /// Copies `bytes` to `offset`, on the calling thread, unless they were made there. Returns false if takes_early()
  /// does, or if they cannot be written so. Several threads at once, also beside write_at(). Throws Error if the file
  /// has lost memory that they were made in.
  bool write_early(std::uint64_t offset, std::span<const std::byte> bytes);
  /// Tells that all bytes before `end` have been written: they need no longer be memory of this process, too. One call
  /// at a time, also beside write_early() of later bytes.
  void finish_early(std::uint64_t end);

 private:
  bool can_map(std::uint64_t offset, std::size_t bytes);
  bool lies_at(std::uint64_t offset, std::span<const std::byte> bytes) const;
  void expect_intact_view() const;
  void write_slices(std::uint64_t offset, std::span<const std::byte> part);

  File& file_;
  std::size_t threads_;
  bool may_map_;
  bool always_maps_;  ///< the file lies in memory; on a disk choice_ decides
  std::uint64_t least_huge_bytes_;
  std::uint64_t reserved_bytes_ = 0;
  WriteWayChoice choice_;
  std::once_flag is_viewed_;
  WritableView view_;                            ///< of the huge pages that are filled early
  std::atomic<std::uint64_t> viewed_bytes_ = 0;  ///< of the file; the view's last page may reach beyond
  std::uint64_t let_go_bytes_ = 0;               ///< of these, no longer memory of this process
  std::mutex calls_;  ///< held by the thread that writes by pwrite() while others write through mapped memory
  SpacePreparer preparer_;
};

}  // namespace sortie
