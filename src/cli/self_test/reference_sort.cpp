#include "cli/self_test/reference_sort.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace sortie::cli {

Sample plain_lines() {
  return lines_by_value([](Random& random) {
    const bool is_short = below(random, 4) == 0;
    return Valued<int>{is_short ? small_word(random) : word(random, "abcdefghijklmnopqrstuvwxyz ", 60), 0};
  });
}

FieldLine line_of_fields(Random& random) {
  FieldLine line{.text = {}, .value = small_word(random), .first = small_word(random), .third = below(random, 500)};
  line.text = line.first + "," + line.value + "," + std::to_string(line.third) + "\n";
  return line;
}

std::vector<std::string_view> lines_of(std::string_view bytes) {
  std::vector<std::string_view> lines;
  while (!bytes.empty()) {
    const std::size_t length = std::min(bytes.find('\n'), bytes.size() - 1) + 1;
    lines.push_back(bytes.substr(0, length));
    bytes.remove_prefix(length);
  }
  return lines;
}

std::vector<std::size_t> stable_order(std::size_t count, FunctionRef<bool(std::size_t, std::size_t)> is_before) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), is_before);
  return order;
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
  std::vector<std::string_view> before = lines_of(input);
  std::vector<std::string_view> after = lines_of(output);
  const std::vector<std::string_view> as_it_came = after;
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
  const std::vector<std::string_view> lines = lines_of(output);
  std::vector<std::string_view> sorted = lines;
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
