// Parses keys that name columns.
#include <sortie/error.hpp>
#include <sortie/text_keys.hpp>

#include "base/quote.hpp"

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

/// Cuts off and returns a word that follows a colon.
std::string_view take_word(std::string_view& rest, std::string_view whole) {
  if (!rest.starts_with(':'))
    throw Error(quote_word(rest) + " is too much in key " + quote_word(whole) + ": " + kSyntax);
  rest.remove_prefix(1);
  const std::string_view word = rest.substr(0, rest.find(':'));
  rest.remove_prefix(word.size());
  return word;
}

void set_type(OrderingOptions& options, std::string_view word, std::string_view whole) {
  bool known = !word.empty();
  for (const char letter : word) known = known && options.set(letter);
  if (known) return;
  throw Error("unknown type " + quote_word(word) + " in key " + quote_word(whole) +
              ": it is made of the letters bdfgiMhnRrV, or desc; a name with a colon stands in double quotes");
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
  if (rest.empty()) return key;
  std::string_view word = take_word(rest, text);
  if (word != "desc") {
    set_type(key.options, word, text);
    if (rest.empty()) return key;
    word = take_word(rest, text);
  }
  if (word != "desc" || !rest.empty()) {
    throw Error(quote_word(word != "desc" ? word : rest) + " is too much in key " + quote_word(text) + ": " + kSyntax);
  }
  key.options.descending = true;
  return key;
}

}  // namespace sortie
