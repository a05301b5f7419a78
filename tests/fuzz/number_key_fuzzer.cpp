// Takes any two texts as numbers of -n, with any decimal point and thousands separator. Their keys compare as the
// numbers do, and bytes behind a text make no difference to its key.
//
//   | decimal point | thousands separator | text, ended by NUL | text |
#include <cstring>
#include <string>
#include <vector>

#include "fuzz/fuzz_target.hpp"
#include "fuzz/reference_order.hpp"
#include "record/text/number_key.hpp"

namespace sortie {
namespace {

using fuzz::require;

/// `behind` holds bytes that may be read but do not belong to the text.
std::string key_of(std::string_view text, const TextLocale& locale, std::string_view behind = "") {
  std::vector<char> readable(text.begin(), text.end());
  readable.insert(readable.end(), behind.begin(), behind.end());
  std::vector<std::byte> key(number_key_room(text.size()));
  const std::byte* const end = write_number_key({readable.data(), text.size()}, readable.size(), locale, key.data());
  return {reinterpret_cast<const char*>(key.data()), static_cast<std::size_t>(end - key.data())};
}

/// In no locale is the decimal point a digit, sign or blank.
bool may_separate(unsigned char byte) {
  const char character = static_cast<char>(byte);
  return !fuzz::is_digit(character) && !fuzz::is_blank(character) && character != '-';
}

void check(fuzz::InputReader input) {
  TextLocale locale = c_text_locale();
  locale.decimal_point = input.byte();
  locale.thousands_separator = input.byte();
  if (!may_separate(locale.decimal_point) || !may_separate(locale.thousands_separator)) return;
  if (locale.decimal_point == locale.thousands_separator) return;
  const std::string_view a = input.take_until('\0');
  const std::string_view b = input.rest();
  const std::string key = key_of(a, locale);
  require((key.compare(key_of(b, locale)) <=> 0) == fuzz::compare_numbers(a, b, locale), "keys compare as the numbers");
  require(key_of(a, locale, b) == key, "a key does not depend on what lies behind its text");
  for (const char byte : key) {
    const auto value = static_cast<unsigned char>(byte);
    require(value >= 0x10 && value <= 0xF0, "keys have none of the bytes that are escaped");
  }
}

}  // namespace
}  // namespace sortie

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sortie::check({data, size});
  return 0;
}
