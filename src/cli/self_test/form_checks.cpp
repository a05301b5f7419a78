#include <array>
#include <ctime>
#include <tuple>

#include "cli/self_test/checks.hpp"

namespace sortie::cli {
namespace {

/// The moment in local time of a zone so many minutes east of Greenwich.
std::string written(std::time_t seconds, int zone_minutes, const char* form) {
  seconds += std::time_t{60} * zone_minutes;
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 64> text{};
  return {text.data(), std::strftime(text.data(), text.size(), form, &parts)};
}

std::string two_digits(std::uint64_t number) { return std::to_string(100 + number).substr(1); }

Sample times() {
  return ordered_by_value([](Random& random) {
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
  return ordered_by_value([](Random& random) {
    const bool has_name = below(random, 4) != 0;
    const std::string name = small_word(random);
    const auto number = static_cast<int>(below(random, 500)) - 250;
    const std::string user = "\"user\": {\"x\": [1, \"{\"], \"id\": " + std::to_string(number) + "}";
    std::string text = "{" + (has_name ? "\"name\":\"" + name + "\", " + user : user) + "}\n";
    return Valued<std::tuple<int, bool, std::string>>{std::move(text), {-number, !has_name, has_name ? name : ""}};
  });
}

Sample entries() {
  return ordered_by_value([](Random& random) {
    const std::uint64_t number = below(random, 1000);
    std::string text = std::to_string(number) + " " + small_word(random) + "\n";
    for (std::uint64_t i = below(random, 4); i > 0; --i) text += "  at " + small_word(random) + "\n";
    return Valued<std::uint64_t>{std::move(text), number};
  });
}

Sample genome_positions() {
  constexpr std::array<std::string_view, 8> kChromosomes = {"chr1", "chr2", "chr9", "chr10",
                                                            "chrX", "chrY", "chrM", "chr1_random"};
  return ordered_by_value(
      [&](Random& random) {
        const std::uint64_t chromosome = below(random, kChromosomes.size());
        const std::uint64_t begin = below(random, 1000);
        const std::uint64_t end = begin + below(random, 5);
        std::string text = std::string(kChromosomes[chromosome]) + "\t" + std::to_string(begin) + "\t" +
                           std::to_string(end) + "\t" + small_word(random) + "\n";
        return Valued<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>>{std::move(text),
                                                                               {chromosome, begin, end}};
      },
      "#a header\ntrack b\n");
}

Sample fields_between_words() {
  return ordered_by_value([](Random& random) {
    const std::string key = small_word(random);
    return Valued<std::string>{small_word(random) + "-|-" + key + "-|-|-" + small_word(random) + "\n", key};
  });
}

}  // namespace

std::vector<SortCheck> form_checks() {
  return {
      {"times in their zones", {"-s", "-k1:time"}, times},
      {"JSON Lines by two values", {"--jsonl", "-s", "--key=.user.id:n:desc", "--key=.name"}, json_lines},
      {"entries of several lines", {"--entry-start=^[0-9]", "-k1,1n"}, entries},
      {"places in a genome", {"--bed", "--chromosomes=karyotype"}, genome_positions},
      {"fields between separators", {"-s", "-t-|-", "-k2,2"}, fields_between_words},
  };
}

}  // namespace sortie::cli
