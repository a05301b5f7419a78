// What keys and their options make, and what an order has beside its keys: the year of times, zones, words for missing
// values.
#include <sortie/text_keys.hpp>

#include <algorithm>
#include <array>
#include <chrono>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "record/text/byte_words.hpp"
#include "record/time/time_zones.hpp"

namespace sortie {
namespace {

struct Letter {
  char letter;
  bool OrderingOptions::*option;
};

// In the order in which messages list them.
constexpr std::array kLetters = std::to_array<Letter>({
    {'b', &OrderingOptions::skip_blanks_at_begin},
    {'d', &OrderingOptions::dictionary},
    {'f', &OrderingOptions::fold_case},
    {'g', &OrderingOptions::general_number},
    {'h', &OrderingOptions::human_number},
    {'i', &OrderingOptions::ignore_nonprinting},
    {'M', &OrderingOptions::month},
    {'n', &OrderingOptions::number},
    {'R', &OrderingOptions::random},
    {'r', &OrderingOptions::descending},
    {'V', &OrderingOptions::version},
});

void refuse_incompatible(const OrderingOptions& options) {
  if (options.normal.is_wanted() &&
      (options.time || options.fold_case || options.dictionary || options.ignore_nonprinting || options.number ||
       options.general_number || options.human_number || options.month || options.version)) {
    throw Error("a normal form is of text: besides it a key may have the letters b, R and r, and be of type hash");
  }
  const int kinds = options.number + options.general_number + options.human_number + options.month +
                    (options.dictionary || options.ignore_nonprinting || options.random || options.version);
  if (options.time || options.hash ? kinds == 0 : kinds <= 1) return;
  OrderingOptions shown = options;
  shown.skip_blanks_at_begin = shown.skip_blanks_at_end = shown.descending = false;
  throw Error("options '-" + shown.letters() +
              (options.time   ? "' do not go with a key of type time"
               : options.hash ? "' do not go with a key of type hash"
                              : "' are incompatible"));
}

TextKind kind_of(const OrderingOptions& options) {
  if (options.time) return TextKind::kTime;
  if (options.number) return TextKind::kNumber;
  if (options.general_number) return TextKind::kGeneralNumber;
  if (options.human_number) return TextKind::kHumanNumber;
  if (options.month) return TextKind::kMonth;
  if (options.random) return TextKind::kRandom;
  if (options.hash) return TextKind::kHash;
  return options.version ? TextKind::kVersion : TextKind::kText;
}

}  // namespace

bool OrderingOptions::set(char letter) {
  if (letter == 'b') skip_blanks_at_end = true;
  for (const Letter& known : kLetters) {
    if (known.letter != letter) continue;
    this->*known.option = true;
    ignore_nonprinting &= !dictionary;
    return true;
  }
  return false;
}

OrderingOptions OrderingOptions::without(const OrderingOptions& others) const {
  OrderingOptions rest = *this;
  rest.skip_blanks_at_end &= !others.skip_blanks_at_end;
  for (const Letter& known : kLetters) rest.*known.option &= !(others.*known.option);
  return rest;
}

std::string OrderingOptions::letters() const {
  std::string text = skip_blanks_at_end && !skip_blanks_at_begin ? "b" : "";
  for (const Letter& known : kLetters) {
    if (this->*known.option) text += known.letter;
  }
  return text;
}

const OrderingOptions& effective_options(const KeyDefinition& definition, const OrderingOptions& global) {
  return definition.options == OrderingOptions{} ? global : definition.options;
}

TextKey make_text_key(const KeyDefinition& definition, const OrderingOptions& global) {
  const OrderingOptions& options = effective_options(definition, global);
  refuse_incompatible(options);
  TextKey key;
  key.column = definition.column;
  key.may_be_position = definition.may_be_position;
  key.begin = definition.begin;
  key.begin.skip_blanks = options.skip_blanks_at_begin;
  key.end = definition.end;
  if (key.end) key.end->skip_blanks = options.skip_blanks_at_end && key.end->byte > 0;
  key.kind = kind_of(options);
  key.time = options.time.value_or(TimeType());
  key.fold_case = options.fold_case;
  key.dictionary = options.dictionary;
  key.ignore_nonprinting = options.ignore_nonprinting;
  key.descending = options.descending;
  key.normal = options.normal;
  return key;
}

TextKey parse_text_key(std::string_view text) { return make_text_key(parse_key_definition(text), {}); }

TextOrder make_text_order(std::span<const KeyDefinition> definitions, const OrderingOptions& global) {
  TextOrder order;
  order.last_resort_descending = global.descending;
  for (const KeyDefinition& definition : definitions) order.keys.push_back(make_text_key(definition, global));
  OrderingOptions beside_direction = global;
  beside_direction.descending = false;
  if (definitions.empty() && beside_direction != OrderingOptions{}) order.keys.push_back(make_text_key({}, global));
  return order;
}

void add_first_key(TextOrder& order, KeyDefinition definition, bool whole_line_counts) {
  const bool has_no_end = !definition.end && (definition.column.empty() || definition.may_be_position);
  if (has_no_end) {
    definition.end = TextPosition{.field = definition.begin.field + 1};
    if (order.separator.empty() && definition.begin.byte == 0) definition.options.skip_blanks_at_begin = true;
  }
  if (order.keys.empty() && whole_line_counts) {
    if (order.record_start) {
      throw Error("records of several lines that are split by a key are equal where other keys are: give such a key");
    }
    order.keys.emplace_back();
    order.keys.back().descending = order.last_resort_descending;
  }
  order.keys.insert(order.keys.begin(), make_text_key(definition, {}));
}

std::string fault_of_written_time(const TextOrder& order, std::string_view example) {
  const auto is_time = [](const TextKey& key) { return key.kind == TextKind::kTime; };
  const auto is_written_time = [&](const TextKey& key) {
    return is_time(key) && (key.time.form == TimeForm::kUsual || key.time.form == TimeForm::kPattern);
  };
  if (std::ranges::any_of(order.keys, is_written_time)) return {};
  if (std::ranges::any_of(order.keys, is_time)) return "has no meaning for numbers since 1970: leave it out";
  return "needs a key of type time, for example " + std::string(example);
}

std::int32_t last_day_of_year(int year) {
  const std::chrono::sys_days last = std::chrono::year(year) / std::chrono::December / 31;
  return static_cast<std::int32_t>(last.time_since_epoch().count());
}

void set_zones(TextOrder& order, std::string_view list) {
  order.zone.clear();
  order.zone_names.clear();
  for (const std::string_view word : split(list, ',')) {
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) {
      if (word.empty()) throw Error("zones " + quote_word(list) + ": a name is missing; give a zone, as Europe/Berlin");
      if (!order.zone.empty()) {
        throw Error("zones " + quote_word(list) + ": times that name no zone have one alone, not " +
                    quote_word(order.zone) + " and " + quote_word(word) + "; names have offsets, as CET=+01:00");
      }
      order.zone = word;
      continue;
    }
    const std::optional<std::int32_t> offset = parse_zone_offset(word.substr(equals + 1));
    if (!offset) {
      throw Error("zone " + quote_word(word) + ": " + quote_word(word.substr(equals + 1)) +
                  " is no offset; give one as +02:00");
    }
    order.zone_names.push_back({std::string(word.substr(0, equals)), *offset});
  }
}

std::vector<std::string> parse_missing_words(std::string_view more) {
  std::vector<std::string> words = {"-", "NA", "N/A", "n/a", "NULL", "null", "None", "NaN", "nan"};
  if (more.empty()) return words;
  for (const std::string_view word : split(more, ',')) {
    if (word.empty()) {
      throw Error("the list " + quote_word(more) +
                  " of words for missing values has an empty one: what is empty is missing anyway");
    }
    if (std::ranges::find(words, word) == words.end()) words.emplace_back(word);
  }
  return words;
}

}  // namespace sortie
