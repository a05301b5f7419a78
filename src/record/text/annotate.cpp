#include "record/text/annotate.hpp"

#include <algorithm>
#include <cstdlib>
#include <cwchar>
#include <cwctype>
#include <utility>
#include <vector>

#include "record/csv/quoted_records.hpp"
#include "record/json/json_finder.hpp"
#include "record/text/byte_words.hpp"
#include "record/text/field_finder.hpp"
#include "record/text/month_key.hpp"
#include "record/text/own_keys.hpp"
#include "record/time/written_time.hpp"

namespace sortie {
namespace {

bool is_number(TextKind kind) {
  return kind == TextKind::kNumber || kind == TextKind::kGeneralNumber || kind == TextKind::kHumanNumber;
}

/// What mbrtowc() returns for an incomplete character.
constexpr std::size_t kCutShort = static_cast<std::size_t>(-2);

/// Columns that a terminal needs for text without tabs.
std::size_t columns(std::string_view text) {
  std::size_t sum = 0;
  std::mbstate_t state{};
  while (!text.empty()) {
    wchar_t character = 0;
    const std::size_t bytes = ::mbrtowc(&character, text.data(), text.size(), &state);
    if (bytes == kCutShort) return sum + 1;
    if (bytes == 0 || bytes > text.size()) {  // NUL, or no character
      sum += bytes == 0 ? 0 : 1;
      text.remove_prefix(1);
      state = {};
      continue;
    }
    const int width = ::wcwidth(character);
    sum += width >= 0 ? static_cast<std::size_t>(width) : ::iswcntrl(static_cast<wint_t>(character)) != 0 ? 0 : 1;
    text.remove_prefix(bytes);
  }
  return sum;
}

/// The size of the number that `text` begins with: digits, with thousands separators, and their fraction. 0: there is
/// no digit.
std::size_t number_size(std::string_view text, const TextLocale& locale) {
  bool any_digit = false;
  std::size_t at = 0;
  const auto is = [&](unsigned char byte) { return at < text.size() && static_cast<unsigned char>(text[at]) == byte; };
  while (at < text.size() && is_digit(text[at])) {
    any_digit = true;
    ++at;
    if (locale.thousands_separator == TextLocale::kNoSeparator || !is(locale.thousands_separator)) continue;
    // A separator stands before a digit only.
    if (at + 1 == text.size() || !is_digit(text[at + 1])) return at;
    ++at;
  }
  if (is(locale.decimal_point)) {
    for (++at; at < text.size() && is_digit(text[at]); ++at) any_digit = true;
  }
  return any_digit ? at : 0;
}

std::size_t decimal_size(std::string_view text, bool with_suffix, const TextLocale& locale) {
  constexpr std::string_view kSuffixes = "KkMGTPEZY";
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  const std::size_t digits = number_size(text.substr(sign), locale);
  if (digits == 0) return 0;
  const std::size_t size = sign + digits;
  const bool suffix = with_suffix && size < text.size() && kSuffixes.find(text[size]) != std::string_view::npos;
  return size + (suffix ? 1 : 0);
}

std::size_t general_number_size(std::string_view text, const TextLocale& locale) {
  const std::string terminated(text);
  char* end = nullptr;
  static_cast<void>(::strtold_l(terminated.c_str(), &end, locale.handle.get()));
  return static_cast<std::size_t>(end - terminated.c_str());
}

std::string_view behind_blanks(std::string_view text, const TextLocale& locale) {
  while (!text.empty() && locale.blank[static_cast<unsigned char>(text.front())]) text.remove_prefix(1);
  return text;
}

/// Whether the key ends in front of its begin, not just at it.
bool is_turned(const FieldFinder& finder, const FieldFinder::Fields& fields, const TextKey& key, std::size_t begin) {
  TextKey up_to_end = key;
  up_to_end.begin = {};
  return finder.key_text(fields, up_to_end).size() < begin;
}

/// What stands in a record, and is underlined.
struct Part {
  std::size_t begin = 0;
  std::size_t end = 0;
};

Part part_of(std::string_view whole, std::string_view part) {
  const auto begin = static_cast<std::size_t>(part.data() - whole.data());
  return {begin, begin + part.size()};
}

/// The offset in `record` of the byte at `offset` of its text without quotes, or of its end: only quotes, and
/// backslashes in front of some, are left out.
std::size_t offset_with_quotes(std::string_view record, std::string_view text, std::size_t offset) {
  std::size_t at = 0;
  for (std::size_t i = 0; i <= offset; ++i, ++at) {
    const char wanted = i < text.size() ? text[i] : '\0';
    while (at < record.size() && (record[at] == '"' || record[at] == '\\') && record[at] != wanted) ++at;
    if (i == offset) break;
  }
  return std::min(at, record.size());
}

/// Finds what the keys of an order read.
class PartFinder {
 public:
  PartFinder(const TextOrder& order, const TextLocale& locale, std::shared_ptr<const TimeZones> zones)
      : order_(order), locale_(locale), zones_(std::move(zones)) {}

  /// One for each key.
  std::vector<Part> find(std::string_view record) const { return order_.json ? in_values(record) : in_fields(record); }

 private:
  std::vector<Part> in_fields(std::string_view line) const;
  std::vector<Part> in_values(std::string_view line) const;
  std::string_view part_read(std::string_view text, const TextKey& key) const;
  std::string_view part_read(const FieldFinder& finder, const FieldFinder::Fields& fields, const TextKey& key) const;
  std::size_t size_read(std::string_view text, const TextKey& key) const;

  const TextOrder& order_;
  const TextLocale& locale_;
  std::shared_ptr<const TimeZones> zones_;
};

/// How many bytes a key reads of `text`, which begins behind its blanks.
std::size_t PartFinder::size_read(std::string_view text, const TextKey& key) const {
  switch (key.kind) {
    case TextKind::kNumber:
      return decimal_size(text, false, locale_);
    case TextKind::kHumanNumber:
      return decimal_size(text, true, locale_);
    case TextKind::kGeneralNumber:
      return general_number_size(text, locale_);
    case TextKind::kMonth:
      return find_month(text, locale_).size;
    case TextKind::kTime:
      return TimeReader(key.time, 0, order_.separator, zones_).read(text).bytes;  // whatever its year
    default:
      return text.size();
  }
}

/// The part of a key's text that is read.
std::string_view PartFinder::part_read(std::string_view text, const TextKey& key) const {
  if (!is_number(key.kind) && key.kind != TextKind::kMonth && key.kind != TextKind::kTime) return text;
  const std::string_view number = behind_blanks(text, locale_);
  return number.substr(0, size_read(number, key));
}

/// The part of a line that is read for a key.
std::string_view PartFinder::part_read(const FieldFinder& finder, const FieldFinder::Fields& fields,
                                       const TextKey& key) const {
  const std::string_view text = finder.key_text(fields, key);
  const auto begin = static_cast<std::size_t>(text.data() - fields.line.data());
  const bool skips_blanks = is_number(key.kind) || key.kind == TextKind::kMonth || key.kind == TextKind::kTime;
  // GNU sort shows the position behind the blanks then, too.
  if (skips_blanks && is_turned(finder, fields, key, begin)) {
    return behind_blanks(fields.line.substr(begin), locale_).substr(0, 0);
  }
  return part_read(text, key);
}

std::vector<Part> PartFinder::in_fields(std::string_view line) const {
  const FieldFinder finder(order_, locale_);
  FieldFinder::Fields fields;
  UnquotedRecord unquoted;
  finder.find(line, fields, unquoted);
  std::vector<Part> parts;
  for (const TextKey& key : order_.keys) {
    Part part = part_of(fields.line, part_read(finder, fields, key));
    if (fields.unquoted != nullptr) {
      // From its first byte to its last: a quote behind that is not of it.
      const bool is_empty = part.begin == part.end;
      part.begin = offset_with_quotes(line, fields.line, part.begin);
      part.end = is_empty ? part.begin : offset_with_quotes(line, fields.line, part.end - 1) + 1;
    }
    parts.push_back(part);
  }
  return parts;
}

std::vector<Part> PartFinder::in_values(std::string_view line) const {
  std::vector<JsonValue> values(order_.keys.size());
  const bool is_json = !JsonFinder(order_).find(line, values).is_one();
  std::vector<Part> parts;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool is_there = is_json && values[i].type != JsonType::kMissing;
    parts.push_back(is_there ? part_of(line, part_read(values[i].text, order_.keys[i])) : Part());
  }
  return parts;
}

void append_mark(std::string_view shown, Part part, std::string& text) {
  text.append(columns(shown.substr(0, part.begin)), ' ');
  const std::size_t width = columns(shown.substr(part.begin, part.end - part.begin));
  if (width == 0) {
    text.append("^ no match for key\n");
  } else {
    text.append(width, '_').append("\n");
  }
}

}  // namespace

Annotator::Annotator(TextOrder order)
    : order_(std::move(order)),
      locale_(order_.locale ? current_text_locale() : c_text_locale()),
      zones_(TimeZones::of(order_)) {}

std::string Annotator::annotated(std::string_view record) const {
  if (order_.record_start) record = record.substr(0, record.find('\n'));
  if (order_.csv) record = without_line_end(record);
  std::string shown(record);
  std::ranges::replace(shown, '\t', '>');
  if (order_.csv) std::ranges::replace(shown, '\n', '$');
  const std::vector<Part> parts = PartFinder(order_, locale_, zones_).find(record);
  std::string text;
  text.reserve((parts.size() + 2) * (shown.size() + 1));  // a long record lies there often enough
  text.append(shown).append("\n");
  for (const Part part : parts) append_mark(shown, part, text);
  if (order_.keys.empty() || has_last_resort(order_)) append_mark(shown, {0, shown.size()}, text);
  return text;
}

}  // namespace sortie
