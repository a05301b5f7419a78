#include "engine/cpu/window_merge.hpp"

#include <map>
#include <mutex>

#include <gtest/gtest.h>

#include "engine/cpu/cpu_engine.hpp"
#include "support/record_data.hpp"
#include "support/turns.hpp"
#include "support/with_threads.hpp"

namespace sortie {
namespace {

using namespace test;

std::string merge_ranges(const Format& format, const std::vector<std::string>& ranges) {
  const auto engine = make_cpu_engine(format);
  const auto merger = engine->make_window_merger({});
  std::string merged;
  merger->merge(spans_of(ranges), nullptr, {})->drain([&](std::span<std::byte> part) { merged += as_text(part); });
  return merged;
}

// What the merger shows, by position, must be what the window holds there.
void expect_all_shown(const Format& format, const std::vector<std::string>& ranges) {
  const auto engine = make_cpu_engine(format);
  const auto merger = engine->make_window_merger({});
  std::mutex mutex;
  std::map<std::uint64_t, std::string> shown;
  const auto look = [&](std::span<const std::byte> records, std::uint64_t position) {
    const std::scoped_lock lock(mutex);
    EXPECT_TRUE(shown.emplace(position, as_text(records)).second);
  };
  const auto window = merger->merge(spans_of(ranges), look, {});
  std::string all;
  for (const auto& [position, records] : shown) {
    EXPECT_EQ(position, all.size());
    all += records;
  }
  std::string merged;
  window->drain([&](std::span<std::byte> part) { merged += as_text(part); });
  EXPECT_TRUE(all == merged);
}

void expect_merged(const Format& format, const std::string& bytes, std::size_t range_count) {
  SCOPED_TRACE(std::to_string(range_count) + " ranges of " + to_string(format));
  EXPECT_TRUE(merge_ranges(format, sorted_ranges(format, bytes, range_count)) == stable_sorted(format, bytes));
}

TEST(WindowMerge, AgreesWithStableSortOnEveryFormatAndDistribution) {
  const std::vector<Format> formats = {parsed("lines"),         parsed("lines", {}, true),
                                       parsed("gensort"),       parsed("fixed:20", {"f32be@0:desc", "i8@9"}),
                                       parsed("u32"),           parsed("i32"),
                                       parsed("f64", {}, true), parsed("i64")};
  for (const Format& format : formats) {
    for (const Distribution distribution : test::turns_of(kAllDistributions)) {
      SCOPED_TRACE(to_string(distribution));
      for (const std::size_t ranges : {1, 2, 5, 17}) {
        expect_merged(format, make_records(format, distribution, 3000), ranges);
      }
    }
  }
}

TEST(WindowMerge, MergesManySubWindowsAlike) {
  // Large enough that several sub-windows are cut for every thread.
  for (const int threads : test::turns_of({1, 7})) {
    with_threads(threads, [] {
      const Format gensort = parsed("gensort");
      expect_merged(gensort, make_records(gensort, Distribution::kFewValued, 30'000), 6);
      const Format numbers = parsed("f32");
      expect_merged(numbers, make_records(numbers, Distribution::kZipf, 400'000) + special_floats<float>(5000), 3);
    });
  }
}

TEST(WindowMerge, ShowsAllRecordsWhereTheyBelong) {
  with_threads(3, [] {
    const Format lines = parsed("lines");
    expect_all_shown(lines, sorted_ranges(lines, make_records(lines, Distribution::kUniform, 200'000), 5));
    expect_all_shown(lines, {"", "a\nb\n", ""});
    expect_all_shown(lines, {"", ""});
    const Format numbers = parsed("u32");
    expect_all_shown(numbers, sorted_ranges(numbers, make_records(numbers, Distribution::kUniform, 400'000), 3));
    expect_all_shown(numbers, {"", ""});
  });
}

TEST(WindowMerge, MergesIntoRoomOfTheCaller) {
  with_threads(3, [] {
    for (const char* name : {"lines", "gensort", "u32"}) {
      const Format format = parsed(name);
      const std::string bytes = make_records(format, Distribution::kUniform, 50'000);
      const auto ranges = sorted_ranges(format, bytes, 5);
      std::string room(bytes.size() + 8, '?');
      const auto engine = make_cpu_engine(format);
      const auto merger = engine->make_window_merger({});
      const auto window = merger->merge(spans_of(ranges), nullptr, as_writable(room).first(bytes.size()));
      EXPECT_TRUE(room == stable_sorted(format, bytes) + "????????") << name;
      window->drain([&](std::span<std::byte> part) { EXPECT_EQ(part.data(), as_writable(room).data()); });
    }
  });
}

TEST(WindowMerge, TakesEmptyRanges) {
  EXPECT_EQ(merge_ranges(parsed("lines"), {"", "b\nc\n", "", "a\n", ""}), "a\nb\nc\n");
  EXPECT_EQ(merge_ranges(parsed("lines"), {"", ""}), "");
  EXPECT_EQ(merge_ranges(parsed("u32"), {"", ""}), "");
}

TEST(WindowMerge, PutsTheRecordsOfTheEarlierRangeFirst) {
  const Format format = parsed("fixed:2", {"bytes@0:1"});
  EXPECT_EQ(merge_ranges(format, {"a1a2b3", "a4b5b6", "a7"}), "a1a2a4a7b3b5b6");
}

}  // namespace
}  // namespace sortie
