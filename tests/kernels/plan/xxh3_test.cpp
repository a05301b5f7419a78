#include "kernels/checks/xxh3.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <span>
#include <vector>

#include "base/checksum.hpp"
#include "kernels/checks/aligned_word_reader.hpp"

namespace sortie::kernels {
namespace {

constexpr std::uint64_t kSeed = 55;

/// Random words for `byte_count` bytes, and one more that must never be used.
std::vector<std::uint32_t> random_words(std::uint64_t byte_count) {
  std::mt19937 random(kSeed);
  std::vector<std::uint32_t> words(byte_count / 4 + 2);
  for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random());
  return words;
}

Checksum hash_at(const std::vector<std::uint32_t>& words, std::uint64_t skip, std::uint64_t length) {
  const AlignedWordReader<const std::uint32_t*, std::uint64_t> reader(words.data(), skip);
  return xxh3_128(reader, length, kXxh3Secret);
}

Checksum library_hash_at(const std::vector<std::uint32_t>& words, std::uint64_t skip, std::uint64_t length) {
  return hash_record(std::as_bytes(std::span(words)).subspan(skip, length));
}

TEST(Xxh3, AgreesWithTheLibraryForEveryLength) {
  const auto words = random_words(1100);
  for (std::uint64_t length = 0; length <= 1024; ++length) {
    ASSERT_EQ(hash_at(words, 0, length), library_hash_at(words, 0, length)) << length << " bytes, seed " << kSeed;
  }
}

TEST(Xxh3, AgreesWithTheLibraryForEveryAlignment) {
  const auto words = random_words(1100);
  for (std::uint64_t skip = 1; skip < 9; ++skip) {
    for (std::uint64_t length = 0; length <= 600; ++length) {
      ASSERT_EQ(hash_at(words, skip, length), library_hash_at(words, skip, length))
          << length << " bytes from byte " << skip;
    }
  }
}

TEST(Xxh3, ReaderOfWholeWordsAgrees) {
  const auto words = random_words(1100);
  for (std::uint64_t skip = 0; skip < 16; skip += 4) {
    for (std::uint64_t length = 4; length <= 600; length += 4) {
      const AlignedWordReader<const std::uint32_t*, std::uint64_t, true> reader(words.data(), skip);
      ASSERT_EQ(xxh3_128(reader, length, kXxh3Secret), library_hash_at(words, skip, length)) << length;
    }
  }
}

TEST(Xxh3, AgreesWithTheLibraryWhereBlocksOfStripesEnd) {
  const auto words = random_words(10'000);
  for (const std::uint64_t length : {1023, 1024, 1025, 1087, 1088, 1089, 2047, 2048, 2049, 3000, 9999}) {
    ASSERT_EQ(hash_at(words, 0, length), library_hash_at(words, 0, length)) << length;
  }
}

/// Words that may be read. Reading any other fails the test.
struct GuardedWords {
  const std::vector<std::uint32_t>* words;
  std::uint64_t count;

  std::uint32_t operator[](std::uint64_t index) const {
    EXPECT_LT(index, count);
    return (*words)[index];
  }
};

TEST(Xxh3, ReadsNothingBeyondTheWordOfTheLastByte) {
  const auto words = random_words(600);
  for (std::uint64_t skip = 0; skip < 4; ++skip) {
    for (std::uint64_t length = 1; length <= 500; ++length) {
      const AlignedWordReader<GuardedWords, std::uint64_t> reader({&words, (skip + length + 3) / 4}, skip);
      ASSERT_EQ(xxh3_128(reader, length, kXxh3Secret), library_hash_at(words, skip, length)) << length;
    }
  }
}

}  // namespace
}  // namespace sortie::kernels
