#include "record/text/human_key.hpp"

#include "record/text/byte_words.hpp"

namespace sortie {
namespace {

constexpr std::string_view kSuffixes = "KMGTPEZY";
constexpr int kNoSuffix = 0x40;

int place_of_suffix(char suffix) {
  const std::size_t place = kSuffixes.find(suffix == 'k' ? 'K' : suffix);
  return place == std::string_view::npos ? 0 : static_cast<int>(place) + 1;
}

/// The place of the suffix of a number without sign; 0 if the number is zero or has none. The number ends behind its
/// digits, before a thousands separator that no digit follows.
int place_of_number(std::string_view text, const TextLocale& locale) {
  const auto digit_at = [&](std::size_t at) { return at < text.size() && is_digit(text[at]); };
  const auto is = [&](std::size_t at, unsigned char byte) {
    return at < text.size() && static_cast<unsigned char>(text[at]) == byte;
  };
  bool zero = true;
  std::size_t at = 0;
  while (digit_at(at)) {
    zero = zero && text[at] == '0';
    ++at;
    if (locale.thousands_separator != TextLocale::kNoSeparator && is(at, locale.thousands_separator)) {
      if (!digit_at(at + 1)) return 0;
      ++at;
    }
  }
  if (is(at, locale.decimal_point)) {
    for (++at; digit_at(at); ++at) zero = zero && text[at] == '0';
  }
  return zero || at == text.size() ? 0 : place_of_suffix(text[at]);
}

}  // namespace

std::byte* write_human_key(std::string_view text, const TextLocale& locale, std::byte* out) {
  while (!text.empty() && locale.blank[static_cast<unsigned char>(text[0])]) text.remove_prefix(1);
  const bool negative = !text.empty() && text[0] == '-';
  const int place = place_of_number(text.substr(negative ? 1 : 0), locale);
  *out = static_cast<std::byte>(kNoSuffix + (negative ? -place : place));
  return write_number_key(text, text.size(), locale, out + 1);
}

}  // namespace sortie
