#include "io/input/compression_format.hpp"

#include <string>

#include <gtest/gtest.h>

#include "io/io_support.hpp"

namespace sortie {
namespace {

using namespace std::string_literals;

CompressionFormat format_of(const std::string& leading) { return recognise_magic(test::as_bytes(leading)); }

TEST(CompressionFormat, RecognisesMagic) {
  EXPECT_EQ(format_of("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"s), CompressionFormat::kGzip);
  EXPECT_EQ(format_of("\x28\xb5\x2f\xfd\x04"s), CompressionFormat::kZstd);
  EXPECT_EQ(format_of("BZh9\x31\x41\x59\x26\x53\x59"s), CompressionFormat::kBzip2);
  EXPECT_EQ(format_of("BZh1\x17\x72\x45\x38\x50\x90"s), CompressionFormat::kBzip2);
}

TEST(CompressionFormat, RecognisesAZstdFrameBehindASkippableOne) {
  EXPECT_EQ(format_of("\x50\x2a\x4d\x18\x04\x00\x00\x00\x99\x99\x99\x99\x28\xb5\x2f\xfd"s), CompressionFormat::kZstd);
  EXPECT_EQ(format_of("\x50\x2a\x4d\x18\x04\x00\x00\x00\x99\x99\x99\x99text"s), CompressionFormat::kNone);
}

TEST(CompressionFormat, KnowsBySomeBytesThatThereIsNoMagic) {
  for (const char* begin : {"\x1f", "\x1f\x8b", "\x28\xb5", "B", "BZ", "P", "P*", "_*"}) {
    EXPECT_TRUE(may_have_magic(test::as_bytes(std::string(begin)))) << begin;
  }
  for (const char* begin : {"\n", "a", "Ba", "P\n", "Pa", "\x1f\x1f", "1\n"}) {
    EXPECT_FALSE(may_have_magic(test::as_bytes(std::string(begin)))) << begin;
  }
}

TEST(CompressionFormat, TakesDataForData) {
  EXPECT_EQ(format_of(""), CompressionFormat::kNone);
  EXPECT_EQ(format_of("\x1f\x8b"), CompressionFormat::kNone);
  EXPECT_EQ(format_of("\x1f\x8b\x08\xff\x00\x00\x00\x00\x00\x03"s), CompressionFormat::kNone);
  EXPECT_EQ(format_of("BZh9 is not a block"), CompressionFormat::kNone);
  EXPECT_EQ(format_of("BZhx\x31\x41\x59\x26\x53\x59"), CompressionFormat::kNone);
}

TEST(CompressionFormat, RecognisesSuffixes) {
  EXPECT_EQ(recognise_suffix("a.gz"), CompressionFormat::kGzip);
  EXPECT_EQ(recognise_suffix("a.txt.zst"), CompressionFormat::kZstd);
  EXPECT_EQ(recognise_suffix("a.bz2"), CompressionFormat::kBzip2);
  EXPECT_EQ(recognise_suffix("gz"), CompressionFormat::kNone);
}

}  // namespace
}  // namespace sortie
