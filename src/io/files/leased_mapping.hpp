// A file's bytes in memory, not copied and yet safe from whoever writes to the file. They are mapped under a read
// lease, which keeps others from opening the file for writing or cutting it short. When somebody waits to do that, a
// thread of the mapping's own copies the bytes after all and ends the lease. The system takes the lease away from a
// process that does not answer in time, because it was stopped for instance, and a disk may fail: check() reports both.
// Made by the POSIX file system's inputs.
//
//   file     |====================|==|      The last page is read, not mapped, so that the owner's memory behind the
//   memory   |      mapped        |..|      bytes stays as it is. Mapped pages can only be read.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <thread>

#include "io/files/file.hpp"
#include "io/mapping/mapping_guard.hpp"

namespace sortie {

class LeasedMapping final : public MappedCopy {
 public:
  /// Puts the bytes from `position` of the file in place of the pages at `target`, which begins with a page. Does
  /// nothing and returns null if somebody may write to the file, the file system has no leases, or the system allows
  /// no thread. The thread has the signals of the calling thread blocked, as all threads of a sort have.
  static std::unique_ptr<LeasedMapping> make(int descriptor, std::uint64_t position, std::span<std::byte> target);

  /// Ends the thread and the lease. The memory stays mapped: it belongs to the caller.
  ~LeasedMapping() override;
  LeasedMapping(const LeasedMapping&) = delete;
  LeasedMapping& operator=(const LeasedMapping&) = delete;

  Damage check() override;
  void discard() override;

 private:
  LeasedMapping(int descriptor, const FileVersion& version, std::span<std::byte> bytes, std::size_t mapped_bytes);
  bool start_watching();
  void let_go();
  void watch(const std::stop_token& stop);
  void give_way_to_writer(const std::stop_token& stop);
  bool is_asked_for_lease() const;
  bool is_file_changed() const;

  const int descriptor_;
  const FileVersion version_;  // the file's when the lease was taken
  const std::span<std::byte> bytes_;
  const std::span<std::byte> mapped_pages_;
  MappingGuard guard_;
  std::mutex mutex_;
  std::condition_variable_any waiting_;  // of the watching thread, for its end
  bool is_leased_ = true;                // guarded by the mutex: false once the bytes are copied
  bool was_changed_ = false;             // guarded by the mutex: by then
  std::jthread watcher_;
};

}  // namespace sortie
