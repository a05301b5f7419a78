#include <array>
#include <ctime>
#include <tuple>
#include <utility>
#include <vector>

#include "cli/self_test/random_records.hpp"
#include "cli/self_test/reference_sort.hpp"
#include "cli/self_test/samples.hpp"

namespace sortie::cli {
namespace {

/// Records with what they are ordered by.
template <class Value>
struct Valued {
  std::string text;
  Value value;
};

/// A sample of `header` and many records. Records with equal values keep their order.
template <class Record>
Sample ordered_by_value(const std::string& header, Record record) {
  Random random(1);
  std::vector<decltype(record(random))> records;
  Sample sample{.input = header, .expected = header};
  while (sample.input.size() < kSampleBytes) {
    records.push_back(record(random));
    sample.input += records.back().text;
  }
  std::ranges::stable_sort(records, {}, [](const auto& valued) { return valued.value; });
  for (const auto& valued : records) sample.expected += valued.text;
  return sample;
}

/// The moment in local time of a zone so many minutes east of Greenwich.
std::string written(std::time_t seconds, int zone_minutes, const char* form) {
  seconds += std::time_t{60} * zone_minutes;
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 64> text{};
  return {text.data(), std::strftime(text.data(), text.size(), form, &parts)};
}

std::string two_digits(std::uint64_t number) { return std::to_string(100 + number).substr(1); }

}  // namespace

Sample times() {
  return ordered_by_value("", [](Random& random) {
    const auto seconds = static_cast<std::time_t>(below(random, 2'000'000'000));
    const std::uint64_t zone = below(random, 13);
    const bool is_west = below(random, 2) == 0;
    const int minutes = (is_west ? -60 : 60) * static_cast<int>(zone);
    const std::string sign = is_west ? "-" : "+";
    const std::string text = below(random, 2) == 0
                                 ? written(seconds, minutes, "%Y-%m-%dT%H:%M:%S") + sign + two_digits(zone) + ":00"
                                 : written(seconds, minutes, "[%d/%b/%Y:%H:%M:%S ") + sign + two_digits(zone) + "00]";
    return Valued<std::time_t>{text + " " + small_word(random) + "\n", seconds};
  });
}

Sample json_lines() {
  return ordered_by_value("", [](Random& random) {
    const bool has_name = below(random, 4) != 0;
    const std::string name = small_word(random);
    const auto number = static_cast<int>(below(random, 500)) - 250;
    const std::string user = "\"user\": {\"x\": [1, \"{\"], \"id\": " + std::to_string(number) + "}";
    std::string text = "{" + (has_name ? "\"name\":\"" + name + "\", " + user : user) + "}\n";
    return Valued<std::tuple<int, bool, std::string>>{std::move(text), {-number, !has_name, has_name ? name : ""}};
  });
}

Sample entries() {
  return ordered_by_value("", [](Random& random) {
    const std::uint64_t number = below(random, 1000);
    std::string text = std::to_string(number) + " " + small_word(random) + "\n";
    for (std::uint64_t i = below(random, 4); i > 0; --i) text += "  at " + small_word(random) + "\n";
    return Valued<std::uint64_t>{std::move(text), number};
  });
}

Sample genome_positions() {
  constexpr std::array<std::string_view, 8> kChromosomes = {"chr1", "chr2", "chr9", "chr10",
                                                            "chrX", "chrY", "chrM", "chr1_random"};
  return ordered_by_value("#a header\ntrack b\n", [&](Random& random) {
    const std::uint64_t chromosome = below(random, kChromosomes.size());
    const std::uint64_t begin = below(random, 1000);
    const std::uint64_t end = begin + below(random, 5);
    std::string text = std::string(kChromosomes[chromosome]) + "\t" + std::to_string(begin) + "\t" +
                       std::to_string(end) + "\t" + small_word(random) + "\n";
    return Valued<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>>{std::move(text), {chromosome, begin, end}};
  });
}

Sample fields_between_words() {
  return ordered_by_value("", [](Random& random) {
    const std::string key = small_word(random);
    return Valued<std::string>{small_word(random) + "-|-" + key + "-|-|-" + small_word(random) + "\n", key};
  });
}

}  // namespace sortie::cli
