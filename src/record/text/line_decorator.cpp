#include "record/text/line_decorator.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include <sortie/error.hpp>

#include "record/csv/quote_scanner.hpp"
#include "record/prefixed/prefixed_line.hpp"
#include "record/prefixed/prefixed_records.hpp"
#include "record/prefixed/stuffed_record.hpp"
#include "record/record_scan.hpp"
#include "record/text/line_decorator_impl.hpp"
#include "record/text/line_reference.hpp"

namespace sortie {
namespace {

/// The byte in front of keys. Their first bytes are the common ones, and left out, or less or greater than those.
constexpr std::byte kBelowCommon{'a'};
constexpr std::byte kBeginsInCommon{'b'};
constexpr std::byte kAboveCommon{'c'};

TextLocale locale_of(const Format& format) {
  return format.kind == RecordKind::kLines && format.text.locale ? current_text_locale() : c_text_locale();
}

LineBody body_of(const Format& format) {
  if (format.shuffle && format.kind != RecordKind::kLines) return LineBody::kStuffed;
  if (format.kind == RecordKind::kPrefixed) return LineBody::kPrefixed;
  return format.text.csv || format.text.record_start ? LineBody::kOfLines : LineBody::kLine;
}

char delimiter_of(const Format& format) {
  return format.kind == RecordKind::kLines ? format.delimiter : kStuffedDelimiter;
}

bool is_whole_line(const TextKey& key) {
  const bool from_begin = key.begin.field == 0 && key.begin.byte == 0 && !key.begin.skip_blanks;
  return key.column.empty() && from_begin && !key.end && key.kind == TextKind::kText && !key.fold_case &&
         !key.dictionary && !key.ignore_nonprinting;
}

/// Whether whole lines are descending, as the only order or as the last resort.
bool is_descending_line(const Format& format) {
  const bool descending = format.text.last_resort_descending;
  return format.text.keys.empty() ? descending || format.descending : descending != format.descending;
}

/// Adds a key if the order has none but needs one.
Format with_keys(Format format) {
  TextOrder& order = format.text;
  if (body_of(format) == LineBody::kLine || !order.keys.empty() || format.shuffle) return format;
  const bool descending = is_descending_line(format);
  order.keys.emplace_back().descending = descending != format.descending;
  return format;
}

LastResort last_resort_of(const Format& format, bool collates, bool unique) {
  if (format.shuffle) return body_of(format) == LineBody::kLine ? LastResort::kBytes : LastResort::kNone;
  const TextOrder& order = format.text;
  // Without keys the last resort is the order, even with -s and -u.
  const bool wanted = order.keys.empty() || (order.last_resort && !unique && body_of(format) == LineBody::kLine);
  if (!wanted) return LastResort::kNone;
  return collates ? LastResort::kCollation : LastResort::kBytes;
}

// Replaces the common beginning of the keys by a mark. The keys begin behind a byte at `begin`. Those that begin like
// in_common are never shorter: they have their end marks.
void leave_out_common(std::string_view in_common, std::size_t begin, DecoratedLines& out) {
  std::byte* const end = out.room(0);
  std::byte* const mark = end - (out.size() - begin);
  std::byte* const keys = mark + 1;
  const auto key_bytes = static_cast<std::size_t>(end - keys);
  const int order = std::memcmp(keys, in_common.data(), std::min(key_bytes, in_common.size()));
  if (order != 0) {
    *mark = order < 0 ? kBelowCommon : kAboveCommon;
    return;
  }
  *mark = kBeginsInCommon;
  const std::size_t rest = key_bytes - in_common.size();
  std::memmove(keys, keys + in_common.size(), rest);
  out.extend_to(keys + rest);
}

}  // namespace

LineDecorator::Impl::Impl(const Format& given, TextLocale locale, bool unique)
    : lines(with_keys(given)),
      body(body_of(lines)),
      first_line_counts(given.text.record_start && !given.text.keys.empty()),
      surroundings{.locale = std::move(locale),
                   .random_seed = lines.text.random_seed,
                   .delimiter = delimiter_of(lines),
                   .last_day = lines.text.last_day},
      last_resort(last_resort_of(lines, surroundings.locale.collates, unique)),
      finder(lines.text, surroundings.locale),
      json_finder(lines.text),
      line_descending(is_descending_line(lines)) {
  if (surroundings.locale.collates) surroundings.first_level = &first_level.emplace(surroundings.locale.handle);
  decorated.delimiter = surroundings.delimiter;
  decorated.descending = last_resort == LastResort::kBytes && line_descending;
  if (lines.shuffle) layout.add(shuffle.emplace(surroundings.random_seed, surroundings.delimiter).end_mark(), false);
  for (const TextKey& key : lines.text.keys) {
    const bool descending = key.descending != lines.descending;
    steps.emplace_back(key, surroundings, descending != decorated.descending);
    layout.add(steps.back().end_mark(), steps.back().is_collated());
  }
  if (last_resort == LastResort::kCollation) {
    line_writer.emplace(lines.delimiter, line_descending, nullptr);
    layout.add(line_writer->end_mark(), true);
  }
}

void LineDecorator::Impl::append_keys(Record line, std::uint64_t place, DecoratedLines& out) const {
  if (shuffle) return out.extend_to(shuffle->write(place, out.room(ShuffleKey::kBytes)));
  if (body == LineBody::kPrefixed) {
    const Record key = PrefixedParts(line).key;
    return steps[0].write({reinterpret_cast<const char*>(key.data()), key.size()}, key.size(), out);
  }
  if (lines.text.json) return append_values(line, out);
  const std::string_view text = text_of(line);
  FieldFinder::Fields fields;
  finder.find(text, fields, out.unquoted);
  const char* const end = fields.line.data() + fields.line.size();
  for (const KeyStep& step : steps) {
    const std::string_view key = finder.key_text(fields, step.key());
    step.write(key, static_cast<std::size_t>(end - key.data()), out);
  }
  if (line_writer) write_collated_key(*first_level, *line_writer, text, out);
}

void LineDecorator::Impl::append_values(Record line, DecoratedLines& out) const {
  const std::string_view text = text_of_line(line);
  out.values.resize(steps.size());
  const char* const reason = json_finder.find(text, out.values);
  if (reason != nullptr && out.unreadable.line == nullptr) out.unreadable = {line.data(), reason};
  const char* const end = text.data() + text.size();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const JsonValue& value = out.values[i];
    steps[i].write_value(value, value.text.empty() ? 0 : static_cast<std::size_t>(end - value.text.data()), out);
  }
}

Format plain_format(const Format& format) {
  Format plain = format;
  const std::vector<TextKey>& keys = format.text.keys;
  plain.descending = keys.empty() ? is_descending_line(format) : keys[0].descending != format.descending;
  plain.text = {};
  return plain;
}

std::unique_ptr<const LineDecorator> LineDecorator::make(const Format& format, bool unique) {
  if (!format.shuffle && format.kind != RecordKind::kLines && format.kind != RecordKind::kPrefixed) return nullptr;
  TextLocale locale = locale_of(format);
  const std::vector<TextKey>& keys = format.text.keys;
  const bool by_bytes = !locale.collates && (keys.empty() || is_whole_line(keys[0]));
  if (by_bytes && body_of(format) == LineBody::kLine && !format.shuffle) return nullptr;
  validate(format);
  auto impl = std::make_shared<const Impl>(format, std::move(locale), unique);
  return std::unique_ptr<const LineDecorator>(new LineDecorator(impl, impl->layout));
}

LineDecorator::LineDecorator(const Format& format, bool unique) {
  validate(format);
  impl_ = std::make_shared<const Impl>(format, locale_of(format), unique);
  layout_ = impl_->layout;
}

LineDecorator::LineDecorator(std::shared_ptr<const Impl> impl, KeyLayout layout)
    : impl_(std::move(impl)), layout_(std::move(layout)) {}

const Format& LineDecorator::line_format() const { return impl_->lines; }

const Format& LineDecorator::decorated_format() const { return impl_->decorated; }

LineDecorator LineDecorator::referring_to(std::span<const std::byte> lines, std::string in_common) const {
  assert(impl_->body != LineBody::kOfLines && lines.size() <= LineReference::kMostLinesBytes);
  LineDecorator referring(impl_, layout_);
  referring.lines_ = lines;
  // The first end mark stays: ranks are found by the marks.
  if (collates()) in_common.resize(std::min(in_common.size(), in_common.find(static_cast<char>(layout_.end_mark(0)))));
  referring.in_common_ = std::move(in_common);
  return referring;
}

bool LineDecorator::line_bytes_decide() const { return !impl_->has_place(); }

void LineDecorator::append_line(Record line, std::uint64_t place, DecoratedLines& out) const {
  impl_->append_keys(line, place, out);
  std::byte* at = out.room(kPlaceBytes + std::max(line_room(line.size()), stuffed_record_room(line.size())));
  if (impl_->has_place()) {
    store_place(place, at);
    at += kPlaceBytes;
  }
  switch (impl_->body) {
    case LineBody::kLine:
      std::memcpy(at, line.data(), line.size());
      return out.extend_to(at + line.size());
    case LineBody::kOfLines:
      return out.extend_to(write_as_line(line, at));
    case LineBody::kPrefixed:
      return out.extend_to(write_prefixed_payload(line, at));
    case LineBody::kStuffed:
      return out.extend_to(write_stuffed(line, at));
  }
}

void LineDecorator::append_reference(Record line, std::uint64_t place, DecoratedLines& out) const {
  const std::size_t begin = out.size();
  if (!in_common_.empty()) out.extend_to(out.room(1) + 1);
  impl_->append_keys(line, place, out);
  if (!in_common_.empty()) leave_out_common(in_common_, begin, out);
  std::byte* const at = out.room(kPlaceBytes + 1);
  store_place(LineReference{place, line.size()}.place(), at);
  at[kPlaceBytes] = static_cast<std::byte>(impl_->decorated.delimiter);
  out.extend_to(at + kPlaceBytes + 1);
}

Record LineDecorator::referred_line(Record decorated) const {
  const LineReference reference = LineReference::of(load_place(decorated.data() + decorated.size() - 1 - kPlaceBytes));
  const std::size_t left = lines_.size() - std::min<std::size_t>(lines_.size(), reference.offset);
  if (reference.stored_bytes > left || left == 0) throw Error("a reference to a line is damaged; is the memory sound?");
  const Record rest = lines_.subspan(reference.offset);
  if (reference.stored_bytes < LineReference::kLongLine) return rest.first(reference.stored_bytes);
  return rest.first(first_records(layout_of(impl_->lines), rest, 1));
}

std::size_t LineDecorator::bytes_before_line(Record decorated) const {
  return layout_.behind_keys(decorated, layout_.size()) + (impl_->has_place() ? kPlaceBytes : 0);
}

Record LineDecorator::held_line(Record decorated) const {
  assert(impl_->body == LineBody::kLine || impl_->body == LineBody::kOfLines);
  const Record line = decorated.subspan(bytes_before_line(decorated));
  return impl_->body == LineBody::kOfLines ? line.subspan(record_offset(line)) : line;
}

bool LineDecorator::keeps_lines_whole() const { return refers() || impl_->body == LineBody::kLine; }

template <class Byte>
PrefixedLine<Byte> LineDecorator::prefixed_line(std::span<Byte> decorated) const {
  const std::size_t begin = bytes_before_line(decorated);
  return {decorated.first(begin - kPlaceBytes - 1), decorated.subspan(begin)};
}

std::size_t LineDecorator::original_bytes(Record decorated) const {
  if (refers()) return undecorate(decorated).size();
  switch (impl_->body) {
    case LineBody::kPrefixed:
      return prefixed_record_bytes(prefixed_line(decorated), impl_->steps[0].writer());
    case LineBody::kStuffed:
      return stuffed_record_bytes(decorated.subspan(bytes_before_line(decorated)));
    default:
      return undecorate(decorated).size();
  }
}

std::uint64_t LineDecorator::original_bytes_of_all(std::span<const std::byte> decorated) const {
  std::uint64_t bytes = 0;
  for_each_record(layout_of(impl_->decorated), decorated, [&](const std::byte* line, std::uint64_t stored) {
    bytes += original_bytes({line, static_cast<std::size_t>(stored)});
  });
  return bytes;
}

Record LineDecorator::restore(std::span<std::byte> decorated) const {
  if (refers()) return referred_line(decorated);
  if (impl_->body == LineBody::kPrefixed) {
    return restore_prefixed_record(prefixed_line(decorated), impl_->steps[0].writer());
  }
  const std::span<std::byte> line = decorated.subspan(bytes_before_line(decorated));
  if (impl_->body == LineBody::kStuffed) return restore_stuffed(line);
  return impl_->body == LineBody::kOfLines ? restore_newlines(line) : Record(line);
}

Record LineDecorator::keys(Record decorated) const {
  if (refers() && !collates()) return decorated.first(decorated.size() - 1 - kPlaceBytes);
  const bool no_keys = impl_->steps.empty();
  return decorated.first(layout_.behind_keys(decorated, no_keys ? layout_.size() : impl_->steps.size()));
}

std::size_t LineDecorator::bytes_alike(Record decorated) const {
  std::size_t at = 0;
  for (std::size_t key = 0; key < layout_.size(); ++key) {
    const auto mark =
        std::find(decorated.begin() + static_cast<std::ptrdiff_t>(at), decorated.end(), layout_.end_mark(key));
    if (mark == decorated.end()) return decorated.size();
    at = static_cast<std::size_t>(mark - decorated.begin()) + 1;
    if (layout_.is_collated(key)) return at;
  }
  return at;
}

// Collated keys may be equal to strcoll() while the bytes of their texts differ, and the other way round.
bool LineDecorator::compare_equal(Record a, Record b) const {
  const Record keys_of_a = keys(a);
  if (b.size() < keys_of_a.size() || std::memcmp(a.data(), b.data(), keys_of_a.size()) != 0) return false;
  return !collates() || compare_keys(a, b) == 0;
}

}  // namespace sortie
