#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "cli/self_test/random_records.hpp"
#include "cli/self_test/reference_sort.hpp"
#include "cli/self_test/samples.hpp"

namespace sortie::cli {
namespace {

constexpr std::size_t kLargeSampleBytes = 32 << 20;

struct Row {
  std::string text;
  std::string name;
  std::uint64_t price;
};

Row random_row(Random& random) {
  Row row{.text = {}, .name = small_word(random), .price = below(random, 300)};
  row.text = "\"" + row.name + "\"," + std::to_string(row.price) + ",\"" + small_word(random) + ",\n\"\"\"\n";
  return row;
}

std::string random_bytes(Random& random, std::size_t count) {
  std::string bytes(count, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

template <std::size_t Bytes, class Value>
Sample records_by(Value value) {
  std::string input = many([](Random& random) { return random_bytes(random, Bytes); });
  std::string expected = sorted_by(fixed_records_of(input, Bytes), value);
  return {std::move(input), std::move(expected)};
}

}  // namespace

Sample csv_rows() {
  Random random(1);
  std::vector<Row> rows;
  for (std::size_t bytes = 0; bytes < kSampleBytes; bytes += rows.back().text.size())
    rows.push_back(random_row(random));
  Sample sample{.input = "name,price,\"a\nnote\"\n", .expected = {}};
  sample.expected = sample.input;
  for (const Row& row : rows) sample.input += row.text;
  std::ranges::stable_sort(
      rows, [](const Row& a, const Row& b) { return a.price != b.price ? a.price > b.price : a.name < b.name; });
  for (const Row& row : rows) sample.expected += row.text;
  return sample;
}

Sample two_fields() {
  std::string input = many([](Random& random) {
    std::string record = random_bytes(random, 24);
    record.replace(4, 3, 3, '\0');  // so that many are equal in the first field
    return record;
  });
  std::string expected = sorted_by(fixed_records_of(input, 24), [](std::string_view record) {
    // All bytes of the big-endian number but the last are 0. The number falls.
    return std::pair(-static_cast<int>(static_cast<unsigned char>(record[7])),
                     position_of_float(number_at<std::uint64_t>(record, 16)));
  });
  return {std::move(input), std::move(expected)};
}

Sample gensort_records() {
  return records_by<100>([](std::string_view record) { return record.substr(0, 10); });
}

template <class Number>
Sample integers() {
  return records_by<sizeof(Number)>([](std::string_view record) { return number_at<Number>(record, 0); });
}

template <class Bits>
Sample floats() {
  return records_by<sizeof(Bits)>(
      [](std::string_view record) { return position_of_float(number_at<Bits>(record, 0)); });
}

Sample many_integers() {
  Random random(1);
  std::vector<std::uint64_t> numbers(kLargeSampleBytes / sizeof(std::uint64_t));
  for (std::uint64_t& number : numbers) number = random();
  const auto bytes = [&] { return std::string(reinterpret_cast<const char*>(numbers.data()), kLargeSampleBytes); };
  Sample sample{.input = bytes(), .expected = {}};
  std::ranges::stable_sort(numbers);
  sample.expected = bytes();
  return sample;
}

Sample prefixed_records() {
  std::string input = many([](Random& random) {
    const std::array<std::uint32_t, 2> lengths = {static_cast<std::uint32_t>(below(random, 6)),
                                                  static_cast<std::uint32_t>(below(random, 40))};
    std::string record(sizeof(lengths), '\0');
    std::memcpy(record.data(), lengths.data(), sizeof(lengths));
    return record + random_bytes(random, lengths[0] + lengths[1]);
  });
  std::string expected = sorted_by(prefixed_records_of(input), [](std::string_view record) {
    return record.substr(8, number_at<std::uint32_t>(record, 0));
  });
  return {std::move(input), std::move(expected)};
}

template Sample integers<std::uint32_t>();
template Sample integers<std::int32_t>();
template Sample integers<std::uint64_t>();
template Sample integers<std::int64_t>();
template Sample floats<std::uint32_t>();
template Sample floats<std::uint64_t>();

}  // namespace sortie::cli
