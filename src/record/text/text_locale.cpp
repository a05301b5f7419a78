#include "record/text/text_locale.hpp"

#include <langinfo.h>

#include <cctype>
#include <clocale>
#include <string_view>

namespace sortie {
namespace {

constexpr std::array<nl_item, 12> kMonthItems = {ABMON_1, ABMON_2, ABMON_3, ABMON_4,  ABMON_5,  ABMON_6,
                                                 ABMON_7, ABMON_8, ABMON_9, ABMON_10, ABMON_11, ABMON_12};

/// The only byte of `text`, or `otherwise` if it has more or none.
unsigned char single_byte(const char* text, unsigned char otherwise) {
  return text[0] == '\0' || text[1] != '\0' ? otherwise : static_cast<unsigned char>(text[0]);
}

bool is_c(int category) {
  const char* const name = std::setlocale(category, nullptr);
  return name == nullptr || std::string_view(name) == "C" || std::string_view(name) == "POSIX";
}

std::string month_name(nl_item item, const TextLocale& locale) {
  std::string name;
  for (const char* at = nl_langinfo(item); *at != '\0'; ++at) {
    const auto byte = static_cast<unsigned char>(*at);
    if (!locale.blank[byte]) name += static_cast<char>(locale.upper_case[byte]);
  }
  return name;
}

}  // namespace

TextLocale c_text_locale() {
  TextLocale locale;
  for (const unsigned char byte : {' ', '\t', '\n'}) locale.blank[byte] = true;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const bool lower = byte >= 'a' && byte <= 'z';
    const bool upper = byte >= 'A' && byte <= 'Z';
    locale.printable[byte] = byte >= ' ' && byte <= '~';
    locale.alphanumeric[byte] = lower || upper || (byte >= '0' && byte <= '9');
    locale.upper_case[byte] = static_cast<unsigned char>(lower ? byte - 'a' + 'A' : byte);
  }
  locale.months = {"JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"};
  return locale;
}

TextLocale current_text_locale() {
  TextLocale locale;
  for (int byte = 0; byte < 256; ++byte) {
    const auto index = static_cast<std::size_t>(byte);
    locale.blank[index] = byte == '\n' || std::isblank(byte) != 0;
    locale.printable[index] = std::isprint(byte) != 0;
    locale.alphanumeric[index] = std::isalnum(byte) != 0;
    locale.upper_case[index] = static_cast<unsigned char>(std::toupper(byte));
  }
  const std::lconv* const conventions = std::localeconv();
  locale.decimal_point = single_byte(conventions->decimal_point, '.');
  locale.thousands_separator = single_byte(conventions->thousands_sep, TextLocale::kNoSeparator);
  for (std::size_t month = 0; month < locale.months.size(); ++month) {
    locale.months[month] = month_name(kMonthItems[month], locale);
  }
  locale.collates = !is_c(LC_COLLATE);
  return locale;
}

}  // namespace sortie
