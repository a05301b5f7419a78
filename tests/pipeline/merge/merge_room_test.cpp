// Windows that are merged where their consumer has room for them.
#include <atomic>

#include "pipeline/merge/merge_support.hpp"
#include "pipeline/merge/run_merge.hpp"

namespace sortie {
namespace {

using namespace test;

// Some windows find no room.
TEST(MergeRoom, HoldsWindowsWhereTheirConsumerHasSome) {
  const Format format = parsed("lines");
  const std::string bytes = make_records(format, Distribution::kUniform, 5000);
  const std::string expected = stable_sorted(format, bytes);
  for (const std::size_t mergers : {1, 2}) {
    StoreForTest test(format, kInFiles);
    const auto engine = make_cpu_engine(format);
    std::string room(bytes.size(), '?');
    std::atomic<int> asked = 0;
    std::uint64_t position = 0;
    int made_there = 0;
    const auto take = [&](std::span<std::byte> records) {
      EXPECT_TRUE(as_text(records) == expected.substr(position, records.size()));
      made_there += records.data() == as_writable(room).data() + position ? 1 : 0;
      position += records.size();
      return true;
    };
    const auto own_room = [&](std::uint64_t begin, std::uint64_t length, bool waits) {
      EXPECT_FALSE(waits);
      return ++asked % 3 == 0 ? std::span<std::byte>() : as_writable(room).subspan(begin, length);
    };
    auto runs = test.store_runs(sorted_ranges(format, bytes, 3));
    merge_runs(runs, test.order, make_mergers(*engine, mergers), plan_with_arena(4'000), test.observer,
               {take, nullptr, own_room});
    EXPECT_EQ(position, expected.size());
    EXPECT_GE(asked, 8);
    EXPECT_EQ(made_there, asked - asked / 3);
  }
}

}  // namespace
}  // namespace sortie
