// Copies bytes to an output in the order in which they are asked for: those at places from the inputs, with all
// threads, others from memory. While one buffer is written, the next is filled.
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

  /// What is appended from now on goes to `output`, which must exist until finish_output().
  void begin_output(Output& output) { output_ = &output; }
  void append(const Place& place);
  void append(std::span<const std::byte> bytes);
  /// Waits until the output has all that was appended.
  void finish_output();

 private:
  struct Read {
    std::uint32_t input;
    std::uint64_t offset;
    std::size_t begin;  // in the buffer
    std::size_t bytes;
  };

  std::size_t room() const { return buffers_[filled_].size() - used_; }
  void add_read(const Read& read);
  void fill_and_write();
  void wait();

  PlacedFiles& files_;
  Output* output_ = nullptr;
  std::vector<MemoryRegion> buffers_;
  std::size_t filled_ = 0;  // the buffer that is filled; the other one is written
  std::size_t used_ = 0;
  std::vector<Read> reads_;
  std::future<void> written_;
  TaskThread thread_;  // destroyed first: it uses the others
};

}  // namespace sortie::formats
