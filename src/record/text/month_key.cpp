#include "record/text/month_key.hpp"

namespace sortie {
namespace {

constexpr auto kUnknown = std::to_integer<std::size_t>(kNoMonthKey);

/// The sign of the order of `text` and `name`; 0 if `text` begins with it.
int compare_begin(std::string_view text, std::string_view name, const TextLocale& locale) {
  for (std::size_t i = 0; i < name.size(); ++i) {
    const unsigned char byte = i < text.size() ? locale.upper_case[static_cast<unsigned char>(text[i])] : 0;
    const auto expected = static_cast<unsigned char>(name[i]);
    if (byte != expected) return byte < expected ? -1 : 1;
  }
  return 0;
}

}  // namespace

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
  while (!text.empty() && locale.blank[static_cast<unsigned char>(text[0])]) text.remove_prefix(1);
  return static_cast<std::byte>(kUnknown + find_month(text, locale).number);
}

}  // namespace sortie
