#include "base/quote.hpp"

#include <algorithm>
#include <cstdio>
#include <cwchar>
#include <cwctype>

#include <langinfo.h>

namespace sortie {
namespace {

constexpr std::string_view kControls = "\a\b\f\n\r\t\v";
constexpr std::string_view kControlLetters = "abfnrtv";

/// The first item of a text: a character, or a byte that is part of none.
struct Leading {
  std::size_t bytes = 1;
  bool printable = false;  ///< in the C library's locale; if not, it must not reach a terminal as it is
};

Leading leading_of(std::string_view text) {
  const auto code = static_cast<unsigned char>(text.front());
  if (code < 0x80) return {.printable = code >= 0x20 && code != 0x7f};
  std::mbstate_t state{};
  wchar_t character = 0;
  const std::size_t bytes = std::mbrtowc(&character, text.data(), text.size(), &state);
  if (bytes == 0 || bytes > text.size()) return {};  // invalid, or cut off
  return {bytes, std::iswprint(static_cast<std::wint_t>(character)) != 0};
}

void append_escape(char character, std::string& text) {
  const std::size_t position = kControls.find(character);
  if (position != std::string_view::npos) {
    text.append({'\\', kControlLetters[position]});
    return;
  }
  char escape[5];
  std::snprintf(escape, sizeof escape, "\\%03o", static_cast<unsigned>(static_cast<unsigned char>(character)));
  text += escape;
}

bool has_curved_quotes() { return std::string_view(::nl_langinfo(CODESET)) == "UTF-8"; }

bool is_bare(char character) {
  constexpr std::string_view kBare = "%+,-./@_";
  return (character >= '0' && character <= '9') || (character >= 'a' && character <= 'z') ||
         (character >= 'A' && character <= 'Z') || static_cast<unsigned char>(character) >= 0x80 ||
         kBare.find(character) != std::string_view::npos;
}

/// Calls visit(part, printable) for the characters of `text`, one after another.
template <class Visit>
void for_each_character(std::string_view text, const Visit& visit) {
  while (!text.empty()) {
    const Leading leading = leading_of(text);
    visit(text.substr(0, leading.bytes), leading.printable);
    text.remove_prefix(leading.bytes);
  }
}

void append_escapes(std::string_view bytes, std::string& text) {
  for (const char byte : bytes) append_escape(byte, text);
}

bool has_unprintable(std::string_view text) {
  bool found = false;
  for_each_character(text, [&](std::string_view, bool printable) { found |= !printable; });
  return found;
}

}  // namespace

std::string quote_word(std::string_view text) {
  const bool curved = has_curved_quotes();
  std::string result = curved ? "\u2018" : "'";
  for_each_character(text, [&](std::string_view character, bool printable) {
    if (!printable) return append_escapes(character, result);
    if ((character == "'" && !curved) || character == "\\") result += '\\';
    result += character;
  });
  return result + (curved ? "\u2019" : "'");
}

std::string escape_unprintable(std::string_view text) {
  std::string result;
  for_each_character(text, [&](std::string_view character, bool printable) {
    if (!printable) return append_escapes(character, result);
    result += character;
  });
  return result;
}

std::string escape_controls(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto code = static_cast<unsigned char>(text.front());
    // Those behind ASCII take two bytes: C2 80 to C2 9F.
    const bool is_pair = code == 0xc2 && text.size() > 1 && (static_cast<unsigned char>(text[1]) & 0xe0) == 0x80;
    const std::string_view character = text.substr(0, is_pair ? 2 : 1);
    code >= 0x20 && code != 0x7f && !is_pair ? void(result += character) : append_escapes(character, result);
    text.remove_prefix(character.size());
  }
  return result;
}

std::string quote_path(std::string_view name) {
  const bool is_word = !name.empty() && std::ranges::all_of(name, is_bare) && !has_unprintable(name);
  return is_word ? std::string(name) : quote_path_always(name);
}

std::string quote_path_always(std::string_view name) {
  const bool has_escape = has_unprintable(name);
  const bool has_quote = name.find('\'') != std::string_view::npos;
  // These are special within double quotes.
  if (has_quote && !has_escape && name.find_first_of("\"$`\\!") == std::string_view::npos) {
    return '"' + std::string(name) + '"';
  }
  std::string result = "'";
  bool escaping = false;
  for_each_character(name, [&](std::string_view character, bool printable) {
    if (printable == escaping) {
      escaping = !escaping;
      result += escaping ? "'$'" : "''";
    }
    if (escaping) return append_escapes(character, result);
    if (character == "'") {
      result += "'\\''";
    } else {
      result += character;
    }
  });
  return result + "'";
}

}  // namespace sortie
