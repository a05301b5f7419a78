#include "option/request_keys.hpp"

#include <algorithm>

#include "base/quote.hpp"

namespace sortie::option {
namespace {

bool begins_with_digit(std::string_view word) { return !word.empty() && word[0] >= '0' && word[0] <= '9'; }

bool is_key_definition(const std::string& word) {
  try {
    parse_key_definition(word);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// GNU sort knows no types behind a colon: it takes the colon itself for the mistake, if nothing in front of it is one.
void refuse_stray_colon(const std::string& word) {
  const std::size_t colon = word.find(':');
  if (colon == std::string::npos || !is_key_definition(word.substr(0, colon))) return;
  throw Error("stray character in field spec: invalid field specification " + quote_word(word));
}

/// A word that is no KEYDEF waits until it is known whether columns have names.
void add_key(Request& request, const std::string& word, const std::string& option) {
  OrderRequest& order = request.order;
  order.key_words.push_back({order.keys.size(), word, option});
  try {
    order.keys.push_back(parse_key_definition(word));
    order.key_words.back().is_definition = true;
  } catch (const Error&) {
    if (request.door == Door::kGnuSort) {
      refuse_stray_colon(word);
      if (begins_with_digit(word)) throw;
    }
    order.keys.emplace_back();
  }
}

/// Parses a word that could be the name of a column or a path, where neither is asked for: a KEYDEF, or an error.
KeyDefinition parse_unnamed_key(const Request& request, const std::string& word) {
  try {
    return parse_key_definition(word);
  } catch (const Error& error) {
    if (request.door == Door::kGnuSort || begins_with_digit(word)) throw;
    const bool is_path = word.starts_with('.') || word.starts_with('[');
    throw Error(error.what() + with_names(request.door, is_path ? "; the path of a value needs {jsonl}"
                                                                : "; the name of a column needs {csv} or {tsv}"));
  }
}

KeyDefinition parse_key(const Request& request, const std::string& word) {
  if (request.order.jsonl) return parse_json_key(word);
  return request.order.has_columns() ? parse_table_key(word) : parse_unnamed_key(request, word);
}

KeyDefinition parse_named_key(const Request& request, const KeyWord& key) {
  return parsed_word(request.door, key.option, key.word, [&] { return parse_key(request, key.word); });
}

bool has_definition(const OrderRequest& order) {
  return order.keys.size() != order.key_words.size() || std::ranges::any_of(order.key_words, &KeyWord::is_definition);
}

}  // namespace

void add_keys(Request& request, const Value& value) {
  for (const std::string& word : value.as_texts()) add_key(request, word, value.name());
}

void add_obsolete_key(Request& request, const std::string& begin, const std::string& end) {
  const std::optional<KeyDefinition> key = parse_obsolete_key(begin, end);
  if (!key) throw Error("invalid field specification " + quote_word(begin));
  request.order.keys.push_back(*key);
  request.note("key");
}

std::vector<KeyDefinition> keys_of(const Request& request) {
  const OrderRequest& order = request.order;
  if (order.jsonl && request.door != Door::kPython && has_definition(order)) {
    throw Error("a key of --jsonl is the path of a value, for example --key=.user.id:n");
  }
  std::vector<KeyDefinition> keys = order.keys;
  const bool have_names = order.jsonl || order.has_columns();
  for (const KeyWord& key : order.key_words) {
    if (have_names || !key.is_definition) keys[key.key] = parse_named_key(request, key);
  }
  return keys;
}

TextKey best_key_of(const Request& request) {
  const BestWord& best = *request.keep_best;
  if (request.order.jsonl && request.door != Door::kPython && is_key_definition(best.key)) {
    throw Error("--keep=max:KEY takes the path of a value with --jsonl, for example --keep=max:.score");
  }
  const KeyDefinition definition = parse_named_key(request, {0, best.key, "keep_best"});
  if (definition.options.descending) {
    throw Error("max and min say the direction of the key " + quote_word(best.key) + ": leave desc out");
  }
  TextOrder order;
  add_first_key(order, definition, false);
  order.keys[0].descending = best.is_greatest;
  return order.keys[0];
}

namespace {

// Others can tell the share of a text from it alone, so nothing but its normal form may come between.
void make_share(TextKey& key, const std::string& word, std::string_view shares) {
  if (key.kind != TextKind::kText || key.fold_case || key.dictionary || key.ignore_nonprinting || key.descending) {
    throw Error("the key " + quote_word(word) +
                " of shares is hashed as it is written, or in a normal form: leave its type and direction out");
  }
  key.kind = TextKind::kShare;
  key.shares = parse_shares(shares);
}

}  // namespace

void add_split_key(TextOrder& order, const Request& request, bool whole_line_counts) {
  const std::string& word = *request.order.split_by;
  if (request.order.jsonl && request.door != Door::kPython && is_key_definition(word)) {
    throw Error("--split-by takes the path of a value with --jsonl, for example --split-by=.user.id");
  }
  add_first_key(order, parse_named_key(request, {0, word, "split_by"}), whole_line_counts);
  if (!request.order.shares) return;
  parsed_word(request.door, "shares", *request.order.shares,
              [&] { make_share(order.keys.front(), word, *request.order.shares); });
}

}  // namespace sortie::option
