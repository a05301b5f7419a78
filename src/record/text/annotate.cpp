#include "record/text/annotate.hpp"

#include <algorithm>
#include <cwchar>
#include <cwctype>
#include <utility>

#include "record/csv/quoted_records.hpp"
#include "record/json/json_finder.hpp"
#include "record/text/field_finder.hpp"
#include "record/text/guess_subjects.hpp"
#include "record/text/missing_words.hpp"
#include "record/text/number_key.hpp"
#include "record/text/text_locale.hpp"
#include "record/time/written_time.hpp"

namespace sortie {
namespace {

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

bool is_read_behind_blanks(TextKind kind) {
  return is_number(kind) || kind == TextKind::kMonth || kind == TextKind::kTime;
}

/// Whether the key ends in front of its begin, not just at it.
bool is_turned(const FieldFinder& finder, const FieldFinder::Fields& fields, const TextKey& key, std::size_t begin) {
  TextKey up_to_end = key;
  up_to_end.begin = {};
  return finder.key_text(fields, up_to_end).size() < begin;
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

/// Underlines what stands in `shown` from `begin` to `end`.
void append_mark(std::string_view shown, std::size_t begin, std::size_t end, std::string& text) {
  text.append(columns(shown.substr(0, begin)), ' ');
  const std::size_t width = columns(shown.substr(begin, end - begin));
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

std::size_t Annotator::size_read(std::string_view text, const TextKey& key) const {
  switch (key.kind) {
    case TextKind::kNumber:
      return shown_number_bytes(text, locale_, false);
    case TextKind::kHumanNumber:
      return shown_number_bytes(text, locale_, true);
    case TextKind::kGeneralNumber:
      return general_number_bytes(text, locale_);
    case TextKind::kMonth:
      return find_month(text, locale_).size;
    case TextKind::kTime:
      return TimeReader(key.time, 0, order_.separator, zones_).read(text).bytes;  // whatever its year
    default:
      return text.size();
  }
}

std::string_view Annotator::part_read(std::string_view text, const TextKey& key) const {
  if (!is_read_behind_blanks(key.kind)) return text;
  const std::string_view number = behind_blanks(text, locale_);
  return number.substr(0, size_read(number, key));
}

std::vector<Annotator::Part> Annotator::in_fields(std::string_view line) const {
  const FieldFinder finder(order_, locale_);
  FieldFinder::Fields fields;
  UnquotedRecord unquoted;
  finder.find(line, fields, unquoted);
  std::vector<Part> parts;
  for (const TextKey& key : order_.keys) {
    const std::string_view text = finder.key_text(fields, key);
    const auto begin = static_cast<std::size_t>(text.data() - fields.line.data());
    // GNU sort shows the position behind the blanks then, too.
    const bool is_shown_empty = is_read_behind_blanks(key.kind) && is_turned(finder, fields, key, begin);
    Part part(fields.line,
              is_shown_empty ? behind_blanks(fields.line.substr(begin), locale_).substr(0, 0) : part_read(text, key));
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

std::vector<Annotator::Part> Annotator::in_values(std::string_view line) const {
  std::vector<JsonValue> values(order_.keys.size());
  const bool is_json = !JsonFinder(order_).find(line, values).is_one();
  std::vector<Part> parts;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool is_there = is_json && values[i].type != JsonType::kMissing;
    parts.push_back(is_there ? Part(line, part_read(values[i].text, order_.keys[i])) : Part());
  }
  return parts;
}

std::string Annotator::annotated(std::string_view record) const {
  if (order_.record_start) record = record.substr(0, record.find('\n'));
  if (order_.csv) record = without_line_end(record);
  std::string shown(record);
  std::ranges::replace(shown, '\t', '>');
  if (order_.csv) std::ranges::replace(shown, '\n', '$');
  const std::vector<Part> parts = order_.json ? in_values(record) : in_fields(record);
  std::string text;
  text.reserve((parts.size() + 2) * (shown.size() + 1));  // a long record lies there often enough
  text.append(shown).append("\n");
  for (const Part part : parts) append_mark(shown, part.begin, part.end, text);
  if (order_.keys.empty() || has_last_resort(order_)) append_mark(shown, 0, shown.size(), text);
  return text;
}

}  // namespace sortie
