#include "cli/self_test/reference_sort.hpp"

#include <set>

namespace sortie::cli {

RecordList lines_of(std::string_view bytes, char delimiter) {
  RecordList lines;
  while (!bytes.empty()) {
    const std::size_t length = std::min(bytes.find(delimiter), bytes.size() - 1) + 1;
    lines.push_back(bytes.substr(0, length));
    bytes.remove_prefix(length);
  }
  return lines;
}

RecordList fixed_records_of(std::string_view bytes, std::size_t record_bytes) {
  RecordList records;
  for (; !bytes.empty(); bytes.remove_prefix(records.back().size())) {
    records.push_back(bytes.substr(0, record_bytes));
  }
  return records;
}

RecordList prefixed_records_of(std::string_view bytes) {
  RecordList records;
  for (; !bytes.empty(); bytes.remove_prefix(records.back().size())) {
    records.push_back(bytes.substr(0, 8 + number_at<std::uint32_t>(bytes, 0) + number_at<std::uint32_t>(bytes, 4)));
  }
  return records;
}

std::string joined(const RecordList& records) {
  std::string bytes;
  for (const std::string_view record : records) bytes += record;
  return bytes;
}

std::string sorted_lines(std::string_view bytes) {
  return sorted_lines(bytes, [](std::string_view line) { return line; });
}

std::string_view field_of(std::string_view line, char separator, std::size_t number) {
  for (; number > 0; --number) line.remove_prefix(std::min(line.size(), line.find(separator) + 1));
  return line.substr(0, line.find(separator));
}

std::string difference(std::string_view expected, std::string_view actual) {
  if (expected == actual) return {};
  if (expected.size() != actual.size()) {
    return std::to_string(actual.size()) + " bytes come out, not " + std::to_string(expected.size());
  }
  const auto position = std::ranges::mismatch(expected, actual).in1 - expected.begin();
  return "the order is wrong from byte " + std::to_string(position) + " of the output on";
}

std::string fault_of_shuffle(std::string_view input, std::string_view output) {
  RecordList before = lines_of(input);
  RecordList after = lines_of(output);
  const RecordList as_it_came = after;
  std::ranges::sort(before);
  std::ranges::sort(after);
  if (before != after) return "other lines come out than went in";
  std::set<std::string_view> seen;
  std::string_view last;
  for (const std::string_view line : as_it_came) {
    if (line != last && !seen.insert(line).second) return "equal lines are apart";
    last = line;
  }
  if (as_it_came == after) return "the lines are in order";
  return {};
}

std::string fault_of_permutation(std::string_view input, std::string_view output) {
  const RecordList lines = lines_of(output);
  RecordList sorted = lines;
  std::ranges::sort(sorted);
  if (sorted != lines_of(input)) return "other lines come out than went in";
  double rises = 0;
  for (std::size_t i = 1; i < lines.size(); ++i) rises += lines[i - 1] < lines[i] ? 1 : 0;
  // Rises of a random permutation: half of the pairs, with a variance of a twelfth of the lines.
  const double distance = rises - (static_cast<double>(lines.size()) - 1) / 2;
  constexpr double kMostDeviations = 6;
  const bool is_usual =
      distance * distance <= kMostDeviations * kMostDeviations * (static_cast<double>(lines.size()) + 1) / 12;
  return is_usual ? "" : "the lines are in too little disorder";
}

}  // namespace sortie::cli
