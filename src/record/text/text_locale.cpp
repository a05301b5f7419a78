#include "record/text/text_locale.hpp"

#include <langinfo.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "record/collation/collating_elements.hpp"

namespace sortie {
namespace {

constexpr std::array<nl_item, 12> kMonthItems = {ABMON_1, ABMON_2, ABMON_3, ABMON_4,  ABMON_5,  ABMON_6,
                                                 ABMON_7, ABMON_8, ABMON_9, ABMON_10, ABMON_11, ABMON_12};

/// The only byte of `text`, or `otherwise` if it has more or none.
unsigned char single_byte(const char* text, unsigned char otherwise) {
  return text[0] == '\0' || text[1] != '\0' ? otherwise : static_cast<unsigned char>(text[0]);
}

/// Whether the C library knows rules by which text is ordered; if it does not, strcoll() compares bytes.
bool has_rules(const LocaleHandle& locale) {
#if defined(__GLIBC__)
  return CollatingElements::count_levels(locale.get()) != 0;
#else
  return !locale.is_c(LC_COLLATE);
#endif
}

std::string month_name(const char* text, const TextLocale& locale) {
  std::string name;
  for (; *text != '\0'; ++text) {
    const auto byte = static_cast<unsigned char>(*text);
    if (!locale.blank[byte]) name += static_cast<char>(locale.upper_case[byte]);
  }
  return name;
}

void sort_months(TextLocale& locale) { std::ranges::stable_sort(locale.months, {}, &TextLocale::Month::name); }

/// The sign of the order of `text` and `name`; 0 if `text` begins with it.
int compare_begin(std::string_view text, std::string_view name, const TextLocale& locale) {
  for (std::size_t i = 0; i < name.size(); ++i) {
    const unsigned char byte = i < text.size() ? locale.upper_case[static_cast<unsigned char>(text[i])] : 0;
    const auto expected = static_cast<unsigned char>(name[i]);
    if (byte != expected) return byte < expected ? -1 : 1;
  }
  return 0;
}

/// What the C library says of the bytes in "C".
struct TablesOfC {
  TextLocale::ByteSet printable{};
  TextLocale::ByteSet alphanumeric{};
  std::array<unsigned char, 256> upper_case{};
};

constexpr TablesOfC tables_of_c() {
  TablesOfC tables;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const bool is_lower = byte >= 'a' && byte <= 'z';
    const bool is_letter = is_lower || (byte >= 'A' && byte <= 'Z');
    tables.printable[byte] = byte >= ' ' && byte <= '~';
    tables.alphanumeric[byte] = is_letter || (byte >= '0' && byte <= '9');
    tables.upper_case[byte] = static_cast<unsigned char>(is_lower ? byte - 'a' + 'A' : byte);
  }
  return tables;
}

struct MonthOfC {
  const char* name;
  unsigned number;
};

/// In the order of their names.
constexpr std::array<MonthOfC, 12> kMonthsOfC = {{{"APR", 4},
                                                  {"AUG", 8},
                                                  {"DEC", 12},
                                                  {"FEB", 2},
                                                  {"JAN", 1},
                                                  {"JUL", 7},
                                                  {"JUN", 6},
                                                  {"MAR", 3},
                                                  {"MAY", 5},
                                                  {"NOV", 11},
                                                  {"OCT", 10},
                                                  {"SEP", 9}}};

TextLocale text_locale(LocaleHandle of) {
  TextLocale locale(std::move(of));
  const locale_t handle = locale.handle.get();
  for (int byte = 0; byte < 256; ++byte) {
    const auto index = static_cast<std::size_t>(byte);
    locale.blank[index] = byte == '\n' || ::isblank_l(byte, handle) != 0;
    locale.printable[index] = ::isprint_l(byte, handle) != 0;
    locale.alphanumeric[index] = ::isalnum_l(byte, handle) != 0;
    locale.upper_case[index] = static_cast<unsigned char>(::toupper_l(byte, handle));
  }
  locale.decimal_point = single_byte(::nl_langinfo_l(RADIXCHAR, handle), '.');
  locale.thousands_separator = single_byte(::nl_langinfo_l(THOUSEP, handle), TextLocale::kNoSeparator);
  for (unsigned month = 0; month < kMonthItems.size(); ++month) {
    locale.months[month] = {month_name(::nl_langinfo_l(kMonthItems[month], handle), locale), month + 1};
  }
  sort_months(locale);
  locale.transforms = !locale.handle.is_c(LC_COLLATE);
  locale.collates = locale.transforms && has_rules(locale.handle);
  return locale;
}

}  // namespace

TextLocale c_text_locale() {
  static constexpr TablesOfC kTables = tables_of_c();
  TextLocale locale(LocaleHandle::c());
  locale.blank = kBlanksOfC;
  locale.printable = kTables.printable;
  locale.alphanumeric = kTables.alphanumeric;
  locale.upper_case = kTables.upper_case;
  std::ranges::transform(kMonthsOfC, locale.months.begin(), [](const MonthOfC& month) {
    return TextLocale::Month{month.name, month.number};
  });
  return locale;
}

TextLocale current_text_locale() { return text_locale(LocaleHandle::current()); }

MonthFound find_month(std::string_view text, const TextLocale& locale) {
  std::size_t begin = 0;
  std::size_t end = locale.months.size();
  while (begin < end) {
    const std::size_t middle = (begin + end) / 2;
    const TextLocale::Month& month = locale.months[middle];
    const int order = compare_begin(text, month.name, locale);
    if (order == 0) return {month.number, month.name.size()};
    (order < 0 ? end : begin) = order < 0 ? middle : middle + 1;
  }
  return {};
}

std::byte month_key(std::string_view text, const TextLocale& locale) {
  const unsigned month = find_month(behind_blanks(text, locale), locale).number;
  return static_cast<std::byte>(std::to_integer<unsigned>(kNoMonthKey) + month);
}

}  // namespace sortie
