// What orders need keys in front of records, and which.
#include <algorithm>
#include <string_view>
#include <utility>

#include "record/prefixed/byte_stuffing.hpp"
#include "record/text/guess_subjects.hpp"
#include "record/text/record_codec_impl.hpp"

namespace sortie {
namespace {

TextLocale locale_of(const Format& format) {
  return format.kind == RecordKind::kLines && format.text.locale ? current_text_locale() : c_text_locale();
}

LineBody body_of(const Format& format) {
  if (format.kind == RecordKind::kPrefixed && !format.shuffle) return LineBody::kPrefixed;
  if (format.kind != RecordKind::kLines) return LineBody::kStuffed;
  return format.text.csv || format.text.record_start ? LineBody::kOfLines : LineBody::kLine;
}

char delimiter_of(const Format& format) {
  return format.kind == RecordKind::kLines ? format.delimiter : kStuffedDelimiter;
}

bool is_whole_line(const TextKey& key) {
  const bool from_begin = key.begin.field == 0 && key.begin.byte == 0 && !key.begin.skip_blanks;
  return key.column.empty() && from_begin && !key.end && key.kind == TextKind::kText && !key.fold_case &&
         !key.dictionary && !key.ignore_nonprinting && !key.normal.is_wanted();
}

/// Whether whole lines are descending, as the only order or as the last resort.
bool is_descending_line(const Format& format) {
  const bool descending = format.text.last_resort_descending;
  return format.text.keys.empty() ? descending || format.descending : descending != format.descending;
}

/// Whether a line orders itself by its bytes.
bool is_by_bytes(const Format& format, bool collates) {
  const std::vector<TextKey>& keys = format.text.keys;
  return !collates && (keys.empty() || is_whole_line(keys[0])) && body_of(format) == LineBody::kLine && !format.shuffle;
}

const Format& validated(const Format& format) {
  validate(format);
  return format;
}

/// Whether a line gets a key of its own bytes all the same, because another sort takes that or the line's place.
bool is_made_key(const Format& format, bool collates, RecordForm form) {
  return form != RecordForm::kPlain && is_by_bytes(format, collates);
}

/// Leaves out keys that are like one in front of them, but for their direction: these decide nothing, and would be held
/// beside every record. `subjects`: of the keys, and what follows them.
void leave_out_repeated(std::vector<TextKey>& keys, std::vector<std::string>& subjects) {
  for (std::size_t i = keys.size(); i-- > 1;) {
    const bool is_repeated = std::any_of(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(i), [&](TextKey key) {
      key.descending = keys[i].descending;
      return key == keys[i];
    });
    if (!is_repeated) continue;
    keys.erase(keys.begin() + static_cast<std::ptrdiff_t>(i));
    if (i < subjects.size()) subjects.erase(subjects.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

/// Adds a key if the order has none but needs one. Leaves keys out behind one that is the whole line and decides.
Format with_keys(Format format, bool collates, RecordForm form, bool is_grouped, std::vector<std::string>& subjects) {
  TextOrder& order = format.text;
  // Groups show all keys, and those of both sides of a join belong together.
  if (!is_grouped && form != RecordForm::kKeyed) leave_out_repeated(order.keys, subjects);
  const bool line_is_key = is_made_key(format, collates, form);
  if (line_is_key && !order.keys.empty()) order.keys.resize(1);
  const bool line_does = body_of(format) == LineBody::kLine && !line_is_key && !is_grouped;
  if (line_does || !order.keys.empty() || format.shuffle) return format;
  const bool descending = is_descending_line(format);
  order.keys.emplace_back().descending = descending != format.descending;
  return format;
}

LastResort last_resort_of(const Format& format, bool collates, bool unique, RecordForm form) {
  const bool by_bytes = body_of(format) == LineBody::kLine && form != RecordForm::kPositioned;
  if (format.shuffle) return by_bytes ? LastResort::kBytes : LastResort::kNone;
  const TextOrder& order = format.text;
  // Without keys the last resort is the order, even with -s and -u.
  const bool wanted = order.keys.empty() || (has_last_resort(order) && !unique);
  if (wanted && collates) return LastResort::kCollation;
  return wanted && by_bytes ? LastResort::kBytes : LastResort::kNone;
}

/// The order of the fields of records of fixed length. Their key is complemented if all is descending.
std::optional<RecordOrder> order_of_fields(const Format& format) {
  if (format.shuffle || (format.kind != RecordKind::kFixed && format.kind != RecordKind::kArray)) return std::nullopt;
  Format ascending = format;
  ascending.descending = false;
  return RecordOrder(ascending);
}

/// The key for who finds its text alone. A list of names may be long.
TextKey without_names(TextKey key) {
  std::vector<std::string>().swap(key.names);
  return key;
}

std::vector<TextKey> positions_of(const Format& lines, const Grouping* grouping) {
  std::vector<TextKey> positions;
  for (const TextKey& key : lines.text.keys) positions.push_back(without_names(key));
  if (grouping == nullptr) return positions;
  for (const Aggregate& aggregate : grouping->aggregates) {
    if (aggregate.kind != AggregateKind::kCount) positions.push_back(aggregate.field);
  }
  return positions;
}

std::optional<GroupShape> shape_of(const Format& lines, const Grouping* grouping) {
  if (grouping == nullptr) return std::nullopt;
  GroupShape shape{{}, lines.text.keys.size(), lines.text.json, MissingWords(lines.text.missing_words)};
  for (const Aggregate& aggregate : grouping->aggregates) shape.aggregates.push_back(aggregate.kind);
  return shape;
}

/// The order with other keys, for who finds their texts.
TextOrder with_positions(TextOrder order, const std::vector<TextKey>& positions) {
  order.keys = positions;
  return order;
}

}  // namespace

RecordCodec::Impl::Impl(const Format& given, TextLocale locale, bool unique, RecordForm form, const Grouping* grouping,
                        std::vector<std::string> subjects)
    : guess_subjects(std::move(subjects)),
      lines(with_keys(given, locale.collates, form, grouping != nullptr, guess_subjects)),
      body(grouping != nullptr                         ? LineBody::kGroup
           : is_made_key(lines, locale.collates, form) ? LineBody::kInKey
                                                       : body_of(lines)),
      counts_quotes(!guess_subjects.empty() && guess_subjects.back() == kQuotesSubject),
      positions(positions_of(lines, grouping)),
      group(shape_of(lines, grouping)),
      first_line_counts(given.text.record_start && !given.text.keys.empty()),
      has_other_lines(!given.text.comment_prefixes.empty() || !given.text.refused_prefixes.empty()),
      unlike(unique),
      surroundings{.locale = std::move(locale),
                   .random_seed = lines.text.random_seed.value_or(RandomSeed{}),
                   .delimiter = delimiter_of(lines),
                   .last_day = lines.text.last_day,
                   .separator = lines.text.separator,
                   .zones = TimeZones::of(lines.text),
                   .missing_words = MissingWords(lines.text.missing_words)},
      last_resort(last_resort_of(lines, surroundings.locale.collates, unique, form)),
      finder(with_positions(lines.text, positions), surroundings.locale),
      json_finder(with_positions(lines.text, positions)),
      field_order(order_of_fields(given)),
      line_descending(is_descending_line(lines)) {
  if (surroundings.locale.collates) surroundings.first_level = &first_level.emplace(surroundings.locale.handle);
  encoded.delimiter = surroundings.delimiter;
  encoded.descending = last_resort == LastResort::kBytes && line_descending;
  for (const TextKey& key : lines.text.keys) {
    const bool descending = key.descending != lines.descending;
    steps.emplace_back(key, surroundings, descending != encoded.descending, subject(steps.size()));
    layout.add(steps.back().end_mark(), steps.back().is_collated());
  }
  if (lines.shuffle) layout.add(shuffle.emplace(surroundings.random_seed, surroundings.delimiter).end_mark(), false);
  if (last_resort == LastResort::kCollation) {
    line_writer.emplace(lines.delimiter, line_descending, nullptr);
    layout.add(line_writer->end_mark(), true);
  }
  order.emplace(encoded);
}

RecordCodec::Impl::Impl(const Format& plain)
    : lines(plain),
      body(LineBody::kAll),
      counts_quotes(false),
      first_line_counts(false),
      has_other_lines(false),
      unlike(false),
      surroundings{.locale = c_text_locale(), .delimiter = plain.delimiter, .zones = TimeZones::of(plain.text)},
      last_resort(LastResort::kBytes),
      encoded(plain),
      finder(plain.text, surroundings.locale),
      json_finder(plain.text),
      line_descending(plain.descending),
      order(plain) {}

Format plain_format(const Format& format) {
  Format plain = format;
  const std::vector<TextKey>& keys = format.text.keys;
  plain.descending = keys.empty() ? is_descending_line(format) : keys[0].descending != format.descending;
  plain.text = {};
  return plain;
}

bool may_refuse_lines(const Format& format) {
  const auto needs_year = [&](const TextKey& key) { return key.kind == TextKind::kTime && !format.text.last_day; };
  return format.text.json || !format.text.refused_prefixes.empty() || std::ranges::any_of(format.text.keys, needs_year);
}

RecordCodec RecordCodec::make(const Format& format, bool unique, RecordForm form,
                              std::vector<std::string> guess_subjects) {
  TextLocale locale = locale_of(format);
  const bool has_fields = !format.shuffle && body_of(format) == LineBody::kStuffed;
  if (form == RecordForm::kPlain && (has_fields || is_by_bytes(format, locale.collates))) {
    return plain(plain_format(format));
  }
  validate(format);
  return RecordCodec(
      std::make_shared<const Impl>(format, std::move(locale), unique, form, nullptr, std::move(guess_subjects)));
}

RecordCodec RecordCodec::plain(const Format& format) { return RecordCodec(std::make_shared<const Impl>(format)); }

RecordCodec::RecordCodec(const Format& format, bool unique, const Grouping* grouping,
                         std::vector<std::string> guess_subjects)
    : RecordCodec(std::make_shared<const Impl>(validated(format), locale_of(format), unique, RecordForm::kPlain,
                                               grouping, std::move(guess_subjects))) {}

}  // namespace sortie
