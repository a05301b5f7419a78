#include "pipeline/merge/window_pipeline.hpp"

#include <deque>
#include <exception>
#include <string>
#include <utility>

#include "base/bounded_queue.hpp"
#include "base/worker.hpp"
#include "pipeline/merge/heads_merge.hpp"

namespace sortie {
namespace {

// The lanes of one merge: lane e merges windows e, e + n, e + 2n, ... with merger e.
class WindowPipeline {
 public:
  WindowPipeline(WindowSource& windows, const ExactOrder& order, std::span<const std::unique_ptr<WindowMerger>> mergers,
                 const MergedConsumer& consumer, Observer& observer)
      : windows_(windows),
        order_(order),
        mergers_(mergers),
        consumer_(consumer),
        observer_(observer),
        lanes_(mergers.size()),
        free_places_(mergers.size() + 1) {
    for (auto& free : free_places_) free.push(true);
  }

  /// Returns the number of windows.
  std::uint64_t run() {
    const auto stop = [this] { close_all(); };
    std::vector<std::unique_ptr<Worker>> merge_workers;
    std::unique_ptr<Worker> writer;
    std::exception_ptr failure;
    std::uint64_t count = 0;
    try {
      // push_back() must not fail: it would wait for the new worker to end before the queues are closed.
      merge_workers.reserve(lanes_.size());
      writer = std::make_unique<Worker>([this] { write_windows(); }, stop);
      for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
        merge_workers.push_back(std::make_unique<Worker>([this, lane] { merge_windows(lane); }, stop));
      }
      count = load_windows();
    } catch (...) {
      failure = std::current_exception();
      close_all();
    }
    for (Lane& lane : lanes_) lane.loaded.close();
    for (const auto& worker : merge_workers) keep_first_failure(failure, *worker);
    for (Lane& lane : lanes_) lane.merged.close();
    if (writer) keep_first_failure(failure, *writer);
    if (failure) std::rethrow_exception(failure);
    return count;
  }

 private:
  struct Lane {
    HostWindows host_windows;  // for unsorted ranges; outlives the queued windows
    BoundedQueue<Window> loaded{1};
    BoundedQueue<std::unique_ptr<MergedWindow>> merged{1};
  };

  static void keep_first_failure(std::exception_ptr& failure, Worker& worker) {
    try {
      worker.join();
    } catch (...) {
      if (!failure) failure = std::current_exception();
    }
  }

  std::uint64_t load_windows() {
    std::uint64_t count = 0;
    while (free_places_[count % free_places_.size()].pop()) {
      std::optional<Window> window = windows_.next();
      if (!window || !lanes_[count % lanes_.size()].loaded.push(std::move(*window))) break;
      ++count;
    }
    return count;
  }

  void merge_windows(std::size_t lane_index) {
    observer_.name_thread("merge lane " + std::to_string(lane_index));
    Lane& lane = lanes_[lane_index];
    for (std::size_t w = lane_index; auto window = lane.loaded.pop(); w += lanes_.size()) {
      std::unique_ptr<MergedWindow> merged;
      {
        const auto span = observer_.span("merge", window->bytes);
        merged = window->in_order ? mergers_[lane_index]->merge(window->ranges)
                                  : merge_heads(order_, window->ranges, lane.host_windows);
      }
      windows_.release(*window);
      free_places_[w % free_places_.size()].push(true);
      if (!lane.merged.push(std::move(merged))) return;
    }
  }

  void write_windows() {
    observer_.name_thread("writer");
    for (std::size_t w = 0;; ++w) {
      const auto merged = lanes_[w % lanes_.size()].merged.pop();
      if (!merged) return;
      bool enough = false;
      (*merged)->drain([&](std::span<std::byte> records) {
        enough = enough || !consumer_(records);
        observer_.advance(records.size());
      });
      if (enough) return close_all();
    }
  }

  // Drops merged windows that nobody will fetch, so that a lane that waits for their memory goes on.
  void close_all() {
    for (Lane& lane : lanes_) {
      lane.loaded.close();
      lane.merged.abandon();
    }
    for (auto& free : free_places_) free.close();
  }

  WindowSource& windows_;
  const ExactOrder& order_;
  std::span<const std::unique_ptr<WindowMerger>> mergers_;
  const MergedConsumer& consumer_;
  Observer& observer_;
  std::deque<Lane> lanes_;
  std::deque<BoundedQueue<bool>> free_places_;  // one for each window that is loaded and not merged yet
};

}  // namespace

std::uint64_t merge_windows(WindowSource& windows, const ExactOrder& order,
                            std::span<const std::unique_ptr<WindowMerger>> mergers, const MergedConsumer& consumer,
                            Observer& observer) {
  return WindowPipeline(windows, order, mergers, consumer, observer).run();
}

}  // namespace sortie
