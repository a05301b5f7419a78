#include "run/block_codec.hpp"

#include <random>
#include <string>

#include <gtest/gtest.h>

#include "run/run_support.hpp"

namespace sortie {
namespace {

using test::as_bytes;
using test::as_writable;

std::optional<ElementShape> shape_of(const char* format) { return element_shape(RecordOrder(parse_format(format))); }

std::string decode(const EncodedBlock& block, std::size_t bytes) {
  std::string records(bytes, '?');
  EXPECT_TRUE(decode_block(block.codec, block.stored(), as_writable(records)));
  return records;
}

TEST(BlockCodec, KnowsTheShapeOfRecords) {
  EXPECT_EQ(shape_of("lines"), std::nullopt);
  EXPECT_EQ(shape_of("fixed:256"), std::nullopt);
  for (const char* const format : {"u32", "i32", "f32", "u64", "i64", "f64"}) {
    ASSERT_NE(shape_of(format), std::nullopt);
    EXPECT_EQ(shape_of(format)->delta, DeltaKind::kNumber) << format;
  }
  EXPECT_EQ(shape_of("u32")->bytes, 4);
  EXPECT_EQ(shape_of("f64")->bytes, 8);
  EXPECT_EQ(shape_of("gensort")->delta, DeltaKind::kByte);
  EXPECT_EQ(shape_of("gensort")->bytes, 100);
  Format big_endian = parse_format("fixed:8");
  big_endian.fields.push_back(parse_field("u64be@0"));
  EXPECT_EQ(element_shape(RecordOrder(big_endian))->delta, DeltaKind::kByte);
}

TEST(BlockCodec, CompressesAndRestores) {
  const std::string numbers = test::sorted_numbers<std::uint32_t>(100'000);
  const std::string records = test::sorted_records(10'000, 24);
  const std::string lines = test::sorted_lines(10'000);
  const auto check = [](const char* format, const std::string& data, BlockCodec codec, BlockCodec stored_as) {
    const auto block = encode_block(codec, 1, shape_of(format), as_bytes(data));
    ASSERT_TRUE(block) << format;
    EXPECT_EQ(block->codec, stored_as) << format;
    EXPECT_LT(block->bytes, data.size()) << format;
    EXPECT_EQ(decode(*block, data.size()), data) << format;
  };
  check("u32", numbers, BlockCodec::kZstd, BlockCodec::kZstd);
  check("u32", numbers, BlockCodec::kDeltaShuffleZstd, BlockCodec::kDeltaShuffleZstd);
  check("fixed:24", records, BlockCodec::kZstd, BlockCodec::kZstd);
  check("fixed:24", records, BlockCodec::kDeltaShuffleZstd, BlockCodec::kDeltaShuffleZstd);
  check("lines", lines, BlockCodec::kZstd, BlockCodec::kZstd);
  check("lines", lines, BlockCodec::kDeltaShuffleZstd, BlockCodec::kZstd);
}

TEST(BlockCodec, ShufflingShrinksSortedNumbersByMore) {
  const std::string numbers = test::sorted_numbers<std::uint64_t>(100'000);
  const auto plain = encode_block(BlockCodec::kZstd, 1, shape_of("u64"), as_bytes(numbers));
  const auto shuffled = encode_block(BlockCodec::kDeltaShuffleZstd, 1, shape_of("u64"), as_bytes(numbers));
  ASSERT_TRUE(plain && shuffled);
  EXPECT_LT(shuffled->bytes, plain->bytes * 9 / 10);
}

TEST(BlockCodec, GivesUpOnWhatDoesNotShrink) {
  std::mt19937_64 random(3);
  std::string noise(10'000, '\0');
  for (char& character : noise) character = static_cast<char>(random());
  for (const std::string& records : {noise, std::string("ab"), std::string("x"), std::string()}) {
    EXPECT_FALSE(encode_block(BlockCodec::kZstd, 1, shape_of("fixed:1"), as_bytes(records)));
    EXPECT_FALSE(encode_block(BlockCodec::kDeltaShuffleZstd, 1, shape_of("fixed:1"), as_bytes(records)));
  }
}

TEST(BlockCodec, RefusesWhatDoesNotDecodeToTheSizeAskedFor) {
  const std::string data = test::sorted_records(1000, 24);
  std::string records(data.size(), '?');
  std::string shorter(data.size() - 24, '?');
  std::string longer(data.size() + 24, '?');
  EXPECT_FALSE(decode_block(BlockCodec::kRaw, as_bytes(data), as_writable(shorter)));
  for (const BlockCodec codec : {BlockCodec::kZstd, BlockCodec::kDeltaShuffleZstd}) {
    const auto block = encode_block(codec, 1, shape_of("fixed:24"), as_bytes(data));
    ASSERT_TRUE(block);
    EXPECT_FALSE(decode_block(codec, block->stored(), as_writable(shorter)));
    EXPECT_FALSE(decode_block(codec, block->stored(), as_writable(longer)));
    for (std::size_t bytes = 0; bytes < block->bytes; bytes += 7) {
      EXPECT_FALSE(decode_block(codec, block->stored().first(bytes), as_writable(records)));
    }
  }
  EXPECT_FALSE(decode_block(BlockCodec(9), as_bytes(data), as_writable(records)));
}

TEST(BlockCodec, RefusesAShapeThatCannotBe) {
  const std::string numbers = test::sorted_numbers<std::uint32_t>(1000);
  const auto block = encode_block(BlockCodec::kDeltaShuffleZstd, 1, shape_of("u32"), as_bytes(numbers));
  ASSERT_TRUE(block);
  std::string records(numbers.size(), '?');
  for (const auto& [kind, bytes] : {std::pair{0, 3}, {1, 0}, {1, 3}, {2, 4}, {255, 255}}) {
    std::vector<std::byte> stored(block->stored().begin(), block->stored().end());
    stored[0] = std::byte(kind);
    stored[1] = std::byte(bytes);
    EXPECT_FALSE(decode_block(BlockCodec::kDeltaShuffleZstd, stored, as_writable(records))) << kind << " " << bytes;
  }
}

}  // namespace
}  // namespace sortie
