// Parses keys that name columns, or values of JSON.
#include <sortie/error.hpp>
#include <sortie/text_keys.hpp>

#include "base/quote.hpp"
#include "record/json/json_path.hpp"
#include "record/text/byte_words.hpp"
#include "record/text/key_type.hpp"

namespace sortie {
namespace {

constexpr const char* kSyntax = "write NAME[:TYPE][:desc], for example price:n:desc";

/// Cuts NAME off and returns what it stands for.
std::string take_name(std::string_view& rest, std::string_view whole) {
  if (!rest.starts_with('"')) {
    const std::string_view name = rest.substr(0, rest.find(':'));
    rest.remove_prefix(name.size());
    return std::string(name);
  }
  std::string name;
  for (rest.remove_prefix(1);; rest.remove_prefix(2)) {
    const std::size_t quote = rest.find('"');
    if (quote == std::string_view::npos) throw Error("key " + quote_word(whole) + " lacks a closing quote: " + kSyntax);
    name.append(rest.substr(0, quote));
    rest.remove_prefix(quote);
    if (!rest.starts_with("\"\"")) break;
    name += '"';
  }
  rest.remove_prefix(1);
  return name;
}

}  // namespace

KeyDefinition parse_column_key(std::string_view text) {
  KeyDefinition key;
  std::string_view rest = text;
  const bool quoted = rest.starts_with('"');
  key.column = take_name(rest, text);
  if (key.column.empty()) {
    throw Error("key " + quote_word(text) +
                " names no column: " + (quoted ? "a column without a name is named by its number" : kSyntax));
  }
  parse_key_type(rest, text, kSyntax, key.options);
  return key;
}

KeyDefinition parse_table_key(std::string_view text) {
  KeyDefinition key;
  try {
    key = parse_key_definition(text);
  } catch (const Error& error) {
    if (text.empty() || !is_digit(text.front())) return parse_column_key(text);
    throw Error(error.what() +
                std::string("; the name of a column that begins with a digit stands in double quotes: '\"") +
                std::string(text.substr(0, text.find(':'))) + "\"'");
  }
  key.column = text.substr(0, text.find(':'));
  key.may_be_position = true;
  return key;
}

KeyDefinition parse_json_key(std::string_view text) {
  KeyDefinition key;
  std::string_view rest = text;
  take_json_path(rest);
  key.column = text.substr(0, text.size() - rest.size());
  parse_key_type(rest, text, "write PATH[:TYPE][:desc], for example .user.id:n", key.options);
  return key;
}

}  // namespace sortie
