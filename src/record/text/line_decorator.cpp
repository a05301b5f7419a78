#include "record/text/line_decorator.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <sortie/error.hpp>

#include "record/csv/inner_newlines.hpp"
#include "record/text/field_finder.hpp"
#include "record/text/key_step.hpp"
#include "record/text/line_reference.hpp"

namespace sortie {
namespace {

/// In front of keys whose first bytes are those that most have in common, and left out; or less or greater than those.
constexpr std::byte kBelowCommon{'a'};
constexpr std::byte kBeginsInCommon{'b'};
constexpr std::byte kAboveCommon{'c'};

TextLocale locale_of(const TextOrder& order) { return order.locale ? current_text_locale() : c_text_locale(); }

bool is_whole_line(const TextKey& key) {
  const bool from_begin = key.begin.field == 0 && key.begin.byte == 0 && !key.begin.skip_blanks;
  return from_begin && !key.end && key.kind == TextKind::kText && !key.fold_case && !key.dictionary &&
         !key.ignore_nonprinting;
}

/// The direction of whole lines, as the only order or as the last resort.
bool is_descending_line(const Format& format) {
  const bool descending = format.text.last_resort_descending;
  return format.text.keys.empty() ? descending || format.descending : descending != format.descending;
}

/// With a key where the order has none but cannot do without.
Format with_keys(Format format) {
  TextOrder& order = format.text;
  if (!order.csv || !order.keys.empty()) return format;
  const bool descending = is_descending_line(format);
  order.keys.emplace_back().descending = descending != format.descending;
  return format;
}

std::string_view text_of(Record line) { return {reinterpret_cast<const char*>(line.data()), line.size() - 1}; }

/// What decides once all keys are equal.
enum class LastResort { kBytes, kCollation, kNone };

LastResort last_resort_of(const TextOrder& order, bool collates, bool unique) {
  // Without keys the last resort is the order, -s and -u notwithstanding.
  const bool wanted = order.keys.empty() || (order.last_resort && !unique && !order.csv);
  if (!wanted) return LastResort::kNone;
  return collates ? LastResort::kCollation : LastResort::kBytes;
}

}  // namespace

struct LineDecorator::Impl {
  Impl(const Format& format, bool unique);

  void append_keys(Record line, DecoratedLines& out) const;
  std::size_t bytes_of_keys(Record decorated, std::size_t count) const;
  std::size_t bytes_before_line(Record decorated) const;

  Format lines;
  std::optional<CollationKeys> collation;
  KeySurroundings surroundings;
  LastResort last_resort;
  Format decorated;
  FieldFinder finder;
  std::vector<KeyStep> steps;
  std::optional<KeyWriter> line_writer;  // of the collation key of the whole line
  std::vector<std::byte> end_marks;      // of all keys in turn
};

LineDecorator::Impl::Impl(const Format& format, bool unique)
    : lines(format),
      surroundings{
          .locale = locale_of(format.text), .random_seed = format.text.random_seed, .delimiter = format.delimiter},
      last_resort(last_resort_of(format.text, surroundings.locale.collates, unique)),
      finder(format.text, surroundings.locale) {
  if (surroundings.locale.collates) surroundings.collation = &collation.emplace();
  const bool line_descending = is_descending_line(format);
  decorated.delimiter = format.delimiter;
  decorated.descending = last_resort == LastResort::kBytes && line_descending;
  for (const TextKey& key : format.text.keys) {
    const bool descending = key.descending != format.descending;
    steps.emplace_back(key, surroundings, descending != decorated.descending);
    end_marks.push_back(steps.back().end_mark());
  }
  if (last_resort == LastResort::kCollation) {
    line_writer.emplace(format.delimiter, line_descending, nullptr);
    end_marks.push_back(line_writer->end_mark());
  }
}

std::size_t LineDecorator::Impl::bytes_of_keys(Record line, std::size_t count) const {
  const std::byte* at = line.data();
  const std::byte* const end = at + line.size();
  for (std::size_t key = 0; key < count; ++key) {
    const void* const mark = std::memchr(at, std::to_integer<int>(end_marks[key]), static_cast<std::size_t>(end - at));
    assert(mark != nullptr);
    at = static_cast<const std::byte*>(mark) + 1;
  }
  return static_cast<std::size_t>(at - line.data());
}

std::size_t LineDecorator::Impl::bytes_before_line(Record line) const {
  return bytes_of_keys(line, end_marks.size()) + (last_resort == LastResort::kBytes ? 0 : kPlaceBytes);
}

void LineDecorator::Impl::append_keys(Record line, DecoratedLines& out) const {
  const std::string_view text = text_of(line);
  FieldFinder::Fields fields;
  finder.find(text, fields, out.unquoted);
  const char* const end = fields.line.data() + fields.line.size();
  for (const KeyStep& step : steps) {
    const std::string_view key = finder.key_text(fields, step.key());
    step.write(key, static_cast<std::size_t>(end - key.data()), out);
  }
  if (line_writer) write_collation_key(*collation, *line_writer, text, out);
}

bool needs_decoration(const Format& format) {
  if (format.kind != RecordKind::kLines) return false;
  const TextOrder& order = format.text;
  if (order.csv) return true;
  if (order.keys.empty() || is_whole_line(order.keys[0])) return locale_of(order).collates;
  return true;
}

Format plain_format(const Format& format) {
  assert(!needs_decoration(format));
  Format plain = format;
  const std::vector<TextKey>& keys = format.text.keys;
  plain.descending = keys.empty() ? is_descending_line(format) : keys[0].descending != format.descending;
  plain.text = {};
  return plain;
}

LineDecorator::LineDecorator(const Format& format, bool unique) {
  validate(format);
  assert(needs_decoration(format));
  impl_ = std::make_shared<const Impl>(with_keys(format), unique);
}

const Format& LineDecorator::line_format() const { return impl_->lines; }

const Format& LineDecorator::decorated_format() const { return impl_->decorated; }

LineDecorator::LineDecorator(std::shared_ptr<const Impl> impl, std::span<const std::byte> lines, std::string in_common)
    : impl_(std::move(impl)), lines_(lines), in_common_(std::move(in_common)) {}

LineDecorator LineDecorator::referring_to(std::span<const std::byte> lines, std::string in_common) const {
  assert(!impl_->lines.text.csv && lines.size() <= LineReference::kMostLinesBytes);
  return LineDecorator(impl_, lines, std::move(in_common));
}

bool LineDecorator::line_bytes_decide() const { return impl_->last_resort == LastResort::kBytes; }

void LineDecorator::decorate(Record line, std::uint64_t place, DecoratedLines& out) const {
  if (refers()) return append_reference(line, place, out);
  impl_->append_keys(line, out);
  std::byte* at = out.room(kPlaceBytes + line_room(line.size()));
  if (impl_->last_resort != LastResort::kBytes) {
    store_place(place, at);
    at += kPlaceBytes;
  }
  if (impl_->lines.text.csv) return out.extend_to(write_as_line(line, at));
  std::memcpy(at, line.data(), line.size());
  out.extend_to(at + line.size());
}

void LineDecorator::append_reference(Record line, std::uint64_t place, DecoratedLines& out) const {
  const std::size_t begin = out.size();
  if (!in_common_.empty()) out.extend_to(out.room(1) + 1);
  impl_->append_keys(line, out);
  if (!in_common_.empty()) leave_out_common(begin, out);
  std::byte* const at = out.room(kPlaceBytes + 1);
  store_place(LineReference{place, line.size()}.place(), at);
  at[kPlaceBytes] = static_cast<std::byte>(impl_->lines.delimiter);
  out.extend_to(at + kPlaceBytes + 1);
}

// The keys begin behind a byte at `begin`. No keys are as short as in_common_ and the same as far as they go: keys have
// their end marks.
void LineDecorator::leave_out_common(std::size_t begin, DecoratedLines& out) const {
  std::byte* const end = out.room(0);
  std::byte* const mark = end - (out.size() - begin);
  std::byte* const keys = mark + 1;
  const auto key_bytes = static_cast<std::size_t>(end - keys);
  const int order = std::memcmp(keys, in_common_.data(), std::min(key_bytes, in_common_.size()));
  if (order != 0) {
    *mark = order < 0 ? kBelowCommon : kAboveCommon;
    return;
  }
  *mark = kBeginsInCommon;
  const std::size_t rest = key_bytes - in_common_.size();
  std::memmove(keys, keys + in_common_.size(), rest);
  out.extend_to(keys + rest);
}

Record LineDecorator::referred_line(Record decorated) const {
  const LineReference reference = LineReference::of(load_place(decorated.data() + decorated.size() - 1 - kPlaceBytes));
  const std::size_t left = lines_.size() - std::min<std::size_t>(lines_.size(), reference.offset);
  if (reference.stored_bytes > left || left == 0) throw Error("a reference to a line is damaged; is the memory sound?");
  const Record rest = lines_.subspan(reference.offset);
  if (reference.stored_bytes < LineReference::kLongLine) return rest.first(reference.stored_bytes);
  return rest.first(
      static_cast<std::size_t>(stored_length(layout_of(impl_->lines), rest.data(), rest.data() + rest.size())));
}

Record LineDecorator::undecorate(Record decorated) const {
  if (refers()) return referred_line(decorated);
  const Record line = decorated.subspan(impl_->bytes_before_line(decorated));
  return impl_->lines.text.csv ? line.subspan(record_offset(line)) : line;
}

Record LineDecorator::restore(std::span<std::byte> decorated) const {
  if (refers()) return referred_line(decorated);
  const std::span<std::byte> line = decorated.subspan(impl_->bytes_before_line(decorated));
  return impl_->lines.text.csv ? restore_newlines(line) : Record(line);
}

Record LineDecorator::keys(Record decorated) const {
  const bool no_keys = impl_->steps.empty();
  if (refers()) {
    assert(no_keys || impl_->last_resort != LastResort::kCollation);
    return decorated.first(decorated.size() - 1 - kPlaceBytes);
  }
  return decorated.first(impl_->bytes_of_keys(decorated, no_keys ? impl_->end_marks.size() : impl_->steps.size()));
}

bool LineDecorator::equal_keys(Record a, Record b) const {
  const Record keys_of_a = keys(a);
  return b.size() >= keys_of_a.size() && std::memcmp(a.data(), b.data(), keys_of_a.size()) == 0;
}

}  // namespace sortie
