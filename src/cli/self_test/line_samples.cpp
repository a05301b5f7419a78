#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "cli/self_test/random_records.hpp"
#include "cli/self_test/reference_sort.hpp"
#include "cli/self_test/samples.hpp"

namespace sortie::cli {
namespace {

template <class Record, class Value>
Sample lines_by(Record record, Value value) {
  std::string input = many([&](Random& random) { return record(random) + "\n"; });
  std::string expected = sorted_lines(input, value);
  return {std::move(input), std::move(expected)};
}

double number_of(std::string_view text) { return std::strtod(std::string(text).c_str(), nullptr); }

template <class Keep>
std::string only(std::string_view text, Keep keep) {
  std::string result;
  for (const char character : text) {
    if (keep(static_cast<unsigned char>(character))) result += character;
  }
  return result;
}

std::string in_capitals(std::string_view text) {
  std::string result(text);
  for (char& letter : result) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return result;
}

constexpr std::array<std::string_view, 13> kMonths = {"none", "JAN", "FEB", "MAR", "APR", "MAY", "JUN",
                                                      "JUL",  "AUG", "SEP", "OCT", "NOV", "DEC"};

std::string odd_line(Random& random) { return word(random, "abAB12 ._-\x01\x02", 20); }

std::string line_of_fields(Random& random) {
  return small_word(random) + "," + small_word(random) + "," + std::to_string(below(random, 500));
}

template <class Take>
Sample grouped(Take take) {
  std::string input = many([](Random& random) { return line_of_fields(random) + "\n"; });
  std::map<std::string_view, RecordList> groups;
  for (const std::string_view line : lines_of(input)) groups[field_of(content(line), ',', 1)].push_back(line);
  std::string expected;
  for (const auto& [key, lines] : groups) expected += take(lines);
  return {std::move(input), std::move(expected)};
}

}  // namespace

std::string sample_lines() {
  return many([](Random& random) {
    return (below(random, 4) == 0 ? small_word(random) : word(random, "abcdefghijklmnopqrstuvwxyz ", 60)) + "\n";
  });
}

Sample plain_lines() {
  std::string input = sample_lines();
  std::string expected = sorted_lines(input);
  return {std::move(input), std::move(expected)};
}

Sample falling_lines() {
  std::string input = sample_lines();
  RecordList lines = lines_of(input);
  std::ranges::sort(lines, [](std::string_view a, std::string_view b) { return content(b) < content(a); });
  return {input, joined(lines)};
}

Sample lines_ended_by_zero() {
  std::string input = many([](Random& random) { return word(random, "ab\n\t", 24) + '\0'; });
  std::string expected = sorted_by(lines_of(input, '\0'), content);
  return {std::move(input), std::move(expected)};
}

Sample lines_with_header() {
  Sample sample = plain_lines();
  for (std::string* bytes : {&sample.input, &sample.expected}) bytes->insert(0, "zzz: the header\n");
  return sample;
}

Sample numbers() {
  return lines_by(
      [](Random& random) {
        if (below(random, 50) == 0) return small_word(random);
        const auto digits = std::to_string(below(random, 2'000'000));
        return (below(random, 2) == 0 ? "-" : "") + digits + "." + std::to_string(below(random, 100)) + " x";
      },
      number_of);
}

Sample general_numbers() {
  return lines_by(
      [](Random& random) {
        if (below(random, 50) == 0) return small_word(random) + "z";
        if (below(random, 50) == 0) return std::string(below(random, 2) == 0 ? "-inf" : "inf");
        return std::to_string(static_cast<int>(below(random, 20000)) - 10000) + "e" +
               std::to_string(static_cast<int>(below(random, 40)) - 20);
      },
      [](std::string_view line) {
        const bool is_number = !line.ends_with('z');
        return std::pair(is_number, is_number ? number_of(line) : 0);
      });
}

Sample human_numbers() {
  return lines_by(
      [](Random& random) {
        return std::to_string(1 + below(random, 1000)) + "." + std::to_string(below(random, 10)) +
               std::string("KMGT").substr(below(random, 4), 1);
      },
      [](std::string_view line) { return std::pair(std::string_view("KMGT").find(line.back()), number_of(line)); });
}

Sample months() {
  return lines_by([](Random& random) { return std::string(kMonths[below(random, 13)]) + " " + small_word(random); },
                  [](std::string_view line) { return std::ranges::find(kMonths, line.substr(0, line.find(' '))); });
}

Sample versions() {
  return lines_by(
      [](Random& random) {
        std::string text = "v";
        for (int i = 0; i < 3; ++i) text += (i > 0 ? "." : "") + std::to_string(below(random, 120));
        return text;
      },
      [](std::string_view line) {
        const std::string text(line.substr(1));
        std::array<long, 3> parts{};
        const char* position = text.c_str();
        for (long& part : parts) {
          char* end = nullptr;
          part = std::strtol(position, &end, 10);
          position = end + (*end != '\0');
        }
        return parts;
      });
}

Sample folded() { return lines_by(odd_line, in_capitals); }

Sample dictionary() {
  return lines_by(odd_line, [](std::string_view line) {
    return only(line, [](unsigned char byte) { return std::isalnum(byte) || byte == ' '; });
  });
}

Sample printable() {
  return lines_by(odd_line, [](std::string_view line) {
    return only(line, [](unsigned char byte) { return std::isprint(byte); });
  });
}

Sample blanks() {
  return lines_by(
      [](Random& random) { return small_word(random) + std::string(1 + below(random, 5), ' ') + small_word(random); },
      [](std::string_view line) { return line.substr(line.rfind(' ') + 1); });
}

Sample two_keys() {
  return lines_by(line_of_fields, [](std::string_view line) {
    return std::pair(-number_of(field_of(line, ',', 2)), field_of(line, ',', 0));
  });
}

Sample stable_keys() {
  std::string input = many([](Random& random) { return line_of_fields(random) + "\n"; });
  std::string expected =
      sorted_by(lines_of(input), [](std::string_view line) { return field_of(content(line), ',', 1); });
  return {std::move(input), std::move(expected)};
}

Sample first_of_equal() {
  return grouped([](const RecordList& lines) { return std::string(lines.front()); });
}

Sample last_of_equal() {
  return grouped([](const RecordList& lines) { return std::string(lines.back()); });
}

Sample counted() {
  return grouped([](const RecordList& lines) {
    std::string count = std::to_string(lines.size());
    count.insert(0, 7 - std::min<std::size_t>(7, count.size()), ' ');
    return count + " " + std::string(lines.front());
  });
}

Sample first_in_place() {
  Sample sample{stable_keys().input, {}};
  std::set<std::string_view> seen;
  for (const std::string_view line : lines_of(sample.input)) {
    if (seen.insert(field_of(content(line), ',', 1)).second) sample.expected += line;
  }
  return sample;
}

Sample summed() {
  return grouped([](const RecordList& lines) {
    std::uint64_t sum = 0;
    for (const std::string_view line : lines) sum += std::stoull(std::string(field_of(content(line), ',', 2)));
    return std::string(field_of(content(lines.front()), ',', 1)) + "," + std::to_string(sum) + "," +
           std::to_string(lines.size()) + "\n";
  });
}

Sample repeated() {
  return grouped([](const RecordList& lines) { return lines.size() > 1 ? std::string(lines.front()) : ""; });
}

Sample only_once() {
  return grouped([](const RecordList& lines) { return lines.size() == 1 ? std::string(lines.front()) : ""; });
}

Sample first_lines() {
  Sample sample = plain_lines();
  const RecordList lines = lines_of(sample.expected);
  sample.expected = joined(RecordList(lines.begin(), lines.begin() + 100));
  return sample;
}

Sample shuffled() {
  std::string input = sample_lines();
  return {input, input};
}

Sample permuted() {
  Sample sample;
  for (int number = 1'000'000; sample.input.size() < kSampleBytes; ++number) {
    sample.input += std::to_string(number) + "\n";
  }
  sample.expected = sample.input;
  return sample;
}

Sample collated_lines() {
  std::string input = many([](Random& random) {
    constexpr std::array<std::string_view, 12> kLetters = {"a", "A", "b", "e", "\xc3\xa9", "\xc3\x84",
                                                           "n", "-", " ", "z", "\xc3\xb1", "1"};
    std::string line;
    for (std::uint64_t i = 0, end = 1 + below(random, 12); i < end; ++i) line += kLetters[below(random, 12)];
    return line + "\n";
  });
  struct Collated {
    std::string text;
    bool operator<(const Collated& other) const { return std::strcoll(text.c_str(), other.text.c_str()) < 0; }
  };
  // Lines that strcoll() takes for equal keep their order.
  std::string expected =
      sorted_by(lines_of(input), [](std::string_view line) { return Collated{std::string(content(line))}; });
  return {std::move(input), std::move(expected)};
}

TwoInputs inputs_with_common_keys() {
  const Sample sample = stable_keys();
  TwoInputs inputs;
  inputs.left = sample.input;
  std::string_view last;
  for (const std::string_view line : lines_of(sample.expected)) {
    const std::string_view key = field_of(content(line), ',', 1);
    const std::string number = std::to_string(key.size());
    if (key < "c" || key > "f") continue;
    inputs.joined.append(key).append(",").append(field_of(content(line), ',', 0)).append(",");
    inputs.joined.append(field_of(content(line), ',', 2)).append(",").append(number).append("\n");
    if (key == std::exchange(last, key)) continue;
    inputs.intersection += line;
    inputs.right.insert(0, number + "," + std::string(key) + "\n");
  }
  inputs.right += "0,i\n";
  return inputs;
}

}  // namespace sortie::cli
