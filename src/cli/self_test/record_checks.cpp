#include <algorithm>
#include <array>

#include "cli/self_test/checks.hpp"

namespace sortie::cli {
namespace {

constexpr std::size_t kLargeSampleBytes = 32 << 20;

std::string random_bytes(Random& random, std::size_t count) {
  std::string bytes(count, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

/// A sample of `bytes` random bytes a record, by value(record).
template <class Value>
Sample records_by(std::size_t bytes, Value value) {
  return ordered_by_value([&](Random& random) {
    const std::string record = random_bytes(random, bytes);
    return Valued<decltype(value(record))>{record, value(record)};
  });
}

Sample csv_rows() {
  return ordered_by_value(
      [](Random& random) {
        const std::string name = small_word(random);
        const auto price = static_cast<int>(below(random, 300));
        std::string text = "\"" + name + "\"," + std::to_string(price) + ",\"" + small_word(random) + ",\n\"\"\"\n";
        return Valued<std::pair<int, std::string>>{std::move(text), {-price, name}};
      },
      "name,price,\"a\nnote\"\n");
}

Sample two_fields() {
  return ordered_by_value([](Random& random) {
    std::string record = random_bytes(random, 24);
    record.replace(4, 3, 3, '\0');  // so that many are equal in the first field
    // All bytes of the big-endian number but the last are 0. The number falls.
    const int falling = -static_cast<int>(static_cast<unsigned char>(record[7]));
    const std::uint64_t position = position_of_float(number_at<std::uint64_t>(record, 16));
    return Valued<std::pair<int, std::uint64_t>>{std::move(record), {falling, position}};
  });
}

Sample gensort_records() {
  return records_by(100, [](const std::string& record) { return record.substr(0, 10); });
}

template <class Number>
Sample integers() {
  return records_by(sizeof(Number), [](const std::string& record) { return number_at<Number>(record, 0); });
}

template <class Bits>
Sample floats() {
  return records_by(sizeof(Bits),
                    [](const std::string& record) { return position_of_float(number_at<Bits>(record, 0)); });
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
  return ordered_by_value([](Random& random) {
    const auto key_bytes = static_cast<std::uint32_t>(below(random, 6));
    const std::array<std::uint32_t, 2> lengths = {key_bytes, static_cast<std::uint32_t>(below(random, 40))};
    const std::string rest = random_bytes(random, lengths[0] + lengths[1]);
    std::string record(sizeof(lengths), '\0');
    std::memcpy(record.data(), lengths.data(), sizeof(lengths));
    return Valued<std::string>{record + rest, rest.substr(0, key_bytes)};
  });
}

}  // namespace

std::vector<SortCheck> record_checks() {
  return {
      {"CSV by two columns", {"--csv", "--key=price:n:desc", "--key=name"}, csv_rows},
      {"records of 24 bytes by two fields",
       {"--format=fixed:24", "--field=u32be@4:desc", "--field=f64@16"},
       two_fields},
      {"records of gensort", {"--format=gensort"}, gensort_records},
      {"length-prefixed records", {"--format=prefixed"}, prefixed_records},
      {"u32", {"--format=u32"}, integers<std::uint32_t>},
      {"i32", {"--format=i32"}, integers<std::int32_t>},
      {"u64", {"--format=u64"}, integers<std::uint64_t>},
      {"i64", {"--format=i64"}, integers<std::int64_t>},
      {"f32", {"--format=f32"}, floats<std::uint32_t>},
      {"f64", {"--format=f64"}, floats<std::uint64_t>},
  };
}

SortCheck large_check() { return {"32 MiB of u64", {"--format=u64"}, many_integers}; }

}  // namespace sortie::cli
