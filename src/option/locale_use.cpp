#include "option/locale_use.hpp"

#include <langinfo.h>
#include <strings.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <clocale>
#include <string_view>

namespace sortie::option {
namespace {

std::string_view collation_name() {
  const char* name = std::setlocale(LC_COLLATE, nullptr);
  return name == nullptr ? "C" : name;
}

/// C.UTF-8 orders by code points, which is the order of their bytes.
bool collates_by_bytes() { return !has_collation_rules() || collation_name().starts_with("C."); }

bool is_ascii(int byte, std::string_view range) { return byte >= range.front() && byte <= range.back(); }

bool classifies_as_c() {
  for (int byte = 0; byte < 256; ++byte) {
    const bool lower = is_ascii(byte, "az");
    const bool letter_or_digit = lower || is_ascii(byte, "AZ") || is_ascii(byte, "09");
    if ((std::isblank(byte) != 0) != (byte == ' ' || byte == '\t')) return false;
    if ((std::isalnum(byte) != 0) != letter_or_digit) return false;
    if ((std::isprint(byte) != 0) != is_ascii(byte, " ~")) return false;
    if (std::toupper(byte) != (lower ? byte - 'a' + 'A' : byte)) return false;
  }
  return true;
}

bool writes_numbers_as_c() {
  const std::lconv* conventions = std::localeconv();
  return std::string_view(conventions->decimal_point) == "." && *conventions->thousands_sep == '\0';
}

bool names_months_as_c() {
  constexpr std::array kItems = {ABMON_1, ABMON_2, ABMON_3, ABMON_4,  ABMON_5,  ABMON_6,
                                 ABMON_7, ABMON_8, ABMON_9, ABMON_10, ABMON_11, ABMON_12};
  constexpr std::array kNames = {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  return std::ranges::equal(
      kItems, kNames, [](nl_item item, const char* name) { return ::strcasecmp(::nl_langinfo(item), name) == 0; });
}

bool is_number_kind(TextKind kind) {
  return kind == TextKind::kNumber || kind == TextKind::kGeneralNumber || kind == TextKind::kHumanNumber;
}

}  // namespace

bool locale_matters(const TextOrder& order) {
  if (!collates_by_bytes()) return true;
  if (!order.keys.empty() && !classifies_as_c()) return true;
  return std::ranges::any_of(order.keys, [](const TextKey& key) {
    return (is_number_kind(key.kind) && !writes_numbers_as_c()) ||
           (key.kind == TextKind::kMonth && !names_months_as_c()) ||
           // The collation key is hashed, even if it is the text itself.
           (key.kind == TextKind::kRandom && has_collation_rules());
  });
}

bool has_utf8() { return std::string_view(::nl_langinfo(CODESET)) == "UTF-8"; }

bool has_collation_rules() { return collation_name() != "C" && collation_name() != "POSIX"; }

}  // namespace sortie::option
