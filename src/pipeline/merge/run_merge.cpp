#include "pipeline/merge/run_merge.hpp"

#include <algorithm>
#include <deque>
#include <numeric>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "base/parallel.hpp"
#include "pipeline/merge/window_loader.hpp"
#include "pipeline/plan/window_plan.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

// Number of first records of each run that are read ahead. Reading one takes a whole block: two of the largest blocks
// of every run fit an arena, and there is no arena yet.
constexpr std::size_t kRecordsAhead = 2;

using FirstRecord = std::vector<std::byte>;

// The blocks of one run that belong to a tie, in order.
struct TiedRun {
  Run* run = nullptr;
  std::vector<std::size_t> blocks;
  std::size_t next = 0;             // index in `blocks` of the next one to rank
  std::deque<FirstRecord> records;  // first records of blocks[next], blocks[next + 1], ...
};

FirstRecord read_first_record(const Layout& layout, const Run& run, std::size_t block) {
  const BlockRecords records(run, block);
  const Record first = first_record(layout, records.bytes());
  return {first.begin(), first.end()};
}

// Ranks the blocks of one tie by merging the runs' lists of them, which are in order.
class TieRanking {
 public:
  TieRanking(const RecordOrder& order, std::vector<TiedRun> runs) : order_(order), runs_(std::move(runs)) {}

  void rank_all() {
    const auto comes_later = [this](std::size_t a, std::size_t b) {
      const int comparison = order_.compare(runs_[a].records.front(), runs_[b].records.front());
      return comparison != 0 ? comparison > 0 : a > b;
    };
    read_ahead();
    std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(comes_later)> heads(comes_later);
    for (std::size_t r = 0; r < runs_.size(); ++r) heads.push(r);
    while (!heads.empty()) {
      const std::size_t r = heads.top();
      heads.pop();
      rank_next(runs_[r]);
      if (runs_[r].next == runs_[r].blocks.size()) continue;
      if (runs_[r].records.empty()) read_ahead();
      heads.push(r);
    }
  }

 private:
  void rank_next(TiedRun& tied) {
    FirstRecord record = std::move(tied.records.front());
    tied.records.pop_front();
    if (!last_.empty() && order_.compare(last_, record) != 0) ++rank_;
    last_ = std::move(record);
    BlockInfo& block = tied.run->blocks[tied.blocks[tied.next++]];
    std::byte rank_bytes[kRankBytes];
    store_as(rank_bytes, byte_swap(rank_));
    block.first_key.insert(block.first_key.end(), std::begin(rank_bytes), std::end(rank_bytes));
    block.key_is_cut = false;
  }

  // Reads the blocks of one run in turn, which may suit its storage best.
  void read_ahead() {
    parallel_for(0, runs_.size(), [&](std::size_t r) {
      TiedRun& tied = runs_[r];
      const std::size_t end = std::min(tied.next + kRecordsAhead, tied.blocks.size());
      for (std::size_t i = tied.next + tied.records.size(); i < end; ++i) {
        tied.records.push_back(read_first_record(order_.layout(), *tied.run, tied.blocks[i]));
      }
    });
  }

  const RecordOrder& order_;
  std::vector<TiedRun> runs_;
  FirstRecord last_;
  std::uint64_t rank_ = 0;
};

// `tie`: positions of the blocks, ordered by run and block.
std::vector<TiedRun> group_by_run(std::span<Run> runs, std::span<const WindowBound> tie) {
  std::vector<TiedRun> tied;
  for (const WindowBound& position : tie) {
    if (tied.empty() || tied.back().run != &runs[position.run]) tied.push_back({&runs[position.run], {}, 0, {}});
    tied.back().blocks.push_back(position.block);
  }
  return tied;
}

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

void resolve_truncated_keys(const RecordOrder& order, std::span<Run> runs) {
  const std::vector<WindowBound> blocks = blocks_in_order(order.plan(), runs);
  const auto info = [&](std::size_t i) -> const BlockInfo& { return runs[blocks[i].run].blocks[blocks[i].block]; };
  std::vector<std::pair<std::size_t, std::size_t>> ties;
  for (std::size_t begin = 0, end = 0; begin < blocks.size(); begin = end) {
    end = begin + 1;
    if (!info(begin).key_is_cut) continue;
    while (end < blocks.size() && compare_first_keys(order.plan(), info(begin), info(end)) == 0) ++end;
    if (end - begin > 1) ties.push_back({begin, end});
  }
  const auto rank = [&](std::size_t t) {
    const auto [begin, end] = ties[t];
    TieRanking(order, group_by_run(runs, std::span(blocks).subspan(begin, end - begin))).rank_all();
  };
  // Sequential storage must be read in order. Ties are in the order of keys, and so are the blocks of every run.
  if (std::ranges::any_of(runs, [](const Run& run) { return run.storage->is_sequential(); })) {
    for (std::size_t t = 0; t < ties.size(); ++t) rank(t);
  } else {
    parallel_for(0, ties.size(), rank);
  }
}

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
