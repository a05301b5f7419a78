#include "observe/markup.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/size.hpp"
#include "base/utf8.hpp"

namespace sortie {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// Length of the character that `text` begins with; 0 if it is no UTF-8 or may not stand in XML. Precondition: there is
/// a byte.
std::size_t character_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80)
    return lead >= 0x20 ? (lead != 0x7F ? 1 : 0) : (lead == '\t' || lead == '\n' || lead == '\r' ? 1 : 0);
  const std::string_view character = text.substr(0, lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2);
  if (!is_utf8(character) || character < "\xC2\xA0") return 0;  // below that are control characters
  const bool ends_plane = character.ends_with("\xBF\xBE") || character.ends_with("\xBF\xBF");
  const bool is_no_character = ends_plane && (character[character.size() - 3] & 0x0F) == 0x0F;
  return is_no_character ? 0 : character.size();
}

std::string_view escaped(char character) {
  switch (character) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

/// To the next whole number; none if that is too large, or `value` is no number. Precondition: not negative.
std::optional<std::uint64_t> rounded(double value) {
  if (!(value < 0x1p63)) return std::nullopt;
  const auto whole = static_cast<std::uint64_t>(value);
  return value - static_cast<double>(whole) < 0.5 ? whole : whole + 1;
}

}  // namespace

std::string escape_markup(std::string_view text) {
  std::string markup;
  markup.reserve(text.size());
  while (!text.empty()) {
    const std::string_view entity = escaped(text[0]);
    const std::size_t length = character_length(text);
    markup.append(!entity.empty() ? entity : length == 0 ? kReplacement : text.substr(0, length));
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return markup;
}

// Without std::to_chars() and printf(): the former needs the library of mathematics, which would take a tenth of the
// time of a small sort to load, the latter follows the locale.
std::string decimal(double value, int decimals) {
  std::uint64_t one = 1;
  for (int i = 0; i < decimals; ++i) one *= 10;
  const std::optional<std::uint64_t> units = rounded(std::abs(value) * static_cast<double>(one));
  if (!units) return "0";
  std::string text = (value < 0 && *units > 0 ? "-" : "") + std::to_string(*units / one);
  if (decimals <= 0) return text;
  const std::string fraction = std::to_string(one + *units % one);
  return text + "." + fraction.substr(1);
}

std::string percent(double share) { return decimal(100 * share, 0) + "%"; }

std::string format_rate(std::uint64_t bytes, double seconds) {
  if (bytes == 0 || seconds <= 0) return "-";
  return format_size(static_cast<std::uint64_t>(static_cast<double>(bytes) / seconds)) + "/s";
}

std::string format_seconds(double seconds) {
  if (seconds < 0.9995) return decimal(1e3 * seconds, seconds < 0.01 ? 1 : 0) + " ms";
  if (seconds < 99.995) return decimal(seconds, 2) + " s";
  const std::uint64_t whole = rounded(seconds).value_or(0);
  const std::uint64_t minutes = whole / 60;
  if (minutes < 60) return std::to_string(minutes) + " min " + std::to_string(whole % 60) + " s";
  return std::to_string(minutes / 60) + " h " + std::to_string(minutes % 60) + " min";
}

}  // namespace sortie
