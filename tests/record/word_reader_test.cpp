// The fast ways of reading a word of a key, against key_word(). The memory ends where the records end, so that the
// address sanitizer finds a read beyond it.
#include "record/word_reader.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "support/record_data.hpp"

namespace sortie {
namespace {

using namespace test;

void expect_same_words(const Format& format, const std::string& bytes) {
  const RecordOrder order(format);
  // Not in the string, because its terminator and spare capacity would hide reads beyond the end.
  const auto memory = std::make_unique<std::byte[]>(bytes.size());
  if (!bytes.empty()) std::memcpy(memory.get(), bytes.data(), bytes.size());
  const std::span<const std::byte> records(memory.get(), bytes.size());
  for (std::uint64_t index = 0; index < 6; ++index) {
    const WordReader read_word(order, records, index);
    std::size_t at = 0;
    for (const std::string_view record : records_of(order.layout(), bytes)) {
      const std::uint64_t length = key_length(order.layout(), record.size());
      ASSERT_EQ(read_word(records.data() + at, length), key_word(order.plan(), records.data() + at, length, index))
          << to_string(format) << ", word " << index << " of the record at " << at << " of " << bytes.size();
      at += record.size();
    }
  }
}

std::string random_bytes(std::size_t count, std::mt19937_64& random) {
  std::string bytes(count, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

TEST(WordReader, AgreesWithKeyWordOnLines) {
  for (const bool descending : {false, true}) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      expect_same_words(parsed("lines", {}, descending), lines_of_extreme_bytes(8, '\n', seed));
    }
  }
}

TEST(WordReader, AgreesWithKeyWordOnByteStringsOfEveryLengthAndPlace) {
  std::mt19937_64 random(1);
  for (std::uint64_t offset = 0; offset <= 9; ++offset) {
    for (std::uint64_t length = 1; length <= 26; ++length) {
      for (const std::uint64_t behind : {0, 1, 7}) {
        const std::uint64_t record_bytes = offset + length + behind;
        const std::string field = "bytes@" + std::to_string(offset) + ":" + std::to_string(length);
        for (const char* direction : {"", ":desc"}) {
          const Format format = parsed("fixed:" + std::to_string(record_bytes), {field + direction});
          expect_same_words(format, random_bytes(3 * record_bytes, random));
        }
      }
    }
  }
}

TEST(WordReader, AgreesWithKeyWordOnSeveralFieldsAndNumbers) {
  std::mt19937_64 random(2);
  expect_same_words(parsed("fixed:31", {"u16be@29", "f64@3:desc", "bytes@11:13", "i8@0"}), random_bytes(310, random));
  expect_same_words(parsed("fixed:9", {"f64be@1"}, true), random_bytes(90, random));
  expect_same_words(parsed("fixed:7"), random_bytes(70, random));
  for (const char* type : {"u32", "i32", "f32", "u64", "i64", "f64"}) {
    expect_same_words(parsed(type), random_bytes(80, random));
    expect_same_words(parsed(type, {}, true), random_bytes(80, random));
  }
}

}  // namespace
}  // namespace sortie
