#include "base/checksum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace sortie {
namespace {

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

Checksum sum_of(const std::vector<std::string>& records) {
  Checksum sum;
  for (const std::string& record : records) sum += hash_record(bytes_of(record));
  return sum;
}

template <class Number>
Checksum sum_of_numbers(const std::vector<Number>& numbers) {
  return checksum_numbers(std::as_bytes(std::span(numbers)), sizeof(Number));
}

TEST(Checksum, DoesNotDependOnTheOrderOfRecords) {
  std::vector<std::string> records;
  for (int i = 0; i < 1000; ++i) records.push_back("record " + std::to_string(i % 700));
  const Checksum before = sum_of(records);
  std::mt19937 random(1);
  std::shuffle(records.begin(), records.end(), random);
  EXPECT_EQ(sum_of(records), before);
}

TEST(Checksum, SeesLostDoubledAndChangedRecords) {
  const Checksum whole = sum_of({"a\n", "b\n", "c\n"});
  EXPECT_NE(sum_of({"a\n", "b\n"}), whole);
  EXPECT_NE(sum_of({"a\n", "b\n", "c\n", "c\n"}), whole);
  EXPECT_NE(sum_of({"a\n", "b\n", "C\n"}), whole);
  EXPECT_NE(sum_of({"a\n", "a\n", "c\n"}), whole);
}

TEST(Checksum, SeesBytesThatMoveFromOneRecordToAnother) { EXPECT_NE(sum_of({"ab", "c"}), sum_of({"a", "bc"})); }

TEST(Checksum, IsTheWholeHashOfARecord) {
  // XXH3-128 of no bytes, from the reference implementation.
  EXPECT_EQ(to_string(hash_record({})), "99aa06d3014798d86001c324468d497f");
}

TEST(Checksum, CarriesIntoTheHighWordAndBack) {
  Checksum sum{UINT64_MAX, 1};
  sum += Checksum{1, 0};
  EXPECT_EQ(sum, (Checksum{0, 2}));
  EXPECT_EQ(sum - (Checksum{1, 0}), (Checksum{UINT64_MAX, 1}));
}

TEST(Checksum, SubtractionUndoesAddition) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 1000; ++i) {
    const Checksum a{random(), random()};
    const Checksum b{random(), random()};
    Checksum sum = a;
    sum += b;
    EXPECT_EQ(sum - b, a);
  }
}

TEST(Checksum, OfNumbersDoesNotDependOnTheirOrder) {
  std::vector<std::uint64_t> numbers(1000);
  std::mt19937_64 random(3);
  for (std::uint64_t& number : numbers) number = random();
  const Checksum before = sum_of_numbers(numbers);
  std::sort(numbers.begin(), numbers.end());
  EXPECT_EQ(sum_of_numbers(numbers), before);
}

TEST(Checksum, OfNumbersSeesExchangedBits) {
  // A plain sum would call these equal.
  EXPECT_NE(sum_of_numbers<std::uint32_t>({1, 4}), sum_of_numbers<std::uint32_t>({2, 3}));
  EXPECT_NE(sum_of_numbers<std::uint64_t>({0, 0}), sum_of_numbers<std::uint64_t>({0}));
  EXPECT_NE(sum_of_numbers<std::uint64_t>({0, 5}), sum_of_numbers<std::uint64_t>({5, 5}));
}

TEST(Checksum, OfNumbersDoesNotDependOnHowTheArrayIsCut) {
  std::vector<std::uint64_t> numbers(1000);
  std::mt19937_64 random(4);
  for (std::uint64_t& number : numbers) number = random();
  const auto bytes = std::as_bytes(std::span(numbers));
  for (const std::size_t part_bytes : {std::size_t{8}, std::size_t{56}, std::size_t{4000}}) {
    Checksum sum;
    for (std::size_t at = 0; at < bytes.size(); at += part_bytes) {
      sum += checksum_numbers(bytes.subspan(at, std::min(part_bytes, bytes.size() - at)), 8);
    }
    EXPECT_EQ(sum, checksum_numbers(bytes, 8)) << "parts of " << part_bytes << " bytes";
  }
}

template <class Number>
void expect_sum_of_each() {
  std::mt19937_64 random(5);
  std::vector<Number> numbers;
  Checksum sum;
  for (int count = 0; count < 300; ++count) {
    ASSERT_EQ(sum_of_numbers(numbers), sum) << count << " numbers of " << sizeof(Number) << " bytes";
    numbers.push_back(static_cast<Number>(random()));
    sum += sum_of_numbers<Number>({numbers.back()});
  }
}

TEST(Checksum, OfNumbersIsTheSumOfEachWhateverTheVectorsHold) {
  expect_sum_of_each<std::uint32_t>();
  expect_sum_of_each<std::uint64_t>();
}

TEST(Checksum, OfNumbersStaysWhatItWas) {
  // The sum of 1, 2, 3 as version 0.1.0 had it: reports of old sorts can be compared with new ones.
  EXPECT_EQ(to_string(sum_of_numbers<std::uint32_t>({1, 2, 3})), "6cc4a2e641fbe8e83ed212c4d5823d76");
  EXPECT_EQ(to_string(sum_of_numbers<std::uint64_t>({1, 2, 3})), "6cc4a2e641fbe8e83ed212c4d5823d76");
}

TEST(Checksum, PrintsTheHighWordFirst) {
  EXPECT_EQ(to_string(Checksum{0x1, 0xab}), "00000000000000ab0000000000000001");
  EXPECT_EQ(to_string(Checksum{}), std::string(32, '0'));
}

}  // namespace
}  // namespace sortie
