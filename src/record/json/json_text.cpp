#include "record/json/json_text.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "record/text/byte_words.hpp"

namespace sortie {
namespace {

constexpr int kMostExponent = 1000;

bool is_hex_digit(char byte) {
  const char letter = static_cast<char>(byte | 0x20);
  return is_digit(byte) || (letter >= 'a' && letter <= 'f');
}

unsigned hex_digit(char digit) {
  if (is_digit(digit)) return static_cast<unsigned>(digit - '0');
  return static_cast<unsigned>((digit | 0x20) - 'a' + 10) & 0xF;
}

/// The four hexadecimal digits at `at`; as many as there are.
unsigned hex_value(std::string_view text, std::size_t at) {
  unsigned value = 0;
  for (std::size_t i = at; i < std::min(at + 4, text.size()); ++i) value = value << 4 | hex_digit(text[i]);
  return value;
}

bool is_high_surrogate(unsigned code) { return code >= 0xD800 && code < 0xDC00; }
bool is_low_surrogate(unsigned code) { return code >= 0xDC00 && code < 0xE000; }

void append_utf8(unsigned code, std::string& out) {
  const auto put = [&](unsigned byte) { out.push_back(static_cast<char>(byte)); };
  const auto put_rest = [&](unsigned shift) { put(0x80 | (code >> shift & 0x3F)); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xC0 | code >> 6);
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put_rest(6);
  } else {
    put(0xF0 | code >> 18);
    put_rest(12);
    put_rest(6);
  }
  put_rest(0);
}

/// Appends what "\\u" and its digits at `at` stand for, and returns the offset behind them.
std::size_t append_code(std::string_view text, std::size_t at, std::string& out) {
  unsigned code = hex_value(text, at);
  at += 4;
  if (is_high_surrogate(code) && text.substr(std::min(at, text.size())).starts_with("\\u")) {
    const unsigned low = hex_value(text, at + 2);
    if (is_low_surrogate(low)) {
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      at += 6;
    }
  }
  append_utf8(code, out);
  return std::min(at, text.size());
}

// The letters behind a backslash, and what they stand for.
constexpr std::string_view kEscapes = "\"\\/bfnrt";
constexpr std::string_view kEscaped = "\"\\/\b\f\n\r\t";

char unescaped(char letter) {
  const std::size_t position = kEscapes.find(letter);
  return position == std::string_view::npos ? letter : kEscaped[position];
}

int exponent_of(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  int value = 0;
  for (const char digit : text) {
    if (!is_digit(digit)) break;  // the text has changed since it was read
    value = std::min(kMostExponent, value * 10 + (digit - '0'));
  }
  return is_negative ? -value : value;
}

constexpr const char* kSyntax = "write PATH[:TYPE][:desc], for example .user.id:n, .a[0] or .\"a b\":time:desc";

[[noreturn]] void refuse(std::string_view whole, const std::string& reason) {
  throw Error("key " + quote_word(whole) + " " + reason + ": " + kSyntax);
}

/// Takes a name in double quotes, with escapes as in JSON.
std::string take_quoted_name(std::string_view& rest, std::string_view whole) {
  std::size_t end = 1;
  while (end < rest.size() && rest[end] != '"') {
    const std::size_t escape = rest[end] == '\\' ? escape_bytes(rest.substr(end)) : 1;
    if (escape == 0) refuse(whole, "has an escape that JSON has not");
    end += escape;
  }
  if (end >= rest.size()) refuse(whole, "lacks a closing quote");
  std::string name;
  append_unescaped(rest.substr(1, end - 1), name);
  rest.remove_prefix(end + 1);
  return name;
}

JsonStep take_name(std::string_view& rest, std::string_view whole) {
  if (rest.starts_with('"')) return {take_quoted_name(rest, whole), std::nullopt};
  const std::string_view name = rest.substr(0, rest.find_first_of(".[:\""));
  if (name.empty()) refuse(whole, "lacks a name");
  rest.remove_prefix(name.size());
  return {std::string(name), std::nullopt};
}

JsonStep take_index(std::string_view& rest, std::string_view whole) {
  std::size_t index = 0;
  const auto [stop, status] = std::from_chars(rest.data() + 1, rest.data() + rest.size(), index);
  if (status == std::errc::result_out_of_range) refuse(whole, "has an index that is too large");
  if (status != std::errc() || stop == rest.data() + rest.size() || *stop != ']') refuse(whole, "lacks an index");
  rest.remove_prefix(static_cast<std::size_t>(stop - rest.data()) + 1);
  return {{}, index};
}

}  // namespace

std::size_t escape_bytes(std::string_view text) {
  constexpr std::size_t kCodeBytes = 6;  // of \uXXXX
  if (text.size() < 2) return 0;
  if (text[1] != 'u') return kEscapes.find(text[1]) != std::string_view::npos ? 2 : 0;
  const std::string_view digits = text.substr(2, kCodeBytes - 2);
  return digits.size() == kCodeBytes - 2 && std::ranges::all_of(digits, is_hex_digit) ? kCodeBytes : 0;
}

void append_unescaped(std::string_view text, std::string& out) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t escape = std::min(text.find('\\', at), text.size());
    out.append(text.substr(at, escape - at));
    if (escape + 1 >= text.size()) return;
    const char letter = text[escape + 1];
    at = escape + 2;
    if (letter == 'u') {
      at = append_code(text, at, out);
    } else {
      out.push_back(unescaped(letter));
    }
  }
}

void append_plain_number(std::string_view text, std::string& out) {
  const std::size_t end = std::min(text.find_first_of("eE"), text.size());
  const int exponent = end < text.size() ? exponent_of(text.substr(end + 1)) : 0;
  std::string_view mantissa = text.substr(0, end);
  if (mantissa.starts_with('-')) {
    out += '-';
    mantissa.remove_prefix(1);
  }
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  std::string digits(mantissa.substr(0, point));
  if (point < mantissa.size()) digits += mantissa.substr(point + 1);
  const auto whole = static_cast<std::ptrdiff_t>(point) + exponent;
  const auto size = static_cast<std::ptrdiff_t>(digits.size());
  if (whole <= 0) {
    out.append("0.").append(static_cast<std::size_t>(-whole), '0').append(digits);
  } else if (whole >= size) {
    out.append(digits).append(static_cast<std::size_t>(whole - size), '0');
  } else {
    out.append(digits, 0, static_cast<std::size_t>(whole)).append(".").append(digits, static_cast<std::size_t>(whole));
  }
}

JsonPath take_json_path(std::string_view& text) {
  const std::string_view whole = text;
  JsonPath path;
  if (!text.starts_with('.') && !text.starts_with('[')) refuse(whole, "is no path");
  if (text == "." || text.starts_with(".:") || text.starts_with(".[")) text.remove_prefix(1);
  while (!text.empty() && text.front() != ':') {
    if (text.starts_with('[')) {
      path.push_back(take_index(text, whole));
    } else {
      if (!text.starts_with('.')) refuse(whole, "lacks a dot in front of a name");
      text.remove_prefix(1);
      path.push_back(take_name(text, whole));
    }
  }
  return path;
}

}  // namespace sortie
