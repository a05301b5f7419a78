// What the self-test compares sorts with: records found in the plainest way, sorted by std::stable_sort. It shares no
// code with the sorts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace sortie::cli {

/// Records with what ends them.
using RecordList = std::vector<std::string_view>;

RecordList lines_of(std::string_view bytes, char delimiter = '\n');
RecordList fixed_records_of(std::string_view bytes, std::size_t record_bytes);
RecordList prefixed_records_of(std::string_view bytes);

std::string joined(const RecordList& records);

/// A line without its last byte, the delimiter.
inline std::string_view content(std::string_view line) { return line.substr(0, line.size() - 1); }

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

/// By value(record); equal ones keep their order.
template <class Value>
std::string sorted_by(RecordList records, Value value) {
  std::stable_sort(records.begin(), records.end(),
                   [&](std::string_view a, std::string_view b) { return value(a) < value(b); });
  return joined(records);
}

/// Lines by value(content), then by their bytes.
template <class Value>
std::string sorted_lines(std::string_view bytes, Value value) {
  RecordList lines = lines_of(bytes);
  std::ranges::stable_sort(lines, [&](std::string_view a, std::string_view b) {
    const auto left = value(content(a));
    const auto right = value(content(b));
    return left != right ? left < right : content(a) < content(b);
  });
  return joined(lines);
}

/// Lines by their bytes.
std::string sorted_lines(std::string_view bytes);

/// Field number `number`, from 0, of a line whose fields end in `separator`.
std::string_view field_of(std::string_view line, char separator, std::size_t number);

/// What is wrong with `actual`, in a few words; empty if it is `expected`.
std::string difference(std::string_view expected, std::string_view actual);

/// What is wrong with lines in a random order that keeps equal ones together: empty if they are those of `input`.
std::string fault_of_shuffle(std::string_view input, std::string_view output);

/// What is wrong with lines that are to come in any order, every one being equally likely: empty if they are those of
/// `input`, which all differ and are in order, and about half of them come behind their neighbour of the output.
std::string fault_of_permutation(std::string_view input, std::string_view output);

}  // namespace sortie::cli
