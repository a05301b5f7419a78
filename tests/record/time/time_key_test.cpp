// Keys of times: the order of their bytes is that of the moments.
#include "record/time/civil_time.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include <sortie/text_keys.hpp>

#include "record/text/record_codec.hpp"

namespace sortie {
namespace {

std::string time_key_of(const Instant& instant) {
  std::vector<std::byte> key(kTimeKeyRoom);
  const std::byte* const end = write_time_key(instant, key.data());
  return {reinterpret_cast<const char*>(key.data()), static_cast<std::size_t>(end - key.data())};
}

std::vector<Instant> moments() {
  std::vector<Instant> moments;
  for (const std::int64_t seconds : {kFirstSecond - 86'399, kFirstSecond, std::int64_t{-1}, std::int64_t{0},
                                     std::int64_t{971'186'136}, kLastSecond, kLastSecond + 86'399}) {
    for (std::uint64_t unit = 1; unit < kAttosecondsInSecond; unit *= 1000) {
      for (const std::uint64_t attoseconds : {unit - 1, unit, unit + 1, kAttosecondsInSecond - unit,
                                              kAttosecondsInSecond + unit, 2 * kAttosecondsInSecond - unit}) {
        moments.push_back({seconds, attoseconds});
      }
    }
  }
  std::mt19937_64 random(1);
  for (int i = 0; i < 1000; ++i) {
    const auto range = static_cast<std::uint64_t>(kLastSecond - kFirstSecond);
    moments.push_back({kFirstSecond + static_cast<std::int64_t>(random() % range), random() % kAttosecondsInSecond});
  }
  return moments;
}

TEST(TimeKey, OrdersAsTheMomentsDo) {
  const std::vector<Instant> all = moments();
  for (const Instant& a : all) {
    for (const Instant& b : all) {
      EXPECT_EQ(time_key_of(a).compare(time_key_of(b)) <=> 0, a <=> b);
    }
  }
}

TEST(TimeKey, HasOnlyBytesThatNeedNoEscape) {
  for (const Instant& moment : moments()) {
    for (const char byte : time_key_of(moment)) {
      const auto value = static_cast<unsigned char>(byte);
      EXPECT_TRUE(value >= 0x10 && value <= 0xF0) << unsigned{value};
    }
  }
}

TEST(TimeKey, IsShortForWholeSecondsAndMilliseconds) {
  EXPECT_EQ(time_key_of({971'186'136, 0}).size(), 5U);
  EXPECT_EQ(time_key_of({971'186'136, kAttosecondsInSecond / 4}).size(), 7U);
  EXPECT_EQ(time_key_of({971'186'136, kAttosecondsInSecond / 4 + 1}).size(), kTimeKeyRoom);
}

TEST(TimeKey, ComesBehindWhatIsNoTime) {
  for (const char* const definition : {"1:time", "1r:time", "1:time:desc"}) {
    Format format;
    format.text.keys = {parse_text_key(definition)};
    const RecordCodec codec(format, false);
    const auto encoded = [&](const std::string& line) {
      EncodedLines out;
      codec.encode(std::as_bytes(std::span(line)), 0, out);
      const auto bytes = out.bytes();
      return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    };
    const bool rising = codec.sorted_format().descending == format.text.keys[0].descending;
    const std::vector<std::string> lines = {"no time\n", "0001-01-01\n", "2000-10-10 13:55:36\n",
                                            "2000-10-10 13:55:36.001\n", "9999-12-31\n"};
    for (std::size_t i = 1; i < lines.size(); ++i) {
      const bool is_less = encoded(lines[i - 1]) < encoded(lines[i]);
      EXPECT_EQ(is_less, !format.text.keys[0].descending || rising) << definition << " " << lines[i];
    }
  }
}

}  // namespace
}  // namespace sortie
