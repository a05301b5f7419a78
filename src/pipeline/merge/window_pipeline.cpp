#include "pipeline/merge/window_pipeline.hpp"

#include <atomic>
#include <deque>
#include <future>
#include <string>
#include <utility>

#include "base/slot_pool.hpp"
#include "base/task_thread.hpp"
#include "engine/host_windows.hpp"
#include "entries/loser_tree.hpp"
#include "entries/part_maker.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

// The rest of one range.
class Head {
 public:
  Head(const ExactOrder& order, std::span<const std::byte> range) : order_(&order), rest_(range) { find_record(); }

  bool exhausted() const { return rest_.empty(); }
  std::uint64_t word() const { return 0; }
  Record record() const { return record_; }
  const std::byte* range_end() const { return rest_.data() + rest_.size(); }
  int compare_tail(const Head& other) const { return order_->compare(record(), other.record()); }

  void advance() {
    rest_ = rest_.subspan(record_.size());
    find_record();
  }

 private:
  void find_record() {
    if (!rest_.empty()) record_ = first_record(order_->layout(), rest_);
  }

  const ExactOrder* order_;
  std::span<const std::byte> rest_;
  Record record_;  // the first one of the rest
};

/// Merges ranges of records that need not be in order: takes the least of the ranges' first records again and again
/// until none is left. For sorted ranges the result is that of any merge, for others that of GNU sort. Among equal
/// keys, an earlier range comes first. Runs on the calling thread. Waits for memory of `windows`, which must outlive
/// the result.
std::unique_ptr<MergedWindow> merge_unsorted(const ExactOrder& order,
                                             std::span<const std::span<const std::byte>> ranges, HostWindows& windows) {
  std::vector<Head> heads;
  std::uint64_t bytes = 0;
  for (const auto& range : ranges) {
    bytes += range.size();
    if (!range.empty()) heads.emplace_back(order, range);
  }
  std::unique_ptr<HostWindow> window = windows.begin(bytes);
  if (heads.empty()) return window;
  LoserTree<Head> tree(std::move(heads));
  std::byte* target = window->bytes().data();
  const std::byte* const target_end = target + bytes;
  while (!tree.top().exhausted()) {
    const Record record = tree.top().record();
    copy_record(record, tree.top().range_end(), target, target_end);
    target += record.size();
    tree.advance();
  }
  return window;
}

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
    const std::uint64_t position = std::exchange(loaded_bytes_, loaded_bytes_ + window->bytes);
    std::future<Merged> merged =
        lane.thread.post([this, &lane, position, window = *std::move(window), slot = std::move(slot)] {
          return do_or_end([&] { return merge(lane, window, position); });
        });
    written_ = writer_.post([this, merged = std::move(merged)]() mutable { do_or_end([&] { write(merged.get()); }); });
    if (is_long) std::exchange(written_, {}).get();
    return true;
  }

  // `position`: how many bytes all windows in front have.
  Merged merge(Lane& lane, const Window& window, std::uint64_t position) {
    Merged merged{lane.room.acquire(), nullptr};
    if (is_over_) return {};
    {
      const auto span = observer_.span("merge", window.bytes);
      merged.window = window.in_order ? lane.merger.merge(window.ranges, consumer_.own_look(),
                                                          consumer_.room(position, window.bytes, false))
                                      : merge_unsorted(order_, window.ranges, lane.host_windows);
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
  std::uint64_t loaded_bytes_ = 0;     // of all windows so far
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
