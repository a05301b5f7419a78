#include <sortie/text_keys.hpp>

#include <array>
#include <limits>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "record/text/byte_words.hpp"
#include "record/text/key_type.hpp"

namespace sortie {
namespace {

constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();

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

bool is_space(char character) { return std::string_view(" \t\n\v\f\r").find(character) != std::string_view::npos; }

/// Reads a key's definition from left to right.
class DefinitionReader {
 public:
  explicit DefinitionReader(std::string_view text) : text_(text), rest_(text) {}

  bool at_end() const { return rest_.empty(); }

  bool take(char character) {
    if (!rest_.starts_with(character)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  /// A number, after blanks and a plus if there are any; none if there is no number. One that is too large is the
  /// largest: no line has so many fields.
  std::optional<std::size_t> take_count() {
    std::string_view digits = rest_;
    while (!digits.empty() && is_space(digits.front())) digits.remove_prefix(1);
    if (digits.starts_with('+')) digits.remove_prefix(1);
    if (digits.empty() || !is_digit(digits.front())) return std::nullopt;
    std::size_t count = 0;
    for (; !digits.empty() && is_digit(digits.front()); digits.remove_prefix(1)) {
      const auto digit = static_cast<std::size_t>(digits.front() - '0');
      count = count > (kMost - digit) / 10 ? kMost : count * 10 + digit;
    }
    rest_ = digits;
    return count;
  }

  std::size_t need_count(const char* what) {
    const std::optional<std::size_t> count = take_count();
    if (!count) throw Error(std::string(what) + ": invalid count at start of " + quote_word(rest_));
    return *count;
  }

  /// Takes letters of ordering options up to the first that is none; `b` sets `skip_blanks`.
  void take_options(OrderingOptions& options, bool OrderingOptions::*skip_blanks) {
    for (; !rest_.empty(); rest_.remove_prefix(1)) {
      if (rest_.front() == 'b') {
        options.*skip_blanks = true;
      } else if (!options.set(rest_.front())) {
        return;
      }
    }
  }

  [[noreturn]] void refuse(const char* reason) const {
    throw Error(std::string(reason) + ": invalid field specification " + quote_word(text_));
  }

  /// Takes a type and a direction.
  void take_type(OrderingOptions& options) {
    if (!rest_.starts_with(':')) return;
    parse_key_type(rest_, text_, "write F[.C][,F[.C]][:TYPE][:desc], for example 4,5:time or 2:n:desc", options);
    rest_ = {};
  }

  void need_end() const {
    if (!at_end()) refuse("stray character in field spec");
  }

 private:
  std::string_view text_;
  std::string_view rest_;
};

/// The end of a key in front of byte `bytes`, counted from 0, of field `field`, counted from 0; behind the field if
/// `bytes` is 0.
TextPosition end_position(std::size_t field, std::size_t bytes) {
  if (bytes == 0 && field != kMost) ++field;
  return {.field = field, .byte = bytes};
}

std::size_t need_field(DefinitionReader& reader, const char* what) {
  const std::size_t field = reader.need_count(what);
  if (field == 0) reader.refuse("field number is zero");
  return field - 1;
}

void refuse_incompatible(const OrderingOptions& options) {
  const bool text = options.dictionary || options.ignore_nonprinting || options.random || options.version;
  if (options.time && (options.number || options.general_number || options.human_number || options.month || text)) {
    OrderingOptions others = options;
    others.skip_blanks_at_begin = others.skip_blanks_at_end = others.descending = false;
    throw Error("options '-" + others.letters() + "' do not go with a key of type time");
  }
  const int kinds = options.number + options.general_number + options.human_number + options.month + text;
  if (kinds <= 1) return;
  OrderingOptions shown = options;
  shown.skip_blanks_at_begin = shown.skip_blanks_at_end = shown.descending = false;
  throw Error("options '-" + shown.letters() + "' are incompatible");
}

TextKind kind_of(const OrderingOptions& options) {
  if (options.time) return TextKind::kTime;
  if (options.number) return TextKind::kNumber;
  if (options.general_number) return TextKind::kGeneralNumber;
  if (options.human_number) return TextKind::kHumanNumber;
  if (options.month) return TextKind::kMonth;
  if (options.random) return TextKind::kRandom;
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

KeyDefinition parse_key_definition(std::string_view text) {
  DefinitionReader reader(text);
  KeyDefinition key;
  key.begin.field = need_field(reader, "invalid number at field start");
  if (reader.take('.')) {
    key.begin.byte = reader.need_count("invalid number after '.'");
    if (key.begin.byte-- == 0) reader.refuse("character offset is zero");
  }
  reader.take_options(key.options, &OrderingOptions::skip_blanks_at_begin);
  if (reader.take(',')) {
    const std::size_t field = need_field(reader, "invalid number after ','");
    const std::size_t bytes = reader.take('.') ? reader.need_count("invalid number after '.'") : 0;
    key.end = end_position(field, bytes);
    reader.take_options(key.options, &OrderingOptions::skip_blanks_at_end);
  }
  reader.take_type(key.options);
  reader.need_end();
  // A b of the type is for both positions.
  key.options.skip_blanks_at_end &= key.end.has_value();
  return key;
}

std::optional<KeyDefinition> parse_obsolete_key(std::string_view begin, std::string_view end) {
  KeyDefinition key;
  key.obsolete = true;
  DefinitionReader reader(begin);
  std::optional<std::size_t> count = reader.take('+') ? reader.take_count() : std::nullopt;
  if (!count) return std::nullopt;
  key.begin.field = *count;
  if (reader.take('.')) {
    count = reader.take_count();
    if (!count) return std::nullopt;
    key.begin.byte = *count;
  }
  reader.take_options(key.options, &OrderingOptions::skip_blanks_at_begin);
  if (!reader.at_end()) return std::nullopt;
  if (end.empty()) return key;

  DefinitionReader end_reader(end);
  end_reader.take('-');
  std::size_t field = end_reader.need_count("invalid number after '-'");
  const std::size_t bytes = end_reader.take('.') ? end_reader.need_count("invalid number after '.'") : 0;
  // "-2" is in front of field 2, behind field 1; "-0" is taken for "-1".
  if (bytes == 0 && field != 0) --field;
  key.end = end_position(field, bytes);
  end_reader.take_options(key.options, &OrderingOptions::skip_blanks_at_end);
  end_reader.need_end();
  return key;
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

}  // namespace sortie
