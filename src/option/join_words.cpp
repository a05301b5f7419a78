// The columns of a join's output and the keys of its right input, as they are written on a command line.
#include <optional>

#include <sortie/error.hpp>
#include <sortie/join_options.hpp>
#include <sortie/text_keys.hpp>

#include "base/quote.hpp"
#include "base/whole_number.hpp"

namespace sortie {
namespace {

using From = JoinColumn::From;

[[noreturn]] void refuse(std::string_view word, const std::string& why) {
  throw Error("invalid column " + quote_word(word) + " of a join: " + why);
}

/// Takes the next word off `text`: up to a comma that is not in quotes.
std::string_view take_word(std::string_view& text) {
  bool quoted = false;
  std::size_t end = 0;
  while (end < text.size() && (quoted || text[end] != ',')) quoted ^= text[end++] == '"';
  if (quoted) refuse(text, "it has an opening quote without a closing one");
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

std::string unquoted(std::string_view name, std::string_view word) {
  if (!name.starts_with('"')) {
    if (name.empty() || name.find('"') != std::string_view::npos) refuse(word, "it has no name, or quotes within it");
    return std::string(name);
  }
  std::string value;
  for (std::size_t at = 1; at < name.size(); ++at) {
    if (name[at] != '"') {
      value += name[at];
    } else if (name.substr(at + 1).starts_with('"')) {
      value += name[at++];
    } else if (at + 1 < name.size()) {
      refuse(word, "something follows the closing quote");
    }
  }
  return value;
}

/// "1.2" and "2.3": a field by its number.
std::optional<JoinColumn> numbered(std::string_view word) {
  if (word.size() < 3 || (word[0] != '1' && word[0] != '2') || word[1] != '.') return std::nullopt;
  const std::optional<std::size_t> number = whole_number<std::size_t>(word.substr(2));
  if (!number) return std::nullopt;
  if (*number == 0) refuse(word, "fields are counted from 1");
  return JoinColumn{word[0] == '1' ? From::kLeft : From::kRight, *number - 1};
}

JoinColumn column_of(std::string_view word) {
  constexpr std::string_view kLeft = "left.";
  constexpr std::string_view kRight = "right.";
  if (word == "0") return {From::kKeys};
  if (const auto column = numbered(word)) return *column;
  if (word.starts_with(kLeft)) return {From::kLeft, 0, unquoted(word.substr(kLeft.size()), word)};
  if (word.starts_with(kRight)) return {From::kRight, 0, unquoted(word.substr(kRight.size()), word)};
  return {From::kEither, 0, unquoted(word, word)};
}

}  // namespace

std::vector<TextKey> parse_right_keys(const std::vector<std::string>& words, const TextOrder& left) {
  std::vector<TextKey> keys;
  for (const std::string& word : words) {
    const KeyDefinition definition = left.csv ? parse_table_key(word) : parse_key_definition(word);
    const bool has_type = definition.options != OrderingOptions{} || keys.size() >= left.keys.size();
    TextKey key = has_type ? make_text_key(definition, {}) : left.keys[keys.size()];
    key.column = definition.column;
    key.may_be_position = definition.may_be_position;
    key.begin = definition.begin;
    key.end = definition.end;
    keys.push_back(key);
  }
  return keys;
}

std::vector<JoinColumn> parse_join_columns(std::string_view text) {
  std::vector<JoinColumn> columns;
  while (true) {
    columns.push_back(column_of(take_word(text)));
    if (text.empty()) return columns;
    text.remove_prefix(1);
  }
}

}  // namespace sortie
