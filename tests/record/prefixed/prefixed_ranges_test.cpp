// Records that all threads find are those of a walk from the first one, whatever payloads pretend.
#include "record/prefixed/prefixed_records.hpp"

#include <gtest/gtest.h>

#include "record/prefixed/prefixed_oracle.hpp"
#include "record/record_scan.hpp"
#include "support/record_data.hpp"
#include "support/with_threads.hpp"

namespace sortie {
namespace {

using test::as_bytes;
using test::prefixed_record;

constexpr std::size_t kRangeBytes = 64 << 10;
constexpr std::size_t kBytes = 20 << 20;

void expect_found(const std::string& text) {
  for (const unsigned threads : {1, 3}) {
    test::with_threads(threads, [&] {
      const auto ranges = find_prefixed_records(as_bytes(text), kRangeBytes);
      const std::byte* at = as_bytes(text).data();
      for (const auto range : ranges) {
        ASSERT_EQ(range.data(), at);
        ASSERT_EQ(whole_prefixed_records(range), range.size());
        ASSERT_FALSE(range.empty());
        at += range.size();
      }
      EXPECT_EQ(bytes_of(ranges), whole_prefixed_records(as_bytes(text)));
    });
  }
}

/// Records until there are enough bytes for several sections.
std::string many(const std::function<std::string(std::mt19937_64&)>& make) {
  std::mt19937_64 random(1);
  std::string text;
  while (text.size() < kBytes) text += make(random);
  return text;
}

TEST(PrefixedRanges, HoldAllRecords) {
  expect_found("");
  expect_found(prefixed_record("", ""));
  expect_found(test::random_prefixed(1000, 1));
  expect_found(many([](auto& random) { return test::random_prefixed(5000, random()); }));
}

TEST(PrefixedRanges, AreFoundInShortSections) {
  const std::string text = many([](auto& random) { return test::random_prefixed(5000, random()); });
  for (const std::size_t bytes : {256 << 10, (256 << 10) + 1, 700'000, 2'000'000}) {
    expect_found(text.substr(0, bytes));
    expect_found(text.substr(0, whole_prefixed_records(as_bytes(text).first(bytes))));
  }
}

TEST(PrefixedRanges, EndAtARecordThatIsNotWhole) {
  const std::string text = many([](auto& random) { return test::random_prefixed(5000, random()); });
  for (const std::size_t cut : {1, 7, 100, 3'000'000, 9'000'001}) expect_found(text.substr(0, text.size() - cut));
  std::string damaged = text;
  const std::size_t begin = whole_prefixed_records(as_bytes(text).first(9 << 20));
  damaged.replace(begin, 8, "\xff\xff\xff\xff\xff\xff\xff\xff", 8);
  expect_found(damaged);
}

TEST(PrefixedRanges, AreNotMisledByRecordsWithinPayloads) {
  expect_found(many([](auto& random) {
    // Inner records end with the payload, or one byte behind or in front of it.
    const std::string inner = test::random_prefixed(random() % 3000, random());
    return prefixed_record("key", std::string(random() % 3, 'x') + inner.substr(random() % 2));
  }));
}

TEST(PrefixedRanges, AreNotMisledByZeros) {
  expect_found(many([](auto& random) { return prefixed_record("k", std::string(random() % 4000, '\0')); }));
  expect_found(std::string(kBytes, '\0'));
  expect_found(std::string(kBytes + 5, '\0'));
}

TEST(PrefixedRanges, HoldLongRecords) {
  expect_found(many([](auto& random) {
    const std::string payload(random() % 8 == 0 ? 5 << 20 : 100, static_cast<char>(random() % 2));
    return prefixed_record("key", payload);
  }));
}

}  // namespace
}  // namespace sortie
