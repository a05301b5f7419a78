#include "record/text/key_step.hpp"

#include <cassert>
#include <cstring>

#include "base/quote.hpp"
#include "base/release_memory.hpp"
#include "record/collation/collated_text.hpp"
#include "record/json/json_text.hpp"
#include "record/text/line_reference.hpp"
#include "record/text/name_keys.hpp"
#include "record/text/normal_form.hpp"
#include "record/text/number_key.hpp"
#include "record/text/random_key.hpp"
#include "record/text/share_key.hpp"
#include "record/text/text_locale.hpp"
#include "record/time/civil_time.hpp"

namespace sortie {
namespace {

void write_scratch(const KeyWriter& writer, EncodedLines& out) {
  const std::string& key = out.key_scratch;
  out.extend_to(writer.write(key, out.room(KeyWriter::room(key.size()))));
}

// In front of the key of a value of JSON stands its type, or that there is one; none comes last. So it is with numbers
// for which words may stand.
constexpr unsigned kFirstValueMark = 0x20;
constexpr unsigned kMissingMark = 0x40;
constexpr unsigned kMissingMarkDescending = 0x10;

}  // namespace

void KeyLayout::add(std::byte end_mark, bool is_collated) {
  if (is_collated) collated_.push_back(keys_.size());
  keys_.push_back({end_mark, is_collated});
}

std::size_t KeyLayout::behind_mark(Record line, std::size_t at, std::size_t key) const {
  const void* const mark = std::memchr(line.data() + at, std::to_integer<int>(keys_[key].end_mark), line.size() - at);
  assert(mark != nullptr);
  return static_cast<std::size_t>(static_cast<const std::byte*>(mark) + 1 - line.data());
}

std::size_t KeyLayout::behind_key(std::size_t behind_mark, std::size_t key) const {
  return behind_mark + (keys_[key].is_collated ? kRankBytes : 0);
}

std::size_t KeyLayout::behind_keys(Record line, std::size_t count) const {
  std::size_t at = 0;
  for (std::size_t key = 0; key < count; ++key) at = behind_key(behind_mark(line, at, key), key);
  return at;
}

std::size_t KeyLayout::rank_offset(Record line, std::size_t rank) const {
  const std::size_t key = collated_[rank];
  return behind_mark(line, behind_keys(line, key), key);
}

KeyStep::KeyStep(const TextKey& key, const KeySurroundings& surroundings, bool complemented,
                 std::optional<std::size_t> subject)
    : key_(key),
      surroundings_(&surroundings),
      has_type_(key.kind != TextKind::kText || key.fold_case || key.dictionary || key.ignore_nonprinting ||
                key.normal.is_wanted()),
      may_be_missing_(!surroundings.missing_words.empty() && is_number(key.kind)),
      lacks_exponents_(!has_type_ || key.kind == TextKind::kNumber || key.kind == TextKind::kHumanNumber ||
                       key.kind == TextKind::kTime),
      by_bytes_(key.kind == TextKind::kText && surroundings.first_level == nullptr),
      filter_(key, surroundings.locale),
      time_(key.time, surroundings.last_day, surroundings.separator, surroundings.zones),
      names_(key.names),
      writer_(surroundings.delimiter, complemented, by_bytes_ ? &filter_ : nullptr),
      subject_(subject),
      is_one_field_(!key.column.empty() || (key.end && *key.end == TextPosition{.field = key.begin.field + 1})),
      way_(shortest_way()) {
  if (key.kind == TextKind::kHash) hash_.emplace(surroundings.random_seed);
  std::vector<std::string>().swap(key_.names);  // there may be many, and names_ has them
}

KeyStep::Way KeyStep::shortest_way() const {
  if (subject_ || may_be_missing_ || key_.normal.is_wanted()) return Way::kOther;
  if (by_bytes_) return Way::kBytes;
  return key_.kind == TextKind::kNumber ? Way::kNumber : Way::kOther;
}

std::string_view KeyStep::counting_text(std::string_view text, std::string& scratch) const {
  if (key_.normal.is_wanted()) return normal_text(text, scratch);
  if (!filter_.active) return text;
  filter_.apply(text, scratch);
  return scratch;
}

std::string_view KeyStep::normal_text(std::string_view text, std::string& scratch) const {
  scratch.clear();
  append_normal_form(text, key_.normal, scratch);
  return scratch;
}

// Where words may stand for missing values, these are as well known as others.
void KeyStep::write_other(std::string_view text, std::size_t readable, EncodedLines& out) const {
  if (!may_be_missing_) return write_counted(text, readable, out);
  if (surroundings_->missing_words.contain(text)) return write_missing(out);
  write_mark(kFirstValueMark, out);
  write_counted(text, readable, out);
}

void KeyStep::write_counted(std::string_view text, std::size_t readable, EncodedLines& out) const {
  if (subject_) count_guesses(text, out);
  write_uncounted(text, readable, out);
}

// Without an end mark: a key follows.
void KeyStep::write_mark(unsigned mark, EncodedLines& out) const {
  std::byte* const begin = out.room(2);
  *begin = static_cast<std::byte>(mark);
  out.extend_to(writer_.finish_plain(begin, begin + 1) - 1);
}

void KeyStep::write_missing(EncodedLines& out) const {
  write_mark(key_.descending ? kMissingMarkDescending : kMissingMark, out);
  write_nothing(out);
}

bool KeyStep::is_missing(const JsonValue& value) const {
  return may_be_missing_ && value.type == JsonType::kString && surroundings_->missing_words.contain(value.text);
}

// Those about times are counted when they are read.
void KeyStep::count_guesses(std::string_view text, EncodedLines& out) const {
  const TextLocale& locale = surroundings_->locale;
  switch (key_.kind) {
    case TextKind::kTime:
      return;
    case TextKind::kNumber:
    case TextKind::kHumanNumber:
      return count_number(extent_of_number(text, locale, key_.kind == TextKind::kHumanNumber), GuessKind::kUnreadNumber,
                          text, out);
    case TextKind::kGeneralNumber:
      return count_number(extent_of_general_number(text, locale), GuessKind::kUnreadGeneral, text, out);
    case TextKind::kMonth:
      if (month_key(text, locale) == kNoMonthKey) guess(GuessKind::kUnreadMonth, text, out);
      return;
    case TextKind::kListed:
      if (!names_.lists(text)) guess(GuessKind::kUnlistedName, text, out);
      return;
    case TextKind::kAlleles:
      return;
    default:
      if (text.empty()) guess(GuessKind::kEmptyKey, text, out);
  }
}

// `unread`: what it is if there is no number.
void KeyStep::count_number(NumberExtent extent, GuessKind unread, std::string_view text, EncodedLines& out) const {
  if (extent == NumberExtent::kNone) return guess(unread, text, out);
  if (extent == NumberExtent::kPart && is_one_field_) guess(GuessKind::kCutNumber, text, out);
}

void KeyStep::write_uncounted(std::string_view text, std::size_t readable, EncodedLines& out) const {
  if (by_bytes_) {
    return write_bytes(key_.normal.is_wanted() ? normal_text(text, out.field_scratch) : text, out);
  }
  if (key_.kind == TextKind::kNumber) return write_number(text, readable, out);
  text = counting_text(text, out.field_scratch);
  const TextLocale& locale = surroundings_->locale;
  std::string& key = out.key_scratch;
  key.clear();
  switch (key_.kind) {
    case TextKind::kHumanNumber:
      return write_plain(human_key_room(text.size()), out,
                         [&](std::byte* begin) { return write_human_key(text, locale, begin); });
    case TextKind::kMonth:
      return write_plain(1, out, [&](std::byte* begin) { return *begin = month_key(text, locale), begin + 1; });
    case TextKind::kTime:
      return write_time(text, out);
    case TextKind::kGeneralNumber:
      append_general_number_key(text, locale.handle, key);
      break;
    case TextKind::kVersion:
      append_version_key(text, key);
      break;
    case TextKind::kKaryotype:
      append_karyotype_key(text, key);
      break;
    case TextKind::kListed:
      names_.append_key(text, key);
      break;
    case TextKind::kAlleles:
      append_alleles_key(text, key);
      break;
    case TextKind::kRandom:
      append_random(text, out);
      break;
    case TextKind::kHash:
      hash_->append(text, key);
      break;
    case TextKind::kShare:
      key.push_back(static_cast<char>(share_of_text(text, key_.shares)));
      break;
    default:
      return write_collated_key(*surroundings_->first_level, writer_, text, out);
  }
  write_scratch(writer_, out);
}

void KeyStep::write_time(std::string_view text, EncodedLines& out) const {
  const TimeFound time = time_.read(text);
  if (time.lacks_year) {
    out.refuse({.reason = "has the time " + quote_word(text.substr(0, time.bytes)) + " without a year: say which it is",
                .remedy = Remedy::kYear});
  }
  if (time.bytes == 0) guess(time.has_unknown_zone ? GuessKind::kUnknownZone : GuessKind::kUnreadTime, text, out);
  if (time.assumes_year) guess(GuessKind::kAssumedYear, text.substr(0, time.bytes), out);
  if (time.has_zone) guess(GuessKind::kWrittenZone, {}, out);
  if (time.assumes_zone) guess(GuessKind::kAssumedZone, text.substr(0, time.bytes), out);
  write_plain(kTimeKeyRoom, out,
              [&](std::byte* begin) { return time.bytes > 0 ? write_time_key(time.instant, begin) : begin; });
}

void KeyStep::write_value(const JsonValue& value, std::size_t readable, EncodedLines& out) const {
  if (is_missing(value)) return write_missing(out);
  if (value.type == JsonType::kMissing) {
    guess(value.text.empty() ? GuessKind::kMissingValue : GuessKind::kEmptyKey, {}, out);
    // What is missing has the share of no text: there is no share of its own.
    if (key_.kind != TextKind::kShare) return write_missing(out);
    write_mark(kFirstValueMark, out);
    return write_uncounted({}, 0, out);
  }
  write_mark(kFirstValueMark + (has_type_ ? 0 : static_cast<unsigned>(value.type)), out);
  const bool is_number = value.type == JsonType::kNumber;
  std::string_view text = value.text;
  if (value.has_escapes || (is_number && lacks_exponents_ && text.find_first_of("eE") != std::string_view::npos)) {
    out.value_scratch.clear();
    is_number ? append_plain_number(text, out.value_scratch) : append_unescaped(text, out.value_scratch);
    text = out.value_scratch;
    readable = text.size();
  }
  if (!is_number || has_type_) return write_counted(text, readable, out);
  write_number(text, readable, out);
}

void KeyStep::write_nothing(EncodedLines& out) const {
  if (key_.kind != TextKind::kTime) return write_uncounted({}, 0, out);
  write_plain(0, out, [](std::byte* begin) { return begin; });
}

void KeyStep::append_random(std::string_view text, EncodedLines& out) const {
  std::string& key = out.key_scratch;
  if (surroundings_->locale.transforms) {
    append_transformed(surroundings_->locale.handle, text, key);
    // GNU sort does not hash the empty piece behind a NUL at the end.
    if (text.ends_with('\0')) key.pop_back();
    out.field_scratch.swap(key);
    key.clear();
    text = out.field_scratch;
  }
  append_random_key(text, surroundings_->random_seed, key);
}

void write_collated_key(const FirstLevel& first_level, const KeyWriter& writer, std::string_view text,
                        EncodedLines& out) {
  constexpr std::size_t kUsualScratch = 1 << 20;
  first_level.assign_key(text, out.key_scratch);
  write_scratch(writer, out);
  // It had room for the longest key that such a text can make, many times its length.
  if (out.key_scratch.capacity() > kUsualScratch) release_memory(out.key_scratch);
  std::byte* const rank = out.room(kRankBytes);
  store_rank(kNoRank, rank);
  out.extend_to(rank + kRankBytes);
}

}  // namespace sortie
