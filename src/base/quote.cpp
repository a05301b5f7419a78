#include <sortie/quote.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <langinfo.h>

namespace sortie {
namespace {

constexpr std::string_view kControls = "\a\b\f\n\r\t\v";
constexpr std::string_view kControlLetters = "abfnrtv";

/// Whether a terminal must not get the byte as it is. Other bytes than ASCII may be letters where characters have
/// several bytes.
bool must_be_escaped(char character) {
  const auto code = static_cast<unsigned char>(character);
  return code < 0x20 || code == 0x7f || (code >= 0x80 && MB_CUR_MAX == 1);
}

void append_escape(char character, std::string& text) {
  const std::size_t place = kControls.find(character);
  if (place != std::string_view::npos) {
    text.append({'\\', kControlLetters[place]});
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

}  // namespace

std::string quote_word(std::string_view text) {
  const bool curved = has_curved_quotes();
  std::string result = curved ? "\u2018" : "'";
  for (const char character : text) {
    if (must_be_escaped(character)) {
      append_escape(character, result);
    } else {
      if ((character == '\'' && !curved) || character == '\\') result += '\\';
      result += character;
    }
  }
  return result + (curved ? "\u2019" : "'");
}

std::string quote_path(std::string_view name) {
  if (!name.empty() && std::ranges::all_of(name, is_bare)) return std::string(name);
  const bool has_escape = std::ranges::any_of(name, must_be_escaped);
  const bool has_quote = name.find('\'') != std::string_view::npos;
  // Within double quotes these mean something.
  if (has_quote && !has_escape && name.find_first_of("\"$`\\!") == std::string_view::npos) {
    return '"' + std::string(name) + '"';
  }
  std::string result = "'";
  bool escaping = false;
  for (const char character : name) {
    if (must_be_escaped(character) != escaping) {
      escaping = !escaping;
      result += escaping ? "'$'" : "''";
    }
    if (escaping) {
      append_escape(character, result);
    } else if (character == '\'') {
      result += "'\\''";
    } else {
      result += character;
    }
  }
  return result + "'";
}

}  // namespace sortie
