#include <random>
#include <string>

#include <bzlib.h>
#include <gtest/gtest.h>

#include "io/io_support.hpp"
#include "io/output/bit_string.hpp"
#include "io/output/packed_output.hpp"
#include "support/turns.hpp"

namespace sortie {
namespace {

/// The fewest bytes to a block.
constexpr int kBzip2Level = 1;
constexpr std::size_t kBzip2Piece = 99'981;

std::string pack_bzip2(const std::string& contents, std::size_t step = 1 << 20, unsigned threads = 2,
                       int level = kBzip2Level) {
  return test::pack(make_bzip2_output, contents, step, threads, level, std::size_t{threads});
}

/// Unpacks one stream and nothing else by libbz2, which checks all checksums.
std::string unpack_bzip2(std::string packed) {
  bz_stream stream{};
  EXPECT_EQ(::BZ2_bzDecompressInit(&stream, 0, 0), BZ_OK);
  stream.next_in = packed.data();
  stream.avail_in = static_cast<unsigned>(packed.size());
  std::string contents;
  std::string part(1 << 16, '?');
  int result = BZ_OK;
  while (result == BZ_OK) {
    stream.next_out = part.data();
    stream.avail_out = static_cast<unsigned>(part.size());
    result = ::BZ2_bzDecompress(&stream);
    contents.append(part, 0, part.size() - stream.avail_out);
    if (stream.avail_in == 0 && stream.avail_out > 0) break;
  }
  EXPECT_EQ(result, BZ_STREAM_END);
  EXPECT_EQ(stream.avail_in, 0u) << "nothing comes behind the stream";
  ::BZ2_bzDecompressEnd(&stream);
  return contents;
}

/// Runs of `run` equal bytes, of which no two neighbours are the same.
std::string runs_of(std::size_t bytes, std::size_t run) {
  std::string text;
  for (char byte = 'a'; text.size() < bytes; byte = byte == 'z' ? 'a' : static_cast<char>(byte + 1)) {
    text.append(run, byte);
  }
  text.resize(bytes);
  return text;
}

TEST(Bzip2Output, MakesOneStreamOfAnyLength) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, kBzip2Piece - 1, kBzip2Piece, kBzip2Piece + 1,
                                  2 * kBzip2Piece, 4 * kBzip2Piece, 4 * kBzip2Piece + 7, std::size_t{1'000'000}}) {
    SCOPED_TRACE(bytes);
    const std::string contents = test::words(bytes);
    EXPECT_TRUE(unpack_bzip2(pack_bzip2(contents)) == contents);
  }
}

TEST(Bzip2Output, MakesTheSameBytesHoweverTheyComeAndHoweverManyThreadsThereAre) {
  const std::string sampled = test::words(12 * kBzip2Piece);
  for (const std::size_t bytes : test::turns_of({sampled.size(), kBzip2Piece, 2 * kBzip2Piece, 4 * kBzip2Piece + 1})) {
    const std::string contents = sampled.substr(0, bytes);
    const std::string packed = pack_bzip2(contents, bytes, 1);
    for (const unsigned threads : {1, 2, 5}) {
      for (const std::size_t step : {std::size_t{333}, kBzip2Piece, 3 * kBzip2Piece + 1}) {
        EXPECT_TRUE(pack_bzip2(contents, step, threads) == packed) << bytes << ": " << threads << " threads, " << step;
      }
    }
  }
}

// A run of four bytes takes five in a block, and runs of other lengths take fewer than they have: a piece of the former
// needs two blocks.
TEST(Bzip2Output, RunsOfAnyLengthComeBack) {
  for (const std::size_t run : {1, 2, 3, 4, 5, 6, 254, 255, 256, 259, 1000, 1'000'000}) {
    const std::string contents = runs_of(3 * kBzip2Piece + 1, run);
    EXPECT_TRUE(unpack_bzip2(pack_bzip2(contents)) == contents) << run;
  }
  for (const std::size_t of_four : {10, 18, 19, 20, 21, 22, 40}) {
    const std::string contents = runs_of(4 * of_four, 4) + runs_of(2 * kBzip2Piece, 1);
    EXPECT_TRUE(unpack_bzip2(pack_bzip2(contents)) == contents) << of_four;
  }
}

TEST(Bzip2Output, MakesWhatTheLibraryMakesOfOneBlock) {
  std::string contents = test::words(kBzip2Piece);
  std::string expected(2 * kBzip2Piece, '?');
  auto bytes = static_cast<unsigned>(expected.size());
  ASSERT_EQ(::BZ2_bzBuffToBuffCompress(expected.data(), &bytes, contents.data(), kBzip2Piece, kBzip2Level, 0, 0),
            BZ_OK);
  expected.resize(bytes);
  EXPECT_TRUE(pack_bzip2(contents) == expected);
}

TEST(Bzip2Output, AHigherLevelMakesLess) {
  const std::string contents = test::words(2'000'000);
  std::size_t before = contents.size();
  for (const int level : {1, 5, 9}) {
    const std::string packed = pack_bzip2(contents, contents.size(), 2, level);
    EXPECT_LT(packed.size(), before) << level;
    before = packed.size();
    EXPECT_TRUE(unpack_bzip2(packed) == contents) << level;
  }
}

TEST(BitString, IsWhatWasAppendedBitByBit) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    BitString bits;
    std::string expected;
    std::string got;
    const auto take = [&] {
      for (const std::byte byte : bits.take_whole_bytes()) {
        for (int bit = 7; bit >= 0; --bit) got += ((byte >> bit) & std::byte{1}) == std::byte{1} ? '1' : '0';
      }
    };
    for (int i = 0; i < 10; ++i) {
      std::byte bytes[5];
      for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
      const std::size_t count = random() % 41;
      bits.append(bytes, count);
      for (std::size_t bit = 0; bit < count; ++bit) {
        expected += ((bytes[bit / 8] >> (7 - bit % 8)) & std::byte{1}) == std::byte{1} ? '1' : '0';
      }
      if (random() % 2 == 0) take();
    }
    bits.end_byte();
    take();
    EXPECT_EQ(got, expected + std::string((8 - expected.size() % 8) % 8, '0')) << round;
  }
}

}  // namespace
}  // namespace sortie
