// English names of months and days of the week, as TimeCursor finds them: by three letters, then by what is behind
// these.
#pragma once

#include <array>
#include <string_view>

namespace sortie {

/// Three letters as one number.
constexpr unsigned three_letters(char a, char b, char c) {
  return static_cast<unsigned>(a) | static_cast<unsigned>(b) << 8 | static_cast<unsigned>(c) << 16;
}
inline constexpr std::array kMonthNames = {
    three_letters('j', 'a', 'n'), three_letters('f', 'e', 'b'), three_letters('m', 'a', 'r'),
    three_letters('a', 'p', 'r'), three_letters('m', 'a', 'y'), three_letters('j', 'u', 'n'),
    three_letters('j', 'u', 'l'), three_letters('a', 'u', 'g'), three_letters('s', 'e', 'p'),
    three_letters('o', 'c', 't'), three_letters('n', 'o', 'v'), three_letters('d', 'e', 'c')};
inline constexpr std::array kWeekdayNames = {three_letters('s', 'u', 'n'), three_letters('m', 'o', 'n'),
                                             three_letters('t', 'u', 'e'), three_letters('w', 'e', 'd'),
                                             three_letters('t', 'h', 'u'), three_letters('f', 'r', 'i'),
                                             three_letters('s', 'a', 't')};

/// What full names have behind those three letters, and another short form of them.
struct NameEnd {
  std::string_view full;
  std::string_view other = {};
};
inline constexpr std::array kMonthEnds = std::to_array<NameEnd>({{"uary"},
                                                                 {"ruary"},
                                                                 {"ch"},
                                                                 {"il"},
                                                                 {""},
                                                                 {"e"},
                                                                 {"y"},
                                                                 {"ust"},
                                                                 {"tember", "t"},
                                                                 {"ober"},
                                                                 {"ember"},
                                                                 {"ember"}});
inline constexpr std::array kWeekdayEnds =
    std::to_array<NameEnd>({{"day"}, {"day"}, {"sday", "s"}, {"nesday"}, {"rsday", "rs"}, {"day"}, {"urday"}});

}  // namespace sortie
