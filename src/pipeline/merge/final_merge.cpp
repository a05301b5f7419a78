#include "pipeline/merge/final_merge.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "pipeline/merge/cut_keys.hpp"
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

}  // namespace

RunMerge::RunMerge(const RecordOrder& order, std::span<const std::unique_ptr<WindowMerger>> mergers,
                   const MemoryPlan& plan, Observer& observer, MemoryPinner pin)
    : order_(order), mergers_(mergers), plan_(plan), observer_(observer), pin_(std::move(pin)) {}

// The largest window that fits the arena and every engine. A window may hold one more block of every run than planned.
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
  WindowLoader loader(order_, runs, mergers_.size() + 1, plan_.arena_bytes, pin_, observer_);
  PlannedWindows windows(loader, std::move(bounds));
  return merge_windows(windows, ExactOrder(order_), mergers_, consumer, observer_);
}

}  // namespace sortie
