// Which words behind a time of day are names of zones. Used by the reader of written zones.
#pragma once

#include <cstddef>
#include <string_view>

namespace sortie {

/// Letters of the longest name that is_zone_word() knows.
inline constexpr std::size_t kLongestZoneWord = 5;

/// Whether the word, in capitals, is a usual name of a zone. Names that are words of logs as well are none: GET, EAST.
bool is_zone_word(std::string_view word);

/// Whether the word, in capitals, is one that logs have behind times: INFO, GET.
bool is_word_of_logs(std::string_view word);

/// Whether the text begins as names in the tz database do: "Europe/".
bool begins_like_database_zone(std::string_view text);

}  // namespace sortie
