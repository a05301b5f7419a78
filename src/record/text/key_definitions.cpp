// Parses keys: of fields, as for GNU sort, of columns, and of values of JSON. Their types are written alike.
#include <limits>
#include <string>

#include <sortie/error.hpp>
#include <sortie/text_keys.hpp>

#include "base/quote.hpp"
#include "record/json/json_text.hpp"
#include "record/text/byte_words.hpp"
#include "record/time/time_pattern.hpp"

namespace sortie {
namespace {

constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();

constexpr std::string_view kTime = "time";
constexpr std::string_view kTimeFormat = "time(";
constexpr std::string_view kHash = "hash";
constexpr std::string_view kNormal = "normal";
constexpr std::string_view kNormalList = "normal(";

/// Cuts off and returns a word that follows a colon. The format of a time may hold colons.
std::string_view take_type_word(std::string_view& rest, std::string_view whole, const char* syntax) {
  if (!rest.starts_with(':'))
    throw Error("key " + quote_word(whole) + " lacks a colon in front of " + quote_word(rest) + ": " + syntax);
  rest.remove_prefix(1);
  std::size_t size = rest.find(':');
  const bool is_list = rest.starts_with(kNormalList);
  if (is_list || rest.starts_with(kTimeFormat)) {
    const std::size_t closing = is_list ? rest.find(')') : rest.rfind(')');
    if (closing == std::string_view::npos) {
      throw Error("key " + quote_word(whole) + " lacks a closing parenthesis: " + syntax);
    }
    size = closing + 1;
  }
  const std::string_view word = rest.substr(0, size);
  rest.remove_prefix(word.size());
  return word;
}

/// The time that FORMAT of `time(FORMAT)` describes.
TimeType time_type(std::string_view format) {
  if (format == "s") return {TimeForm::kSeconds};
  if (format == "ms") return {TimeForm::kMilliseconds};
  if (format == "us") return {TimeForm::kMicroseconds};
  if (format == "ns") return {TimeForm::kNanoseconds};
  if (format.find('%') == std::string_view::npos) {
    throw Error("unknown format " + quote_word(format) +
                " of a time: write s, ms, us or ns for a number since 1970, or letters as for strftime(), for example "
                "time(%d.%m.%Y %H:%M)");
  }
  validate_time_pattern(format);
  return {TimeForm::kPattern, std::string(format)};
}

/// `word`: "normal", or that with a list of parts.
NormalForm normal_form(std::string_view word) {
  if (word == kNormal) return {.nfkc = true, .case_fold = true, .punctuation = true, .space = true};
  NormalForm form;
  const std::string_view list = word.substr(kNormalList.size(), word.size() - kNormalList.size() - 1);
  for (const std::string_view part : sortie::split(list, ',')) {
    bool* const named = part == "nfkc"    ? &form.nfkc
                        : part == "case"  ? &form.case_fold
                        : part == "punct" ? &form.punctuation
                        : part == "space" ? &form.space
                                          : nullptr;
    if (named == nullptr) {
      throw Error("unknown part " + quote_word(part) +
                  " of a normal form: give some of case, space, nfkc and punct, as in normal(case,space)");
    }
    *named = true;
  }
  return form;
}

bool is_normal_form(std::string_view word) { return word == kNormal || word.starts_with(kNormalList); }

void set_type(OrderingOptions& options, std::string_view word, std::string_view whole) {
  if (word == kHash) {
    options.hash = true;
    return;
  }
  if (word == kTime) {
    options.time.emplace();
    return;
  }
  if (word.starts_with(kTimeFormat)) {
    options.time = time_type(word.substr(kTimeFormat.size(), word.size() - kTimeFormat.size() - 1));
    return;
  }
  bool known = !word.empty();
  for (const char letter : word) known = known && options.set(letter);
  if (known) return;
  throw Error("unknown type " + quote_word(word) + " in key " + quote_word(whole) +
              ": it is made of the letters bdfgiMhnRrV, or is time, hash, normal, or desc; a name with a colon stands "
              "in double quotes");
}

/// Parses all of `rest`, `[:NORMAL][:TYPE][:desc]`, into `options`. NORMAL is `normal[(LIST)]`. TYPE is made of letters
/// of ordering options, or is `time[(FORMAT)]` or `hash`. Throws Error that names `whole`, the key, and shows `syntax`.
void parse_key_type(std::string_view rest, std::string_view whole, const char* syntax, OrderingOptions& options) {
  if (rest.empty()) return;
  std::string_view word = take_type_word(rest, whole, syntax);
  if (is_normal_form(word)) {
    options.normal = normal_form(word);
    if (rest.empty()) return;
    word = take_type_word(rest, whole, syntax);
  }
  if (word != "desc") {
    set_type(options, word, whole);
    if (rest.empty()) return;
    word = take_type_word(rest, whole, syntax);
  }
  if (word != "desc" || !rest.empty()) {
    throw Error(quote_word(word != "desc" ? word : rest) + " is too much in key " + quote_word(whole) + ": " + syntax);
  }
  options.descending = true;
}

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

constexpr const char* kColumnSyntax = "write NAME[:TYPE][:desc], for example price:n:desc";

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
    if (quote == std::string_view::npos)
      throw Error("key " + quote_word(whole) + " lacks a closing quote: " + kColumnSyntax);
    name.append(rest.substr(0, quote));
    rest.remove_prefix(quote);
    if (!rest.starts_with("\"\"")) break;
    name += '"';
  }
  rest.remove_prefix(1);
  return name;
}

}  // namespace

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

KeyDefinition parse_column_key(std::string_view text) {
  KeyDefinition key;
  std::string_view rest = text;
  const bool quoted = rest.starts_with('"');
  key.column = take_name(rest, text);
  if (key.column.empty()) {
    throw Error("key " + quote_word(text) +
                " names no column: " + (quoted ? "a column without a name is named by its number" : kColumnSyntax));
  }
  parse_key_type(rest, text, kColumnSyntax, key.options);
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
