#include "record/text/month_key.hpp"

#include <algorithm>

namespace sortie {
namespace {

constexpr std::size_t kUnknown = 0x20;

bool begins_with(std::string_view text, std::string_view month, const TextLocale& locale) {
  return !month.empty() && text.size() >= month.size() &&
         std::equal(month.begin(), month.end(), text.begin(), [&](char expected, char byte) {
           return static_cast<unsigned char>(expected) == locale.upper_case[static_cast<unsigned char>(byte)];
         });
}

}  // namespace

std::byte month_key(std::string_view text, const TextLocale& locale) {
  while (!text.empty() && locale.blank[static_cast<unsigned char>(text[0])]) text.remove_prefix(1);
  for (std::size_t month = 0; month < locale.months.size(); ++month) {
    if (begins_with(text, locale.months[month], locale)) return static_cast<std::byte>(kUnknown + 1 + month);
  }
  return static_cast<std::byte>(kUnknown);
}

}  // namespace sortie
