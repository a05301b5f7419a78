#include "pipeline/merge/run_merge.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "pipeline/merge/truncated_keys.hpp"
#include "pipeline/merge/window_loader.hpp"

namespace sortie {
namespace {

// The windows of runs. Their ends are planned beforehand.
class PlannedWindows final : public WindowSource {
 public:
  PlannedWindows(WindowLoader& loader, std::vector<WindowBound> bounds) : loader_(loader), bounds_(std::move(bounds)) {
    loader_.read_ahead(bound_of(0));
  }

  std::optional<Window> next() override {
    if (next_ > bounds_.size()) return std::nullopt;
    Window window = loader_.load(bound_of(next_));
    ++next_;
    if (next_ <= bounds_.size()) loader_.read_ahead(bound_of(next_));
    return window;
  }
  void release(const Window& window) override {
    loader_.check_runs();
    loader_.release(window);
  }

 private:
  std::optional<WindowBound> bound_of(std::size_t window) const {
    return window < bounds_.size() ? std::optional(bounds_[window]) : std::nullopt;
  }

  WindowLoader& loader_;
  std::vector<WindowBound> bounds_;
  std::size_t next_ = 0;
};

// The largest window that fits the arena and every engine. A window may hold one more block of every run than planned.
std::uint64_t window_bytes_for(std::span<const Run> runs, std::uint64_t arena_bytes,
                               std::span<const std::unique_ptr<WindowMerger>> mergers) {
  const std::vector<std::uint64_t> largest = largest_blocks(runs);
  std::uint64_t bytes = window_bytes(arena_bytes, largest);
  const std::uint64_t overhang = std::accumulate(largest.begin(), largest.end(), std::uint64_t{0});
  for (const auto& merger : mergers) {
    const std::uint64_t best = merger->best_window_bytes();
    bytes = std::min(bytes, std::max(best - std::min(best, overhang), best / 2));
  }
  return bytes;
}

}  // namespace

std::uint64_t merge_runs(std::span<Run> runs, const RecordOrder& order,
                         std::span<const std::unique_ptr<WindowMerger>> mergers, const MemoryPlan& plan,
                         Observer& observer, const MergedConsumer& consumer, const MemoryPinner& pin) {
  resolve_truncated_keys(order, runs);
  std::vector<WindowBound> bounds = plan_windows(order.plan(), runs, window_bytes_for(runs, plan.arena_bytes, mergers));
  WindowLoader loader(order, runs, mergers.size() + 1, plan.arena_bytes, pin, observer);
  PlannedWindows windows(loader, std::move(bounds));
  return merge_windows(windows, ExactOrder(order), mergers, consumer, observer);
}

}  // namespace sortie
