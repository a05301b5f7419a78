#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <zstd.h>

#include "io/io_support.hpp"
#include "io/output/packed_output.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

constexpr std::size_t kZstdBlock = 128 << 10;
constexpr std::size_t kZstdPiece = 2 * kZstdBlock;

std::string pack_zstd(const std::string& contents) {
  return test::pack(make_zstd_output, contents, 1 << 20, 2, std::size_t{2});
}

/// Unpacks one frame and nothing else, with the window that every reader allows, a few bytes at a time. The library
/// checks the checksum.
std::string unpack_frame(const std::string& packed) {
  EXPECT_EQ(::ZSTD_findFrameCompressedSize(packed.data(), packed.size()), packed.size());
  ZSTD_DStream* stream = ::ZSTD_createDStream();
  ::ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, 21);
  std::string contents;
  std::string part(50'000, '?');
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  for (std::size_t left = 1; left != 0;) {
    ZSTD_outBuffer out{part.data(), part.size(), 0};
    left = ::ZSTD_decompressStream(stream, &out, &in);
    EXPECT_FALSE(::ZSTD_isError(left)) << ::ZSTD_getErrorName(left);
    if (::ZSTD_isError(left) || (in.pos == in.size && out.pos == 0)) break;
    contents.append(part, 0, out.pos);
  }
  ::ZSTD_freeDStream(stream);
  EXPECT_EQ(in.pos, packed.size());
  return contents;
}

std::string noise(std::size_t bytes, std::mt19937::result_type seed = 6) {
  std::mt19937 random(seed);
  std::string text;
  while (text.size() < bytes) text += static_cast<char>(random());
  return text;
}

enum class BlockKind : unsigned { kRaw, kRun, kCompressed };

/// The kinds of the blocks of a frame, in order (RFC 8878, 3.1.1.2).
std::vector<BlockKind> blocks_of(const std::string& packed) {
  std::vector<BlockKind> kinds;
  std::size_t at = 6;
  for (bool is_last = false; !is_last;) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(packed.at(at + i)); };
    const unsigned header = byte(0) | byte(1) << 8U | byte(2) << 16U;
    is_last = (header & 1) != 0;
    kinds.push_back(static_cast<BlockKind>(header >> 1 & 3));
    at += 3 + (kinds.back() == BlockKind::kRun ? 1 : header >> 3);
  }
  EXPECT_EQ(at + 4, packed.size()) << "the checksum is behind the last block";
  return kinds;
}

void expect_kept(const std::string& contents) { EXPECT_TRUE(unpack_frame(pack_zstd(contents)) == contents); }

TEST(ZstdOutput, MakesOneFrameOfAnyLength) {
  const std::string text = test::words(9 * kZstdPiece);
  const std::string random = noise(9 * kZstdPiece);
  for (const std::size_t bytes : test::turns_of<std::size_t>(
           {0, 1, 6, 7, 8, 9, 17, kZstdBlock - 1, kZstdBlock, kZstdBlock + 1, kZstdPiece - 1, kZstdPiece,
            kZstdPiece + 1, kZstdPiece + 8, 2 * kZstdPiece, 4 * kZstdPiece, 4 * kZstdPiece + 1, 8 * kZstdPiece + 7})) {
    SCOPED_TRACE(bytes);
    expect_kept(text.substr(0, bytes));
    expect_kept(random.substr(0, bytes));
    expect_kept(std::string(bytes, '\0'));
    expect_kept(text.substr(0, bytes / 2) + random.substr(0, bytes - bytes / 2));
  }
}

TEST(ZstdOutput, MakesTheSameBytesHoweverTheyComeAndHoweverManyThreadsThereAre) {
  const std::string sampled = test::words(4 * kZstdPiece) + noise(kZstdPiece) + test::words(6 * kZstdPiece);
  for (const std::size_t bytes :
       test::turns_of({sampled.size(), kZstdPiece, 2 * kZstdPiece, 4 * kZstdPiece, 10 * kZstdPiece})) {
    const std::string contents = sampled.substr(0, bytes);
    const std::string packed = test::pack(make_zstd_output, contents, bytes, 1, std::size_t{1});
    for (const unsigned threads : {1, 2, 5}) {
      for (const std::size_t step : {std::size_t{333}, kZstdPiece, 3 * kZstdPiece + 1}) {
        EXPECT_TRUE(test::pack(make_zstd_output, contents, step, threads, std::size_t{threads}) == packed)
            << bytes << ": " << threads << " threads, " << step;
      }
    }
  }
}

TEST(ZstdOutput, MakesBlocksOfEveryKind) {
  const std::string contents =
      test::words(kZstdBlock) + noise(kZstdBlock) + std::string(kZstdPiece, 'x') + test::words(kZstdPiece);
  const std::string packed = pack_zstd(contents);
  const std::vector<BlockKind> kinds = blocks_of(packed);
  EXPECT_EQ(kinds.size(), 7u) << "six of contents, and the last one";
  EXPECT_EQ(kinds.at(0), BlockKind::kCompressed);
  EXPECT_EQ(kinds.at(1), BlockKind::kRaw);
  EXPECT_EQ(kinds.back(), BlockKind::kRaw);
  EXPECT_TRUE(unpack_frame(packed) == contents);
}

// A frame begins with the offsets 1, 4 and 8, and a block that names one of them as "the same as before" says another
// thing behind other blocks. Here those before leave other offsets behind, and the first bytes of each block repeat
// with these periods.
TEST(ZstdOutput, NoBlockTakesTheOffsetsOfAFrameThatBegins) {
  const std::string random = noise(1 << 20);
  for (const std::size_t period : test::turns_of<std::size_t>({1, 2, 4, 8, 12})) {
    for (const std::size_t run : {10, 13, 17, 40, 1000}) {
      std::string contents;
      for (std::size_t from = 0; contents.size() < 3 * kZstdPiece; from = (from + 17) % (random.size() / 2)) {
        const std::string unit = random.substr(from, period);
        const std::size_t begin = contents.size();
        while (contents.size() < begin + run) contents += unit;
        if (from % 3 == 0) contents += random.substr(random.size() / 2 + from, 5);
      }
      // Puts a period at the very beginning of blocks, behind matches with other offsets.
      for (std::size_t at = kZstdBlock; at < 3 * kZstdPiece; at += kZstdBlock) {
        for (std::size_t i = 0; i < run; ++i) contents[at + i] = contents[at + i % period];
      }
      EXPECT_TRUE(unpack_frame(pack_zstd(contents)) == contents) << period << ", " << run;
    }
  }
}

TEST(ZstdOutput, ShortPeriodsTakeNearlyNoRoom) {
  for (const std::size_t period : {1, 4, 8}) {
    const std::string unit = noise(period, 7);
    std::string contents;
    while (contents.size() < 8 * kZstdPiece) contents += unit;
    EXPECT_LT(pack_zstd(contents).size(), 800u) << period;
  }
}

// Numbers in order repeat what is four bytes before, if only in parts.
TEST(ZstdOutput, SortedNumbersAreFarSmaller) {
  std::string contents;
  for (std::uint32_t i = 0; contents.size() < 6 * kZstdPiece; ++i) {
    const std::uint32_t number = 0x12345600 + i / 50;
    contents.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  const std::string packed = pack_zstd(contents);
  EXPECT_LT(packed.size(), contents.size() / 20);
  EXPECT_TRUE(unpack_frame(packed) == contents);
}

// Random symbols of few kinds make blocks without any match, whose literals are packed all the same.
TEST(ZstdOutput, ManyMixturesComeBack) {
  std::vector<unsigned> rounds(60);
  std::iota(rounds.begin(), rounds.end(), 0);
  for (const unsigned round : test::turns_of(rounds)) {
    std::mt19937 random(round);
    std::string contents;
    while (contents.size() < 3 * kZstdPiece) {
      const std::size_t bytes = random() % (round % 2 == 0 ? 200 : 200'000);
      switch (random() % 5) {
        case 0:
          contents += test::words(bytes, random());
          break;
        case 1:
          contents += noise(bytes, random());
          break;
        case 2:
          contents += std::string(bytes, static_cast<char>(random()));
          break;
        case 3:
          for (std::size_t i = 0; i < bytes; ++i) contents += static_cast<char>('a' + random() % 16);
          break;
        default:
          if (!contents.empty()) contents += contents.substr(random() % contents.size(), bytes);
      }
    }
    EXPECT_TRUE(unpack_frame(pack_zstd(contents)) == contents) << round;
  }
}

// Each piece knows the end of the one before: what is found there again is not stored again.
TEST(ZstdOutput, LooksBackIntoThePieceBefore) {
  const std::string repeated = noise(60'000);
  std::string contents;
  while (contents.size() < 20 * kZstdPiece) contents += repeated;
  EXPECT_LT(pack_zstd(contents).size(), 2 * repeated.size());
}

std::string pack_stream(const std::string& contents, int level, std::size_t step = 1 << 20, std::size_t packers = 2) {
  return test::pack(make_zstd_stream_output, contents, step, 2, level, packers);
}

TEST(ZstdStreamOutput, MakesOneFrameAtEveryLevel) {
  const std::string text = test::words(2'200'000) + noise(100'000);  // two jobs of the library
  std::vector<int> levels(19);
  std::iota(levels.begin(), levels.end(), 1);
  for (const int level : test::turns_of(levels)) {
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, kZstdPiece, text.size()}) {
      const std::string contents = text.substr(text.size() - bytes);
      EXPECT_TRUE(unpack_frame(pack_stream(contents, level)) == contents) << level << ": " << bytes;
    }
  }
}

TEST(ZstdStreamOutput, MakesTheSameBytesHoweverTheyComeAndHoweverManyThreadsThereAre) {
  const std::string sampled = test::words(7'000'000);
  for (const std::size_t bytes : {std::size_t{10}, std::size_t{2} << 20, sampled.size()}) {
    const std::string contents = sampled.substr(0, bytes);
    const std::string packed = pack_stream(contents, 1, bytes, 1);
    for (const std::size_t packers : {1, 2, 5}) {
      for (const std::size_t step : {std::size_t{3333}, std::size_t{2} << 20, std::size_t{5'000'000}}) {
        EXPECT_TRUE(pack_stream(contents, 1, step, packers) == packed) << bytes << ": " << packers << ", " << step;
      }
    }
  }
}

TEST(ZstdStreamOutput, AHigherLevelMakesLess) {
  const std::string contents = test::words(1'000'000);
  EXPECT_LT(pack_stream(contents, 19).size(), pack_zstd(contents).size());
  EXPECT_LT(pack_stream(contents, 9).size(), pack_stream(contents, 1).size());
}

}  // namespace
}  // namespace sortie
