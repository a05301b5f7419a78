#include "pipeline/merge/final_merge.hpp"

#include <algorithm>
#include <deque>
#include <exception>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "base/bounded_queue.hpp"
#include "base/worker.hpp"
#include "pipeline/merge/cut_keys.hpp"
#include "pipeline/merge/window_loader.hpp"

namespace sortie {
namespace {

// The lanes of one merge: lane e merges windows e, e + n, e + 2n, ... with merger e.
class WindowPipeline {
 public:
  WindowPipeline(WindowLoader& loader, std::vector<WindowBound> bounds,
                 std::span<const std::unique_ptr<WindowMerger>> mergers, const MergedConsumer& consumer,
                 Observer& observer)
      : loader_(loader),
        bounds_(std::move(bounds)),
        mergers_(mergers),
        consumer_(consumer),
        observer_(observer),
        lanes_(mergers.size()),
        free_arenas_(mergers.size() + 1) {
    for (auto& free : free_arenas_) free.push(true);
  }

  void run() {
    const auto stop = [this] { close_all(); };
    std::vector<std::unique_ptr<Worker>> merge_workers;
    std::unique_ptr<Worker> writer;
    std::exception_ptr failure;
    try {
      merge_workers.reserve(lanes_.size());  // one that cannot be kept would be waited for before the queues are closed
      writer = std::make_unique<Worker>([this] { write_windows(); }, stop);
      for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
        merge_workers.push_back(std::make_unique<Worker>([this, lane] { merge_windows(lane); }, stop));
      }
      load_windows();
    } catch (...) {
      failure = std::current_exception();
      close_all();
    }
    for (Lane& lane : lanes_) lane.loaded.close();
    for (const auto& worker : merge_workers) keep_first_failure(failure, *worker);
    for (Lane& lane : lanes_) lane.merged.close();
    if (writer) keep_first_failure(failure, *writer);
    if (failure) std::rethrow_exception(failure);
  }

 private:
  struct Lane {
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

  void load_windows() {
    for (std::size_t w = 0; w <= bounds_.size(); ++w) {
      if (!free_arenas_[w % free_arenas_.size()].pop()) return;
      Window window = loader_.load(w < bounds_.size() ? std::optional(bounds_[w]) : std::nullopt);
      if (!lanes_[w % lanes_.size()].loaded.push(std::move(window))) return;
    }
  }

  void merge_windows(std::size_t lane_index) {
    observer_.name_thread("merge lane " + std::to_string(lane_index));
    Lane& lane = lanes_[lane_index];
    for (std::size_t w = lane_index; auto window = lane.loaded.pop(); w += lanes_.size()) {
      std::unique_ptr<MergedWindow> merged;
      {
        const auto span = observer_.span("merge", window->bytes);
        merged = mergers_[lane_index]->merge(window->ranges);
      }
      loader_.check_runs();
      loader_.release(*window);
      free_arenas_[w % free_arenas_.size()].push(true);
      if (!lane.merged.push(std::move(merged))) return;
    }
  }

  void write_windows() {
    observer_.name_thread("writer");
    for (std::size_t w = 0; w <= bounds_.size(); ++w) {
      const auto merged = lanes_[w % lanes_.size()].merged.pop();
      if (!merged) return;
      (*merged)->drain([this](std::span<std::byte> records) {
        consumer_(records);
        observer_.advance(records.size());
      });
    }
  }

  // A window that nobody will fetch makes room for the one that a lane is waiting to merge.
  void close_all() {
    for (Lane& lane : lanes_) {
      lane.loaded.close();
      lane.merged.abandon();
    }
    for (auto& free : free_arenas_) free.close();
  }

  WindowLoader& loader_;
  std::vector<WindowBound> bounds_;
  std::span<const std::unique_ptr<WindowMerger>> mergers_;
  const MergedConsumer& consumer_;
  Observer& observer_;
  std::deque<Lane> lanes_;
  std::deque<BoundedQueue<bool>> free_arenas_;
};

}  // namespace

RunMerge::RunMerge(const RecordOrder& order, std::span<const std::unique_ptr<WindowMerger>> mergers,
                   const MemoryPlan& plan, Observer& observer, MemoryPinner pin)
    : order_(order), mergers_(mergers), plan_(plan), observer_(observer), pin_(std::move(pin)) {}

// What the arena takes, and every engine at once: a window may have a block more of every run than was planned.
std::uint64_t RunMerge::window_bytes_for(std::span<const Run> runs) const {
  const std::vector<std::uint64_t> largest = largest_blocks(runs);
  std::uint64_t bytes = window_bytes(plan_.arena_bytes, largest);
  const std::uint64_t overhang = std::accumulate(largest.begin(), largest.end(), std::uint64_t{0});
  for (const auto& merger : mergers_) {
    const std::uint64_t best = merger->best_window_bytes();
    bytes = std::min(bytes, std::max(best - std::min(best, overhang), best / 2));
  }
  return bytes;
}

std::uint64_t RunMerge::merge(std::span<Run> runs, const MergedConsumer& consumer) {
  resolve_cut_keys(order_, runs);
  std::vector<WindowBound> bounds = plan_windows(order_.plan(), runs, window_bytes_for(runs));
  const std::uint64_t window_count = bounds.size() + 1;
  WindowLoader loader(order_, runs, mergers_.size() + 1, plan_.arena_bytes, pin_, observer_);
  WindowPipeline(loader, std::move(bounds), mergers_, consumer, observer_).run();
  return window_count;
}

}  // namespace sortie
