// Length-prefixed records as encoded lines: they order as their keys do, and come back as they were.
#include <gtest/gtest.h>

#include "record/prefixed/prefixed_oracle.hpp"
#include "record/text/record_codec.hpp"
#include "support/record_data.hpp"

namespace sortie {
namespace {

using test::as_bytes;
using test::prefixed_record;

class PrefixedLines : public testing::TestWithParam<bool> {
 protected:
  bool descending() const { return GetParam(); }

  std::string line_of(std::string_view record, std::uint64_t position = 0) const {
    EncodedLines out;
    codec_.encode(as_bytes(record), position, out);
    return std::string(as_text(out.bytes()));
  }

  void expect_round_trip(const std::string& record) const {
    std::string line = line_of(record, 12'345);
    ASSERT_EQ(line.find(delimiter()), line.size() - 1) << testing::PrintToString(record);
    ASSERT_EQ(codec_.original_bytes(as_bytes(line)), record.size());
    ASSERT_EQ(as_text(codec_.restore(test::as_writable(line))), record);
  }

  char delimiter() const { return codec_.sorted_format().delimiter; }

  const Format format_ = test::parsed("prefixed", {}, GetParam());
  const RecordCodec codec_ = RecordCodec::make(format_, false);
};

/// All keys of up to three bytes that have a meaning in lines, or are neighbours of such bytes.
std::vector<std::string> short_keys() {
  std::vector<std::string> keys = {""};
  for (std::size_t i = 0; keys[i].size() < 3; ++i) {
    for (const char byte : test::kBytesThatMatter.substr(0, 16)) keys.push_back(keys[i] + byte);
  }
  return keys;
}

TEST_P(PrefixedLines, OrderAsTheirKeysDo) {
  std::vector<std::string> keys = short_keys();
  std::mt19937_64 random(1);
  for (int i = 0; i < 3000; ++i) keys.push_back(test::random_bytes(random, random() % 40, test::kBytesThatMatter));
  std::ranges::sort(keys);
  if (descending()) std::ranges::reverse(keys);
  const RecordOrder order(codec_.sorted_format());
  std::string before;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    // A later position is no hindrance, and neither is the payload.
    const std::string line = line_of(prefixed_record(keys[i], i % 2 == 0 ? "\xff" : ""), keys.size() - i);
    const bool is_same_key = i > 0 && keys[i] == keys[i - 1];
    if (i > 0 && !is_same_key) {
      ASSERT_LT(order.compare(as_bytes(before), as_bytes(line)), 0) << testing::PrintToString(keys[i]);
    }
    if (i > 0) {
      ASSERT_EQ(codec_.equal_keys(as_bytes(before), as_bytes(line)), is_same_key);
    }
    before = line;
  }
}

TEST_P(PrefixedLines, KeepTheirPlacesIfKeysAreEqual) {
  const RecordOrder order(codec_.sorted_format());
  const std::string first = line_of(prefixed_record("key", "z"), 1);
  const std::string second = line_of(prefixed_record("key", "a"), 2);
  EXPECT_LT(order.compare(as_bytes(first), as_bytes(second)), 0);
}

TEST_P(PrefixedLines, ComeBackWithKeysOfEveryByte) {
  for (const std::string& key : short_keys()) expect_round_trip(prefixed_record(key, key));
  std::mt19937_64 random(2);
  for (int i = 0; i < 5000; ++i) {
    const std::string key = test::random_bytes(random, random() % 50, i % 2 == 0 ? test::kBytesThatMatter : "key");
    expect_round_trip(prefixed_record(key, test::random_bytes(random, random() % 1000, test::kBytesThatMatter)));
  }
}

TEST_P(PrefixedLines, ComeBackWithPartsOfEveryLength) {
  for (const std::size_t payload : {0, 1, 7, 8, 253, 254, 255, 508, 509, 70'000}) {
    for (std::size_t key = 0; key < 30; ++key) {
      expect_round_trip(prefixed_record(std::string(key, 'k'), std::string(payload, 'p')));
      expect_round_trip(prefixed_record(std::string(key, '\x1e'), std::string(payload, '\x1e')));
    }
  }
}

TEST_P(PrefixedLines, ReferToRecordsInPlace) {
  const std::string text = test::random_prefixed(100, 3) + prefixed_record("long", std::string(2 << 20, 'x'));
  const RecordCodec referring = codec_.referring_to(as_bytes(text));
  for (const test::PrefixedText& record : test::read_prefixed(text)) {
    EncodedLines out;
    referring.encode(as_bytes(record.raw), static_cast<std::uint64_t>(record.raw.data() - text.data()), out);
    EXPECT_EQ(as_text(out.bytes()).find(delimiter()), out.size() - 1);
    EXPECT_EQ(referring.decode(out.bytes()).data(), as_bytes(record.raw).data());
    EXPECT_EQ(referring.original_bytes(out.bytes()), record.raw.size());
  }
}

INSTANTIATE_TEST_SUITE_P(BothDirections, PrefixedLines, testing::Bool(),
                         [](const auto& suite) { return std::string(suite.param ? "descending" : "ascending"); });

}  // namespace
}  // namespace sortie
