#include "pipeline/merge/window_pipeline.hpp"

#include <atomic>
#include <deque>
#include <future>
#include <string>
#include <utility>

#include "base/slot_pool.hpp"
#include "base/task_thread.hpp"
#include "pipeline/merge/unsorted_merge.hpp"

namespace sortie {
namespace {

// The lanes of one merge: lane e merges windows e, e + n, e + 2n, ... with merger e.
class WindowPipeline {
 public:
  WindowPipeline(WindowSource& windows, const ExactOrder& order, std::span<const std::unique_ptr<WindowMerger>> mergers,
                 const MergedConsumer& consumer, Observer& observer)
      : windows_(windows), order_(order), consumer_(consumer), observer_(observer) {
    for (std::size_t lane = 0; lane < mergers.size(); ++lane) lanes_.emplace_back(*mergers[lane], lane, observer);
    for (std::size_t slot = 0; slot <= mergers.size(); ++slot) slots_.emplace_back(1);
  }

  /// Returns the number of windows.
  std::uint64_t run() {
    std::uint64_t count = 0;
    while (do_or_end([&] { return load_window(count); })) ++count;
    if (written_.valid()) written_.get();
    return count;
  }

 private:
  // Nothing if no more windows are wanted. The window goes first.
  struct Merged {
    std::optional<SlotPool::Slot> room;
    std::unique_ptr<MergedWindow> window;
  };

  struct Lane {
    Lane(WindowMerger& lane_merger, std::size_t number, Observer& observer)
        : merger(lane_merger),
          thread([&observer, number] { observer.name_thread("merge lane " + std::to_string(number)); }) {}

    WindowMerger& merger;
    HostWindows host_windows;  // for unsorted ranges; outlives the merged windows
    // What waits for it is waiting for the output, which is no merging.
    SlotPool room{WindowMerger::kMostWindows};
    TaskThread thread;
  };

  // Returns false if there is no more window, or none is wanted.
  bool load_window(std::uint64_t number) {
    SlotPool::Slot slot = slots_[number % slots_.size()].acquire();
    if (is_over_) return false;
    std::optional<Window> window = windows_.next();
    if (!window) return false;
    const bool is_long = window->is_long;
    Lane& lane = lanes_[number % lanes_.size()];
    std::future<Merged> merged = lane.thread.post([this, &lane, window = *std::move(window), slot = std::move(slot)] {
      return do_or_end([&] { return merge(lane, window); });
    });
    written_ = writer_.post([this, merged = std::move(merged)]() mutable { do_or_end([&] { write(merged.get()); }); });
    if (is_long) std::exchange(written_, {}).get();
    return true;
  }

  Merged merge(Lane& lane, const Window& window) {
    Merged merged{lane.room.acquire(), nullptr};
    if (is_over_) return {};
    {
      const auto span = observer_.span("merge", window.bytes);
      merged.window =
          window.in_order ? lane.merger.merge(window.ranges) : merge_unsorted(order_, window.ranges, lane.host_windows);
    }
    windows_.release(window);
    return merged;
  }

  void write(const Merged& merged) {
    if (is_over_ || !merged.window) return;
    merged.window->drain([&](std::span<std::byte> records) {
      if (!is_over_ && !consumer_(records)) is_over_ = true;
      observer_.advance(records.size());
    });
  }

  // Returns what `work` returns. If it throws, the other threads do no more.
  template <class Work>
  auto do_or_end(const Work& work) -> decltype(work()) {
    try {
      return work();
    } catch (...) {
      is_over_ = true;
      throw;
    }
  }

  WindowSource& windows_;
  const ExactOrder& order_;
  const MergedConsumer& consumer_;
  Observer& observer_;
  std::atomic<bool> is_over_ = false;  // a thread has failed, or the consumer has enough
  std::deque<SlotPool> slots_;         // of one slot each: for a window that is loaded and not merged yet
  std::deque<Lane> lanes_;
  std::future<void> written_;  // the last window
  TaskThread writer_{[this] { observer_.name_thread("writer"); }};
};

}  // namespace

std::uint64_t merge_windows(WindowSource& windows, const ExactOrder& order,
                            std::span<const std::unique_ptr<WindowMerger>> mergers, const MergedConsumer& consumer,
                            Observer& observer) {
  return WindowPipeline(windows, order, mergers, consumer, observer).run();
}

}  // namespace sortie
