#include "record/json/json_path.hpp"

#include <charconv>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "record/json/json_text.hpp"

namespace sortie {
namespace {

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
