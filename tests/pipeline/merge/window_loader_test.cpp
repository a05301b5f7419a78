#include "pipeline/merge/window_loader.hpp"

#include <map>
#include <mutex>
#include <numeric>

#include "base/bytes.hpp"
#include "io/output/parallel_writer.hpp"
#include "pipeline/merge/merge_support.hpp"
#include "pipeline/merge/run_merge.hpp"
#include "run/run_writer.hpp"
#include "support/with_threads.hpp"

namespace sortie {
namespace {

using namespace test;

/// A file that knows what was announced, read and released of it.
class ObservedStorage final : public RunStorage {
 public:
  std::uint64_t reserve(std::uint64_t bytes) override { return std::exchange(end_, end_ + bytes); }
  void write(std::uint64_t offset, std::span<const std::byte> bytes) override {
    const std::scoped_lock lock(mutex_);
    contents_.resize(std::max<std::size_t>(contents_.size(), offset + bytes.size()));
    std::ranges::copy(as_text(bytes), contents_.begin() + static_cast<std::ptrdiff_t>(offset));
  }
  void read(std::uint64_t offset, std::span<std::byte> target) const override {
    const std::scoped_lock lock(mutex_);
    EXPECT_TRUE(within(expected_, offset, target.size())) << "read before it was announced";
    EXPECT_FALSE(within(released_, offset, 1)) << "read after it was released";
    std::ranges::copy(std::span(as_bytes(contents_)).subspan(offset, target.size()), target.begin());
  }
  void expect_read(std::uint64_t offset, std::uint64_t bytes) const noexcept override {
    const std::scoped_lock lock(mutex_);
    add(expected_, offset, bytes);
  }
  void release(std::uint64_t offset, std::uint64_t bytes) noexcept override {
    const std::scoped_lock lock(mutex_);
    EXPECT_FALSE(within(released_, offset, 1)) << "released twice";
    add(released_, offset, bytes);
    ++releases;
  }
  bool in_file() const override { return true; }
  std::string path() const override { return "observed"; }

  std::uint64_t released_bytes() const {
    const std::scoped_lock lock(mutex_);
    return std::accumulate(released_.begin(), released_.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const auto& range) { return sum + range.second - range.first; });
  }

  std::span<const std::byte> view(std::uint64_t offset, std::uint64_t bytes) const override {
    if (!lies_in_memory) return {};
    return std::span(as_bytes(contents_)).subspan(offset, bytes);
  }
  /// Whether each range that was released ends at a multiple of `bytes`.
  bool releases_multiples_of(std::uint64_t bytes) const {
    return std::ranges::all_of(released_, [&](const auto& range) { return range.second % bytes == 0; });
  }

  std::size_t releases = 0;
  bool lies_in_memory = false;

 private:
  using Ranges = std::map<std::uint64_t, std::uint64_t>;  // begins and ends; neighbours are joined

  static void add(Ranges& ranges, std::uint64_t begin, std::uint64_t bytes) {
    std::uint64_t end = begin + bytes;
    auto next = ranges.upper_bound(begin);
    if (next != ranges.begin() && std::prev(next)->second >= begin) {
      begin = std::prev(next)->first;
      end = std::max(end, std::prev(next)->second);
    }
    while (next != ranges.end() && next->first <= end) {
      end = std::max(end, next->second);
      next = ranges.erase(next);
    }
    ranges[begin] = end;
  }
  static bool within(const Ranges& ranges, std::uint64_t begin, std::uint64_t bytes) {
    const auto next = ranges.upper_bound(begin);
    return next != ranges.begin() && std::prev(next)->second >= begin + bytes;
  }

  mutable std::mutex mutex_;
  std::string contents_;
  std::uint64_t end_ = 0;
  mutable Ranges expected_;
  Ranges released_;
};

TEST(WindowLoader, AnnouncesWhatItReadsAndGivesSpaceBackInStretches) {
  const Format format = parsed("lines");
  const RecordOrder order(format);
  SilentObserver observer;
  std::vector<sortie::Run> runs;
  std::vector<std::shared_ptr<ObservedStorage>> storages;
  for (const std::string& range : sorted_ranges(format, make_records(format, Distribution::kUniform, 60'000), 3)) {
    storages.push_back(std::make_shared<ObservedStorage>());
    RunWriter writer(order, {1, runs.size()}, storages.back(), RunWriterOptions{256, BlockCodec::kRaw, 1});
    writer.append(as_bytes(range));
    runs.push_back(writer.finish());
  }
  const auto engine = make_cpu_engine(format);
  const auto mergers = make_mergers(*engine, 2);
  std::uint64_t merged_bytes = 0;
  std::uint64_t released_half_way = 0;
  const std::uint64_t all_bytes = runs[0].record_bytes + runs[1].record_bytes + runs[2].record_bytes;
  merge_runs(runs, order, mergers, plan_with_arena(20'000), observer, [&](std::span<std::byte> records) {
    merged_bytes += records.size();
    if (released_half_way == 0 && merged_bytes > all_bytes / 2) {
      for (const auto& storage : storages) released_half_way += storage->released_bytes();
    }
    return true;
  });
  EXPECT_EQ(merged_bytes, all_bytes);
  EXPECT_GT(released_half_way, all_bytes * 2 / 5);
  for (std::size_t r = 0; r < runs.size(); ++r) {
    EXPECT_EQ(storages[r]->released_bytes(), runs[r].record_bytes);
    EXPECT_GE(storages[r]->releases, 16U);
    EXPECT_LE(storages[r]->releases, 33U) << "each takes the system a while";
  }
}

// A huge page that is given back in part is cut up, and what is left of it has small pages from then on.
TEST(WindowLoader, GivesHugePagesBackAsAWhole) {
  const Format format = parsed("lines");
  const RecordOrder order(format);
  SilentObserver observer;
  for (const bool is_long : {false, true}) {
    std::vector<sortie::Run> runs;
    std::vector<std::shared_ptr<ObservedStorage>> storages;
    for (int r = 0; r < 2; ++r) {
      storages.push_back(std::make_shared<ObservedStorage>());
      storages.back()->lies_in_memory = true;
      RunWriter writer(order, {1, runs.size()}, storages.back(), RunWriterOptions{64 << 10, BlockCodec::kRaw, 1});
      std::string lines;
      for (int i = 0; i < 40'000; ++i) lines += std::to_string(1'000'000 + 2 * i + r) + std::string(1000, 'x') + "\n";
      writer.append(as_bytes(lines));
      runs.push_back(writer.finish());
      if (is_long) runs.back().stored_bytes = ParallelWriter::kLeastHugeBytes;
    }
    with_threads(4, [&] {
      const auto engine = make_cpu_engine(format);
      merge_runs(runs, order, make_mergers(*engine, 1), plan_with_arena(9 << 20), observer, [](auto) { return true; });
    });
    for (const auto& storage : storages) {
      EXPECT_GT(storage->released_bytes(), 20U << 20);
      EXPECT_TRUE(storage->releases_multiples_of(kPageBytes));
      EXPECT_EQ(storage->releases_multiples_of(kHugePageBytes), is_long);
    }
  }
}

}  // namespace
}  // namespace sortie
