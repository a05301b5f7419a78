// Copies bytes to outputs in the order in which they are asked for: those at places from the inputs, with all threads,
// others from memory. While one buffer is written, the next is filled. A buffer may hold the ends of many outputs, so
// that small files are written as fast as large ones.
//
//   append(place), append(bytes) ... ──▶ buffer: reads in parallel ──▶ Output::write() on another thread
//
// Used by the writers of formats that sort places.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/memory_region.hpp"
#include "base/task_thread.hpp"
#include "formats/places/placed_files.hpp"
#include "io/output/output.hpp"

namespace sortie::formats {

class PlaceCopier {
 public:
  /// `buffer_bytes`: of all buffers together, at least a few KiB. `files` must outlive this.
  PlaceCopier(PlacedFiles& files, std::uint64_t buffer_bytes);

  /// What is appended from now on goes to the output that `open` returns, which must exist until its end. `open` is
  /// called on the thread that writes, once all that was appended before is written.
  void begin_output(std::function<Output&()> open);
  void append(const Place& place);
  void append(std::span<const std::byte> bytes);
  /// Has `close` called on the thread that writes, once all that was appended before is written.
  void end_output(std::function<void()> close) { events_.push_back({used_, std::move(close)}); }
  /// Waits until all outputs have all that was appended. Throws what writing has thrown.
  void finish();

 private:
  struct Read {
    std::uint32_t input;
    std::uint64_t offset;
    std::size_t begin;  // in the buffer
    std::size_t bytes;
  };
  /// What is to be done between two bytes of a buffer.
  struct Event {
    std::size_t at;
    std::function<void()> act;
  };

  std::size_t room() const { return buffers_[filled_].size() - used_; }
  void add_read(const Read& read);
  void fill_and_write();
  void write(std::span<const std::byte> bytes, std::span<const Event> events);
  void wait();

  PlacedFiles& files_;
  Output* output_ = nullptr;  // of the thread that writes
  std::vector<MemoryRegion> buffers_;
  std::size_t filled_ = 0;  // the buffer that is filled; the other one is written
  std::size_t used_ = 0;
  std::vector<Read> reads_;
  std::vector<Event> events_;  // of that buffer: few, since an archive has 10 KiB at least
  std::future<void> written_;
  TaskThread thread_;  // destroyed first: it uses the others
};

}  // namespace sortie::formats
