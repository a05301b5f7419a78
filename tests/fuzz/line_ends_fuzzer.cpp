// Takes any bytes as lines. Compares the search for many ends at a time with one search per end, from any position and
// with any room for ends. Also counts bytes.
//
//   | delimiter | where to begin | room for ends | bytes |
#include <algorithm>
#include <vector>

#include "fuzz/fuzz_target.hpp"
#include "record/layout.hpp"
#include "record/line_ends.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

std::vector<std::size_t> expected_ends(std::string_view text, char delimiter) {
  std::vector<std::size_t> ends;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == delimiter) ends.push_back(at + 1);
  }
  return ends;
}

std::vector<std::size_t> found_ends(std::string_view text, char delimiter, std::size_t capacity) {
  std::vector<std::size_t> ends;
  std::vector<std::uint32_t> room(capacity);
  for (std::size_t begin = 0; begin < text.size();) {
    const LineEnds found = find_line_ends(fuzz::as_bytes(text.substr(begin)), delimiter, room);
    fuzz::require(found.scanned > 0 && found.count <= capacity, "the search goes on, within its room");
    for (std::size_t i = 0; i < found.count; ++i) ends.push_back(begin + room[i]);
    begin += found.scanned;
  }
  return ends;
}

void check_records(std::string_view text, char delimiter, const std::vector<std::size_t>& ends) {
  const std::size_t whole = ends.empty() ? 0 : ends.back();
  const Layout layout{.delimiter = delimiter};
  fuzz::require(whole_records(layout, fuzz::as_bytes(text)) == whole, "whole lines end with a delimiter");
  std::size_t record = 0;
  for_each_record(layout, fuzz::as_bytes(text.substr(0, whole)), [&](const std::byte*, std::uint64_t bytes) {
    const std::size_t begin = record == 0 ? 0 : ends[record - 1];
    fuzz::require(record < ends.size() && begin + bytes == ends[record], "lines lie between delimiters");
    ++record;
  });
  fuzz::require(record == ends.size(), "every line is visited");
}

void check(fuzz::InputReader input) {
  const char delimiter = static_cast<char>(input.byte());
  const std::size_t begin = input.byte();
  const std::size_t capacity = kLeastLineEnds + input.byte();
  input.take(begin);
  const std::string_view text = input.rest();
  const std::vector<std::size_t> expected = expected_ends(text, delimiter);
  fuzz::require(found_ends(text, delimiter, capacity) == expected, "line ends are where the delimiter is");
  fuzz::require(count_bytes(fuzz::as_bytes(text), delimiter) == expected.size(), "bytes are counted");
  check_records(text, delimiter, expected);
}

}  // namespace
}  // namespace sortie

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sortie::check({data, size});
  return 0;
}
