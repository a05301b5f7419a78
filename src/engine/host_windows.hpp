// Merged windows in host memory: all of the CPU engine's, and those that are too large for a GPU. Two buffers take
// turns: one is filled while the other is drained.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "base/function_ref.hpp"
#include "base/memory_region.hpp"
#include "base/slot_pool.hpp"
#include "base/thread_team.hpp"
#include "engine/engine.hpp"

namespace sortie {

class HostWindow : public MergedWindow {
 public:
  /// `buffer` is this window's as long as it holds the slot, and is given back if it is longer than `most_kept`. With
  /// `room`, as long as the window, it lies there, and `buffer` is given back now: both would be too much memory.
  /// Throws Error if the system has no memory.
  HostWindow(std::size_t bytes, SlotPool::Slot slot, MemoryRegion& buffer, std::uint64_t most_kept,
             std::span<std::byte> room)
      : slot_(std::move(slot)), buffer_(buffer), most_kept_(most_kept), bytes_(room) {
    if (room.empty() && buffer_.size() >= bytes) {
      bytes_ = buffer_.bytes().first(bytes);
      return;
    }
    buffer_ = MemoryRegion();
    if (!room.empty()) return;
    buffer_ = MemoryRegion(bytes);
    bytes_ = buffer_.bytes().first(bytes);
  }

  ~HostWindow() override {
    if (buffer_.size() > most_kept_) buffer_ = MemoryRegion();
  }
  HostWindow(const HostWindow&) = delete;
  HostWindow& operator=(const HostWindow&) = delete;

  /// The merger fills these with the merged records.
  std::span<std::byte> bytes() const { return bytes_; }

  std::uint64_t byte_count() const override { return bytes_.size(); }
  void drain(const PartConsumer& consumer) override {
    if (!bytes_.empty()) consumer(bytes_);
  }

 private:
  SlotPool::Slot slot_;
  MemoryRegion& buffer_;
  std::uint64_t most_kept_;
  std::span<std::byte> bytes_;
};

class HostWindows {
 public:
  /// `usual_bytes`: the memory of longer windows, which long records need, is not kept for later ones.
  explicit HostWindows(std::uint64_t usual_bytes = ~std::uint64_t{0}) : usual_bytes_(usual_bytes) {}

  /// A window of `bytes`, which must not outlive this; it lies in `room` if that is not empty. Waits while as many are
  /// in use as may exist. Throws Error if the system has no memory.
  std::unique_ptr<HostWindow> begin(std::uint64_t bytes, std::span<std::byte> room = {}) {
    SlotPool::Slot slot = free_.acquire();
    MemoryRegion& buffer = buffers_[slot.number()];
    return std::make_unique<HostWindow>(static_cast<std::size_t>(bytes), std::move(slot), buffer, usual_bytes_, room);
  }

 private:
  std::uint64_t usual_bytes_;
  std::array<MemoryRegion, WindowMerger::kMostWindows> buffers_;
  SlotPool free_{WindowMerger::kMostWindows};
};

/// A merger that fills host memory.
class HostWindowMerger : public WindowMerger {
 public:
  /// See HostWindows.
  explicit HostWindowMerger(std::uint64_t usual_bytes = ~std::uint64_t{0}) : windows_(usual_bytes) {}

  /// Larger windows are merged no faster, and take memory that nobody has touched yet.
  std::uint64_t best_window_bytes() const override { return parallel_threads() * kBestBytesPerThread; }

  std::unique_ptr<MergedWindow> merge(std::span<const std::span<const std::byte>> ranges,
                                      const PartConsumer::Look& look, std::span<std::byte> room) final {
    std::uint64_t bytes = 0;
    for (const auto& range : ranges) bytes += range.size();
    std::unique_ptr<HostWindow> window = windows_.begin(bytes, room);
    const std::span<std::byte> output = window->bytes();
    merge_into(ranges, output, [&](std::span<const std::byte> records) {
      if (look) look(records, static_cast<std::uint64_t>(records.data() - output.data()));
    });
    return window;
  }

 protected:
  /// Is shown all merged records, each by the thread that has merged it.
  using Show = FunctionRef<void(std::span<const std::byte> records)>;

  /// `output` is as long as all ranges together.
  virtual void merge_into(std::span<const std::span<const std::byte>> ranges, std::span<std::byte> output,
                          Show show) = 0;

 private:
  static constexpr std::uint64_t kBestBytesPerThread = 32 << 20;

  HostWindows windows_;
};

}  // namespace sortie
