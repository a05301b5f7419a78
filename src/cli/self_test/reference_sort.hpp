// What the self-test compares sorts with: records made up at random, each beside the value that it is ordered by, and
// sorted by std::stable_sort. It shares no code with the sorts. Samples are the same in every run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/function_ref.hpp"

namespace sortie::cli {

using Random = std::mt19937_64;

/// Several times the least memory of a sort.
inline constexpr std::size_t kSampleBytes = 1 << 20;

inline std::uint64_t below(Random& random, std::uint64_t end) { return random() % end; }

inline std::string word(Random& random, std::string_view letters, std::size_t longest) {
  std::string text(1 + below(random, longest), '\0');
  for (char& letter : text) letter = letters[below(random, letters.size())];
  return text;
}

inline std::string small_word(Random& random) { return word(random, "abcdefgh", 4); }

/// A record with what it is ordered by.
template <class Value>
struct Valued {
  std::string text;
  Value value;
};

/// Records of make(random) with so many bytes as a sample has.
template <class Make>
auto many(Make make) {
  Random random(1);
  std::vector<decltype(make(random))> records;
  for (std::size_t bytes = 0; bytes < kSampleBytes; bytes += records.back().text.size()) {
    records.push_back(make(random));
  }
  return records;
}

template <class Record>
std::string texts_of(const std::vector<Record>& records) {
  std::string texts;
  for (const Record& record : records) texts += record.text;
  return texts;
}

/// The positions from 0 to `count` in the order of `is_before`, equal ones rising.
std::vector<std::size_t> stable_order(std::size_t count, FunctionRef<bool(std::size_t, std::size_t)> is_before);

/// Records with equal values keep their order. Positions are sorted since compilers take a second for each type that
/// std::stable_sort() is called with.
template <class Record>
void sort_by_value(std::vector<Record>& records) {
  std::vector<Record> sorted;
  for (const std::size_t position : stable_order(
           records.size(), [&](std::size_t a, std::size_t b) { return records[a].value < records[b].value; })) {
    sorted.push_back(std::move(records[position]));
  }
  records = std::move(sorted);
}

/// What goes in, and what must come out.
struct Sample {
  std::string input;
  std::string expected;
};

/// A sample of `header` and many records, by their values.
template <class Make>
Sample ordered_by_value(Make make, const std::string& header = "") {
  auto records = many(make);
  Sample sample{.input = header + texts_of(records), .expected = {}};
  sort_by_value(records);
  sample.expected = header + texts_of(records);
  return sample;
}

/// A sample of lines, which `make` gives without their ends. Lines with equal values are ordered by their bytes.
template <class Make>
Sample lines_by_value(Make make) {
  return ordered_by_value([&](Random& random) {
    auto [text, value] = make(random);
    return Valued<std::pair<decltype(value), std::string>>{text + "\n", {value, text}};
  });
}

/// Lines of words, in no order, of which some are equal.
Sample plain_lines();

/// A line of three fields, by the second one.
struct FieldLine {
  std::string text;
  std::string value;
  std::string first;
  std::uint64_t third;
};
FieldLine line_of_fields(Random& random);

/// A number in the bytes of a record, which must be long enough.
template <class Number>
Number number_at(std::string_view record, std::size_t offset) {
  Number number;
  std::memcpy(&number, record.data() + offset, sizeof(number));
  return number;
}

/// Where the number comes in the total order of IEEE 754. `Bits`: an unsigned integer as long as the number.
template <class Bits>
Bits position_of_float(Bits bits) {
  constexpr Bits kSign = Bits{1} << (8 * sizeof(Bits) - 1);
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

/// Lines with their ends.
std::vector<std::string_view> lines_of(std::string_view bytes);

/// What is wrong with `actual`, in a few words; empty if it is `expected`.
std::string difference(std::string_view expected, std::string_view actual);

/// What is wrong with lines in a random order that keeps equal ones together: empty if they are those of `input`.
std::string fault_of_shuffle(std::string_view input, std::string_view output);

/// What is wrong with lines that are to come in any order, every one being equally likely: empty if they are those of
/// `input`, which all differ and are in order, and about half of them come behind their neighbour of the output.
std::string fault_of_permutation(std::string_view input, std::string_view output);

}  // namespace sortie::cli
