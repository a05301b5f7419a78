// What an order of lines has beside its keys: the year of times, zones, words for missing values.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/error.hpp>
#include <sortie/text_keys.hpp>

#include "base/quote.hpp"
#include "record/time/time_zones.hpp"

namespace sortie {

std::string fault_of_written_time(const TextOrder& order, std::string_view example) {
  const auto is_time = [](const TextKey& key) { return key.kind == TextKind::kTime; };
  const auto is_written_time = [&](const TextKey& key) {
    return is_time(key) && (key.time.form == TimeForm::kUsual || key.time.form == TimeForm::kPattern);
  };
  if (std::ranges::any_of(order.keys, is_written_time)) return {};
  if (std::ranges::any_of(order.keys, is_time)) return "has no meaning for numbers since 1970: leave it out";
  return "needs a key of type time, for example " + std::string(example);
}

std::int32_t last_day_of_year(int year) {
  const std::chrono::sys_days last = std::chrono::year(year) / std::chrono::December / 31;
  return static_cast<std::int32_t>(last.time_since_epoch().count());
}

void set_zones(TextOrder& order, std::string_view list) {
  order.zone.clear();
  order.zone_names.clear();
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const std::string_view word = list.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) {
      if (word.empty()) throw Error("zones " + quote_word(list) + ": a name is missing; give a zone, as Europe/Berlin");
      if (!order.zone.empty()) {
        throw Error("zones " + quote_word(list) + ": times that name no zone have one alone, not " +
                    quote_word(order.zone) + " and " + quote_word(word) + "; names have offsets, as CET=+01:00");
      }
      order.zone = word;
      continue;
    }
    const std::optional<std::int32_t> offset = parse_zone_offset(word.substr(equals + 1));
    if (!offset) {
      throw Error("zone " + quote_word(word) + ": " + quote_word(word.substr(equals + 1)) +
                  " is no offset; give one as +02:00");
    }
    order.zone_names.push_back({std::string(word.substr(0, equals)), *offset});
  }
}

std::vector<std::string> parse_missing_words(std::string_view more) {
  std::vector<std::string> words = {"-", "NA", "N/A", "n/a", "NULL", "null", "None", "NaN", "nan"};
  for (std::string_view rest = more; !rest.empty();) {
    const std::size_t end = rest.find(',');
    const std::string_view word = rest.substr(0, end);
    const bool is_last = end == std::string_view::npos;
    if (word.empty() || (!is_last && end + 1 == rest.size())) {
      throw Error("the list " + quote_word(more) +
                  " of words for missing values has an empty one: what is empty is missing anyway");
    }
    if (std::ranges::find(words, word) == words.end()) words.emplace_back(word);
    rest = is_last ? std::string_view() : rest.substr(end + 1);
  }
  return words;
}

}  // namespace sortie
