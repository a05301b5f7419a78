#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>

#include "cli/self_test/checks.hpp"

namespace sortie::cli {
namespace {

Sample falling_lines() {
  Sample sample = plain_lines();
  const std::vector<std::string_view> rising = lines_of(sample.expected);
  std::string falling;
  for (auto line = rising.rbegin(); line != rising.rend(); ++line) falling += *line;
  return {sample.input, falling};
}

Sample lines_ended_by_zero() {
  return ordered_by_value([](Random& random) {
    const std::string line = word(random, "ab\n\t", 24);
    return Valued<std::string>{line + '\0', line};
  });
}

Sample lines_with_header() {
  Sample sample = plain_lines();
  for (std::string* bytes : {&sample.input, &sample.expected}) bytes->insert(0, "zzz: the header\n");
  return sample;
}

Valued<double> by_number(const std::string& text) { return {text, std::strtod(text.c_str(), nullptr)}; }

Sample numbers() {
  return lines_by_value([](Random& random) {
    if (below(random, 50) == 0) return by_number(small_word(random));
    const auto digits = std::to_string(below(random, 2'000'000));
    return by_number((below(random, 2) == 0 ? "-" : "") + digits + "." + std::to_string(below(random, 100)) + " x");
  });
}

Sample general_numbers() {
  return lines_by_value([](Random& random) {
    using Line = Valued<std::pair<bool, double>>;
    if (below(random, 50) == 0) return Line{small_word(random) + "z", {false, 0}};
    const auto digits = std::to_string(static_cast<int>(below(random, 20000)) - 10000);
    const auto exponent = std::to_string(static_cast<int>(below(random, 40)) - 20);
    const auto [text, number] = by_number(below(random, 50) != 0  ? digits + "e" + exponent
                                          : below(random, 2) == 0 ? "-inf"
                                                                  : "inf");
    return Line{text, {true, number}};
  });
}

Sample human_numbers() {
  return lines_by_value([](Random& random) {
    const std::size_t unit = below(random, 4);
    const auto digits = std::to_string(1 + below(random, 1000));
    const auto [text, number] =
        by_number(digits + "." + std::to_string(below(random, 10)) + std::string("KMGT").substr(unit, 1));
    return Valued<std::pair<std::size_t, double>>{text, {unit, number}};
  });
}

Sample months() {
  constexpr std::array<std::string_view, 13> kMonths = {"none", "JAN", "FEB", "MAR", "APR", "MAY", "JUN",
                                                        "JUL",  "AUG", "SEP", "OCT", "NOV", "DEC"};
  return lines_by_value([&](Random& random) {
    const std::size_t month = below(random, kMonths.size());
    return Valued<std::size_t>{std::string(kMonths[month]) + " " + small_word(random), month};
  });
}

Sample versions() {
  return lines_by_value([](Random& random) {
    Valued<std::array<std::uint64_t, 3>> line{"v", {}};
    for (std::uint64_t& part : line.value) {
      part = below(random, 120);
      line.text += (line.text.size() > 1 ? "." : "") + std::to_string(part);
    }
    return line;
  });
}

/// Odd lines, of whose characters those count that `counted` does not give as 0.
template <class Counted>
Sample odd_lines(Counted counted) {
  return lines_by_value([&](Random& random) {
    Valued<std::string> line{word(random, "abAB12 ._-\x01\x02", 20), ""};
    for (const char character : line.text) {
      if (const int byte = counted(static_cast<unsigned char>(character))) line.value += static_cast<char>(byte);
    }
    return line;
  });
}

Sample folded() {
  return odd_lines([](int byte) { return std::toupper(byte); });
}

Sample dictionary() {
  return odd_lines([](int byte) { return std::isalnum(byte) != 0 || byte == ' ' ? byte : 0; });
}

Sample printable() {
  return odd_lines([](int byte) { return std::isprint(byte) != 0 ? byte : 0; });
}

Sample blanks() {
  return lines_by_value([](Random& random) {
    const std::string key = small_word(random);
    return Valued<std::string>{small_word(random) + std::string(1 + below(random, 5), ' ') + key, key};
  });
}

Sample two_keys() {
  return lines_by_value([](Random& random) {
    const FieldLine line = line_of_fields(random);
    return Valued<std::pair<int, std::string>>{line.text.substr(0, line.text.size() - 1),
                                               {-static_cast<int>(line.third), line.first}};
  });
}

Sample stable_keys() { return ordered_by_value(line_of_fields); }

using Group = std::vector<FieldLine>;

template <class Take>
Sample grouped(Take take) {
  const Group lines = many(line_of_fields);
  std::map<std::string, Group> groups;
  for (const FieldLine& line : lines) groups[line.value].push_back(line);
  Sample sample{.input = texts_of(lines), .expected = {}};
  for (const auto& [key, group] : groups) sample.expected += take(group);
  return sample;
}

Sample first_of_equal() {
  return grouped([](const Group& lines) { return lines.front().text; });
}

Sample last_of_equal() {
  return grouped([](const Group& lines) { return lines.back().text; });
}

Sample counted() {
  return grouped([](const Group& lines) {
    std::string count = std::to_string(lines.size());
    count.insert(0, 7 - std::min<std::size_t>(7, count.size()), ' ');
    return count + " " + lines.front().text;
  });
}

Sample first_in_place() {
  const Group lines = many(line_of_fields);
  Sample sample{.input = texts_of(lines), .expected = {}};
  std::set<std::string> seen;
  for (const FieldLine& line : lines) sample.expected += seen.insert(line.value).second ? line.text : "";
  return sample;
}

Sample summed() {
  return grouped([](const Group& lines) {
    std::uint64_t sum = 0;
    for (const FieldLine& line : lines) sum += line.third;
    return lines.front().value + "," + std::to_string(sum) + "," + std::to_string(lines.size()) + "\n";
  });
}

Sample repeated() {
  return grouped([](const Group& lines) { return lines.size() > 1 ? lines.front().text : ""; });
}

Sample only_once() {
  return grouped([](const Group& lines) { return lines.size() == 1 ? lines.front().text : ""; });
}

Sample first_lines() {
  const Sample sample = plain_lines();
  const std::vector<std::string_view> lines = lines_of(sample.expected);
  return {sample.input, std::string(lines.front().data(), lines[100].data())};
}

Sample shuffled() {
  const Sample sample = plain_lines();
  return {sample.input, sample.input};
}

Sample permuted() {
  Sample sample;
  for (int number = 1'000'000; sample.input.size() < kSampleBytes; ++number) {
    sample.input += std::to_string(number) + "\n";
  }
  sample.expected = sample.input;
  return sample;
}

/// Lines that strcoll() takes for equal keep their order.
struct Collated {
  std::string text;
  bool operator<(const Collated& other) const { return std::strcoll(text.c_str(), other.text.c_str()) < 0; }
};

Sample collated_lines() {
  constexpr std::array<std::string_view, 12> kLetters = {"a", "A", "b", "e", "\xc3\xa9", "\xc3\x84",
                                                         "n", "-", " ", "z", "\xc3\xb1", "1"};
  auto lines = many([&](Random& random) {
    std::string line;
    for (std::uint64_t i = 0, end = 1 + below(random, 12); i < end; ++i) line += kLetters[below(random, 12)];
    return Valued<Collated>{line + "\n", {line}};
  });
  Sample sample{.input = texts_of(lines), .expected = {}};
  sort_by_value(lines);
  sample.expected = texts_of(lines);
  return sample;
}

}  // namespace

std::vector<SortCheck> line_checks() {
  return {
      {"lines", {}, plain_lines},
      {"lines, falling", {"-r"}, falling_lines},
      {"lines ended by NUL", {"-z"}, lines_ended_by_zero},
      {"lines with a header", {"--header"}, lines_with_header},
      {"lines in the order of the locale", {}, collated_lines, true, true},
      {"numbers", {"-n"}, numbers},
      {"numbers as programs write them", {"-g"}, general_numbers},
      {"numbers with units", {"-h"}, human_numbers},
      {"months", {"-M"}, months},
      {"versions", {"-V"}, versions},
      {"letters without their case", {"-f"}, folded},
      {"letters and digits alone", {"-d"}, dictionary},
      {"printable characters alone", {"-i"}, printable},
      {"a key behind blanks", {"-b", "-k2"}, blanks},
      {"two keys", {"-t,", "-k3,3nr", "-k1,1"}, two_keys},
      {"equal keys in their order", {"-s", "-t,", "-k2,2"}, stable_keys},
      {"the first of equal keys", {"-u", "-t,", "-k2,2"}, first_of_equal},
      {"the last of equal keys", {"-u", "--keep=last", "-t,", "-k2,2"}, last_of_equal},
      {"the first of equal keys, where it stood", {"-u", "--order=input", "-t,", "-k2,2"}, first_in_place},
      {"groups with sums", {"--group", "-t,", "-k2,2", "--sum=3", "--count"}, summed},
      {"equal keys counted", {"--count", "-t,", "-k2,2"}, counted},
      {"the first 100 lines", {"--top=100"}, first_lines, false},
      {"what has equal keys", {"--repeated", "-t,", "-k2,2"}, repeated},
      {"what has a key of its own", {"--only-once", "-t,", "-k2,2"}, only_once},
      {"lines in an order by their hashes", {"-R"}, shuffled, true, false, fault_of_shuffle},
      {"lines shuffled", {"--shuffle=1"}, permuted, true, false, fault_of_permutation},
  };
}

}  // namespace sortie::cli
