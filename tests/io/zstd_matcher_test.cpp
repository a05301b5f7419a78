#include "io/output/zstd_matcher.hpp"

#include <algorithm>
#include <random>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "io/io_support.hpp"

namespace sortie {
namespace {

std::string letters(std::size_t bytes, unsigned kinds) {
  std::mt19937 random(3);
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>('a' + random() % kinds);
  return text;
}

/// Puts a block together from what is before it and from `sequences`, and checks them.
void expect_block(std::string_view before, std::string_view block, std::span<const ZSTD_Sequence> sequences) {
  std::string made(before);
  std::set<std::uint32_t> used;
  for (const ZSTD_Sequence& sequence : sequences) {
    ASSERT_GE(sequence.matchLength, ZstdMatcher::kLeastMatchBytes);
    made += block.substr(made.size() - before.size(), sequence.litLength);
    ASSERT_GE(sequence.offset, 1u);
    ASSERT_LE(sequence.offset, made.size());
    if (used.size() < 3) {
      ASSERT_TRUE(sequence.offset != 1 && sequence.offset != 4 && sequence.offset != 8) << sequence.offset;
    }
    used.insert(sequence.offset);
    for (std::size_t i = 0; i < sequence.matchLength; ++i) made += made[made.size() - sequence.offset];
  }
  made += block.substr(made.size() - before.size());
  EXPECT_TRUE(made.substr(before.size()) == block);
}

TEST(ZstdMatcher, NamesWhatIsThereAndLateTheOffsetsOfAFrameThatBegins) {
  const auto matcher = std::make_unique<ZstdMatcher>();
  for (const unsigned kinds : {1, 2, 3, 16, 200}) {
    for (const std::size_t period : {1, 3, 4, 8, 100, 1'000'000}) {
      for (const std::size_t known : {0, 7, 8, 20'000}) {
        SCOPED_TRACE(testing::Message() << kinds << " kinds, period " << period << ", " << known << " bytes known");
        std::string text = letters(known + 50'000, kinds);
        for (std::size_t i = period; i < text.size(); ++i) {
          if (i % 1000 != 0) text[i] = text[i - period];
        }
        matcher->begin(test::as_bytes(text).first(known));
        for (std::size_t at = known, bytes = 1; at < text.size(); at += bytes, bytes *= 3) {
          const std::string_view block = std::string_view(text).substr(at, bytes);
          expect_block(std::string_view(text).substr(0, at), block, matcher->find(test::as_bytes(block)));
        }
      }
    }
  }
}

TEST(ZstdMatcher, FindsTheBlockBefore) {
  const std::string text = letters(5000, 200);
  const std::string twice = text + text;
  const auto matcher = std::make_unique<ZstdMatcher>();
  matcher->begin(test::as_bytes(twice).first(0));
  matcher->find(test::as_bytes(twice).first(text.size()));
  const std::span<const ZSTD_Sequence> sequences = matcher->find(test::as_bytes(twice).subspan(text.size()));
  ASSERT_EQ(sequences.size(), 1u);
  EXPECT_EQ(sequences[0].offset, text.size());
  EXPECT_GT(sequences[0].matchLength, text.size() - 50);
}

}  // namespace
}  // namespace sortie
