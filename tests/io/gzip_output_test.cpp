#include <random>
#include <string>

#include <gtest/gtest.h>
#include <zlib.h>

#include "io/io_support.hpp"
#include "io/output/packed_output.hpp"

namespace sortie {
namespace {

constexpr int kUsualLevel = 6;

std::string pack_gzip(const std::string& contents, std::size_t step, unsigned threads, int level = kUsualLevel) {
  return test::pack(make_gzip_output, contents, step, threads, level);
}

/// Words for one half, noise for the other: deflate stores some pieces as they are.
std::string sample(std::size_t bytes) {
  std::mt19937 random(5);
  std::string text;
  while (text.size() < bytes / 2) text += std::to_string(random() % 1000) + " words\n";
  while (text.size() < bytes) text += static_cast<char>(random());
  text.resize(bytes);
  return text;
}

/// Unpacks the first member by zlib, which checks length and checksum. `packed` is what is behind it afterwards.
std::string unpack_member(std::string& packed, std::size_t bytes) {
  z_stream stream{};
  EXPECT_EQ(::inflateInit2(&stream, 15 + 16), Z_OK);
  std::string contents(bytes + 1, '?');
  stream.next_in = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(contents.data());
  stream.avail_out = static_cast<uInt>(contents.size());
  EXPECT_EQ(::inflate(&stream, Z_FINISH), Z_STREAM_END);
  contents.resize(stream.total_out);
  packed.erase(0, stream.total_in);
  ::inflateEnd(&stream);
  return contents;
}

constexpr std::size_t kPiece = 128 << 10;

TEST(GzipOutput, MakesOneMemberOfAnyLength) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, kPiece - 1, kPiece, kPiece + 1, 2 * kPiece,
                                  6 * kPiece, 6 * kPiece + 7, std::size_t{5'000'000}}) {
    SCOPED_TRACE(bytes);
    const std::string contents = sample(bytes);
    std::string packed = pack_gzip(contents, 1 << 20, 3);
    EXPECT_TRUE(unpack_member(packed, bytes) == contents);
    EXPECT_EQ(packed, "") << "nothing comes behind the member";
  }
}

TEST(GzipOutput, MakesTheSameBytesHoweverTheyComeAndHoweverManyThreadsThereAre) {
  const std::string sampled = sample(2'000'000);
  for (const std::size_t bytes : {sampled.size(), kPiece, 2 * kPiece, 4 * kPiece, 10 * kPiece}) {
    const std::string contents = sampled.substr(0, bytes);
    const std::string packed = pack_gzip(contents, bytes, 1);
    for (const unsigned threads : {1, 2, 5}) {
      for (const std::size_t step : {std::size_t{333}, kPiece, 3 * kPiece + 1}) {
        EXPECT_TRUE(pack_gzip(contents, step, threads) == packed) << bytes << ": " << threads << " threads, " << step;
      }
    }
  }
}

TEST(GzipOutput, AHigherLevelMakesLess) {
  const std::string contents = sample(1'000'000);
  std::size_t before = contents.size();
  for (const int level : {1, kUsualLevel, 9}) {
    std::string packed = pack_gzip(contents, contents.size(), 2, level);
    EXPECT_LT(packed.size(), before) << level;
    before = packed.size();
    EXPECT_TRUE(unpack_member(packed, contents.size()) == contents) << level;
  }
}

// Each piece knows the end of the one before: what is found there again is not stored again.
TEST(GzipOutput, LooksBackIntoThePieceBefore) {
  std::string noise = sample(60'000).substr(30'000);
  std::string contents;
  while (contents.size() < 20 * kPiece) contents += noise;
  EXPECT_LT(pack_gzip(contents, contents.size(), 2).size(), 2 * noise.size() + contents.size() / 100);
}

}  // namespace
}  // namespace sortie
