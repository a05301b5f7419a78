// Fixed-length records with random fields, against a comparison that reads the values as C++ types.
#include <gtest/gtest.h>

#include <algorithm>
#include <compare>
#include <cstring>
#include <iterator>
#include <random>
#include <sstream>

#include "record/record_order.hpp"
#include "support/compare_halves.hpp"

namespace sortie {
namespace {

using Bytes = std::vector<std::byte>;

template <class Number>
Number read_number(const Field& field, const std::byte* record) {
  std::byte bytes[sizeof(Number)];
  std::copy_n(record + field.offset, sizeof bytes, bytes);
  if (field.byte_order == ByteOrder::kBig) std::reverse(std::begin(bytes), std::end(bytes));
  Number number;
  std::memcpy(&number, bytes, sizeof number);
  return number;
}

template <class Number>
std::strong_ordering compare_numbers(const Field& field, const std::byte* a, const std::byte* b) {
  return std::strong_order(read_number<Number>(field, a), read_number<Number>(field, b));
}

std::strong_ordering compare_floats(const Field& field, const std::byte* a, const std::byte* b) {
  switch (field.length) {
    case 2:
      return test::compare_halves(read_number<std::uint16_t>(field, a), read_number<std::uint16_t>(field, b));
    case 4:
      return compare_numbers<float>(field, a, b);
    default:
      return compare_numbers<double>(field, a, b);
  }
}

std::strong_ordering compare_field(const Field& field, const std::byte* a, const std::byte* b) {
  if (field.kind == FieldKind::kBytes) return std::memcmp(a + field.offset, b + field.offset, field.length) <=> 0;
  const bool is_signed = field.kind == FieldKind::kSigned;
  if (field.kind == FieldKind::kFloat) return compare_floats(field, a, b);
  switch (field.length) {
    case 1:
      return is_signed ? compare_numbers<std::int8_t>(field, a, b) : compare_numbers<std::uint8_t>(field, a, b);
    case 2:
      return is_signed ? compare_numbers<std::int16_t>(field, a, b) : compare_numbers<std::uint16_t>(field, a, b);
    case 4:
      return is_signed ? compare_numbers<std::int32_t>(field, a, b) : compare_numbers<std::uint32_t>(field, a, b);
    default:
      return is_signed ? compare_numbers<std::int64_t>(field, a, b) : compare_numbers<std::uint64_t>(field, a, b);
  }
}

int sign_of(std::strong_ordering order) { return order < 0 ? -1 : order > 0 ? 1 : 0; }

int reference_compare(const Format& format, const Bytes& a, const Bytes& b) {
  std::strong_ordering order = std::strong_ordering::equal;
  for (const Field& field : format.fields) {
    order = compare_field(field, a.data(), b.data());
    if (order != 0) return (field.descending != format.descending ? -1 : 1) * sign_of(order);
  }
  if (format.fields.empty()) order = std::memcmp(a.data(), b.data(), a.size()) <=> 0;
  return (format.descending ? -1 : 1) * sign_of(order);
}

Field random_field(std::mt19937& random, std::uint64_t record_bytes) {
  static const char* const kTypes[] = {"u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f16", "f32", "f64"};
  const char* byte_order = random() % 2 == 0 ? "le" : "be";
  Field field = random() % 4 == 0 ? parse_field("bytes@0:" + std::to_string(1 + random() % 20))
                                  : parse_field(std::string(kTypes[random() % std::size(kTypes)]) + byte_order + "@0");
  field.offset = random() % (record_bytes - field.length + 1);
  field.descending = random() % 2 == 0;
  return field;
}

Format random_format(std::mt19937& random) {
  Format format;
  format.kind = RecordKind::kFixed;
  format.record_bytes = 20 + random() % 30;
  const std::size_t field_count = random() % 6;
  for (std::size_t i = 0; i < field_count; ++i) format.fields.push_back(random_field(random, format.record_bytes));
  format.descending = random() % 2 == 0;
  return format;
}

std::string describe(const Format& format) {
  std::ostringstream text;
  text << to_string(format) << (format.descending ? " reversed" : "");
  for (const Field& field : format.fields) text << ' ' << to_string(field);
  return text.str();
}

/// Draws few values, so that fields are often equal and later ones decide.
Bytes random_record(std::mt19937& random, std::uint64_t bytes) {
  static constexpr unsigned char kValues[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
  Bytes record(bytes);
  const bool mostly_zero = random() % 2 == 0;
  for (std::byte& byte : record) byte = std::byte(mostly_zero && random() % 4 != 0 ? 0 : kValues[random() % 5]);
  return record;
}

int sign_of(int comparison) { return (comparison > 0) - (comparison < 0); }

void expect_reference_order(const Format& format, std::mt19937& random) {
  const RecordOrder order(format);
  for (int i = 0; i < 200; ++i) {
    const Bytes a = random_record(random, format.record_bytes);
    Bytes b = random_record(random, format.record_bytes);
    if (i % 3 == 0) {
      b = a;
      b[random() % b.size()] ^= std::byte(1u << random() % 8);
    }
    const int expected = reference_compare(format, a, b);
    ASSERT_EQ(sign_of(order.compare(a, b)), expected) << describe(format);
    ASSERT_EQ(sign_of(order.compare(b, a)), -expected) << describe(format);
    ASSERT_EQ(order.compare(a, a), 0) << describe(format);
    const Bytes a_key = order.normalised_key(a, SIZE_MAX);
    const Bytes b_key = order.normalised_key(b, SIZE_MAX);
    ASSERT_EQ(a_key.size(), order.key_bytes(a));
    ASSERT_EQ(sign_of(std::memcmp(a_key.data(), b_key.data(), a_key.size())), expected) << describe(format);
    if (order.prefix(a) != order.prefix(b)) {
      ASSERT_EQ(order.prefix(a) < order.prefix(b), expected < 0) << describe(format);
    } else if (!order.key_exceeds_prefix()) {
      ASSERT_EQ(expected, 0) << describe(format);
    }
  }
}

TEST(FixedOrder, AgreesWithTheReferenceForRandomFields) {
  std::mt19937 random(23);
  for (int i = 0; i < 2000; ++i) {
    expect_reference_order(random_format(random), random);
    if (HasFatalFailure()) return;
  }
}

TEST(FixedOrder, AgreesWithTheReferenceForEverySingleField) {
  std::mt19937 random(29);
  for (const char* type : {"u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f32", "f64", "u16be", "u32be",
                           "u64be", "i16be", "i32be", "i64be", "f32be", "f64be"}) {
    for (const char* direction : {"", ":desc"}) {
      for (const bool reversed : {false, true}) {
        Format format = parse_format("fixed:17");
        format.fields.push_back(parse_field(std::string(type) + "@5" + direction));
        format.descending = reversed;
        expect_reference_order(format, random);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(FixedOrder, AgreesWithTheReferenceForArrays) {
  std::mt19937 random(31);
  for (const char* type : {"u32", "i32", "u64", "i64", "f32", "f64"}) {
    Format format = parse_format(type);
    for (format.descending = false;; format.descending = true) {
      expect_reference_order(format, random);
      if (HasFatalFailure() || format.descending) break;
    }
  }
}

TEST(FixedOrder, WordsAreTheNormalisedKeyPaddedWithZeros) {
  std::mt19937 random(37);
  for (int i = 0; i < 500; ++i) {
    const Format format = random_format(random);
    const RecordOrder order(format);
    const Bytes record = random_record(random, format.record_bytes);
    Bytes padded = order.normalised_key(record, SIZE_MAX);
    ASSERT_EQ(key_words(order.plan(), record.size()), (padded.size() + 7) / 8);
    padded.resize(padded.size() + 16);
    for (std::size_t at = 0; at + 8 <= padded.size(); at += 8) {
      ASSERT_EQ(key_word(order.plan(), record.data(), record.size(), at / 8), load_big_padded(padded.data() + at, 8))
          << describe(format) << " word " << at / 8;
    }
  }
}

TEST(FixedOrder, ComparesFromAWordOnAsIfTheWordsBeforeWereEqual) {
  std::mt19937 random(41);
  for (int i = 0; i < 500; ++i) {
    const Format format = random_format(random);
    const RecordOrder order(format);
    const Bytes a = random_record(random, format.record_bytes);
    const Bytes b = random_record(random, format.record_bytes);
    const Bytes a_key = order.normalised_key(a, SIZE_MAX);
    const Bytes b_key = order.normalised_key(b, SIZE_MAX);
    for (std::size_t word = 0; 8 * word < a_key.size(); ++word) {
      const int expected = std::memcmp(a_key.data() + 8 * word, b_key.data() + 8 * word, a_key.size() - 8 * word);
      ASSERT_EQ(sign_of(order.compare(a, b, word)), sign_of(expected)) << describe(format) << " from " << word;
    }
  }
}

TEST(FixedOrder, KeysAreCutToTheLimit) {
  const RecordOrder order(parse_format("fixed:20"));
  const Bytes record(20, std::byte{0x41});
  EXPECT_EQ(order.normalised_key(record, 5), Bytes(5, std::byte{0x41}));
  EXPECT_EQ(order.normalised_key(record, 0).size(), 0u);
  EXPECT_EQ(order.normalised_key(record, 100).size(), 20u);
}

TEST(FixedOrder, KnowsWhetherThePrefixIsTheWholeKey) {
  EXPECT_FALSE(RecordOrder(parse_format("u64")).key_exceeds_prefix());
  EXPECT_FALSE(RecordOrder(parse_format("fixed:8")).key_exceeds_prefix());
  EXPECT_TRUE(RecordOrder(parse_format("fixed:9")).key_exceeds_prefix());
  EXPECT_TRUE(RecordOrder(parse_format("gensort")).key_exceeds_prefix());
  EXPECT_TRUE(RecordOrder(parse_format("lines")).key_exceeds_prefix());
}

}  // namespace
}  // namespace sortie
