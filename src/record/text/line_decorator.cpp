#include "record/text/line_decorator.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <sortie/error.hpp>

#include "record/collation/collated_text.hpp"
#include "record/csv/inner_newlines.hpp"
#include "record/text/field_finder.hpp"
#include "record/text/key_step.hpp"
#include "record/text/line_reference.hpp"
#include "record/text/tie_rank.hpp"

namespace sortie {
namespace {

/// In front of keys whose first bytes are those that most have in common, and left out; or less or greater than those.
constexpr std::byte kBelowCommon{'a'};
constexpr std::byte kBeginsInCommon{'b'};
constexpr std::byte kAboveCommon{'c'};

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
  Impl(const Format& format, TextLocale locale, bool unique);

  void append_keys(Record line, DecoratedLines& out) const;
  void append_keys_around_place(Record line, std::uint64_t place, DecoratedLines& out) const;
  bool has_place() const { return last_resort != LastResort::kBytes; }

  Format lines;
  std::optional<FirstLevel> first_level;
  KeySurroundings surroundings;
  LastResort last_resort;
  Format decorated;
  FieldFinder finder;
  std::vector<KeyStep> steps;
  std::optional<KeyWriter> line_writer;  // of the collated key of the whole line
  bool line_descending;
  KeyLayout layout;
};

LineDecorator::Impl::Impl(const Format& format, TextLocale locale, bool unique)
    : lines(format),
      surroundings{
          .locale = std::move(locale), .random_seed = format.text.random_seed, .delimiter = format.delimiter},
      last_resort(last_resort_of(format.text, surroundings.locale.collates, unique)),
      finder(format.text, surroundings.locale),
      line_descending(is_descending_line(format)) {
  if (surroundings.locale.collates) surroundings.first_level = &first_level.emplace(surroundings.locale.handle);
  decorated.delimiter = format.delimiter;
  decorated.descending = last_resort == LastResort::kBytes && line_descending;
  for (const TextKey& key : format.text.keys) {
    const bool descending = key.descending != format.descending;
    steps.emplace_back(key, surroundings, descending != decorated.descending);
    layout.add(steps.back().end_mark(), steps.back().is_collated());
  }
  if (last_resort == LastResort::kCollation) {
    line_writer.emplace(format.delimiter, line_descending, nullptr);
    layout.add(line_writer->end_mark(), true);
  }
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
  if (line_writer) write_collated_key(*first_level, *line_writer, text, out);
}

// The place stands behind the first rank.
void LineDecorator::Impl::append_keys_around_place(Record line, std::uint64_t place, DecoratedLines& out) const {
  const std::size_t begin = out.size();
  append_keys(line, out);
  std::byte* const end = out.room(kPlaceBytes);
  std::byte* const keys = end - (out.size() - begin);
  const Record written(keys, end);
  std::byte* const behind_rank = keys + layout.rank_offset(written, 0) + kRankBytes;
  std::memmove(behind_rank + kPlaceBytes, behind_rank, static_cast<std::size_t>(end - behind_rank));
  store_place(place, behind_rank);
  out.extend_to(end + kPlaceBytes);
}

Format plain_format(const Format& format) {
  Format plain = format;
  const std::vector<TextKey>& keys = format.text.keys;
  plain.descending = keys.empty() ? is_descending_line(format) : keys[0].descending != format.descending;
  plain.text = {};
  return plain;
}

std::unique_ptr<const LineDecorator> LineDecorator::make(const Format& format, bool unique) {
  validate(format);
  if (format.kind != RecordKind::kLines) return nullptr;
  TextLocale locale = format.text.locale ? current_text_locale() : c_text_locale();
  const std::vector<TextKey>& keys = format.text.keys;
  const bool by_bytes = !locale.collates && (keys.empty() || is_whole_line(keys[0]));
  if (by_bytes && !format.text.csv) return nullptr;
  auto impl = std::make_shared<const Impl>(with_keys(format), std::move(locale), unique);
  KeyLayout layout = impl->layout;
  return std::unique_ptr<const LineDecorator>(new LineDecorator(std::move(impl), std::move(layout)));
}

LineDecorator::LineDecorator(std::shared_ptr<const Impl> impl, KeyLayout layout)
    : impl_(std::move(impl)), layout_(std::move(layout)) {}

const Format& LineDecorator::line_format() const { return impl_->lines; }

const Format& LineDecorator::decorated_format() const { return impl_->decorated; }

LineDecorator LineDecorator::referring_to(std::span<const std::byte> lines, std::string in_common) const {
  assert(!impl_->lines.text.csv && lines.size() <= LineReference::kMostLinesBytes);
  LineDecorator referring(impl_, layout_);
  referring.lines_ = lines;
  // The first end mark stays: ranks are found by the marks.
  if (collates()) in_common.resize(std::min(in_common.size(), in_common.find(static_cast<char>(layout_.first_end_mark()))));
  referring.in_common_ = std::move(in_common);
  return referring;
}

LineDecorator LineDecorator::keeping_order() const {
  assert(!refers());
  return {impl_, layout_.goes_on_behind_rank() ? layout_.with_early_place() : layout_};
}

bool LineDecorator::line_bytes_decide() const { return !impl_->has_place(); }

void LineDecorator::decorate(Record line, std::uint64_t place, DecoratedLines& out) const {
  if (refers()) return append_reference(line, place, out);
  if (layout_.has_early_place()) {
    impl_->append_keys_around_place(line, place, out);
  } else {
    impl_->append_keys(line, out);
  }
  std::byte* at = out.room(kPlaceBytes + line_room(line.size()));
  if (impl_->has_place() && !layout_.has_early_place()) {
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

std::size_t LineDecorator::bytes_before_line(Record decorated) const {
  const bool place_follows = impl_->has_place() && !layout_.has_early_place();
  return layout_.behind_keys(decorated, layout_.size()) + (place_follows ? kPlaceBytes : 0);
}

Record LineDecorator::undecorate(Record decorated) const {
  if (refers()) return referred_line(decorated);
  const Record line = decorated.subspan(bytes_before_line(decorated));
  return impl_->lines.text.csv ? line.subspan(record_offset(line)) : line;
}

Record LineDecorator::restore(std::span<std::byte> decorated) const {
  if (refers()) return referred_line(decorated);
  const std::span<std::byte> line = decorated.subspan(bytes_before_line(decorated));
  return impl_->lines.text.csv ? restore_newlines(line) : Record(line);
}

Record LineDecorator::keys(Record decorated) const {
  if (refers() && !collates()) return decorated.first(decorated.size() - 1 - kPlaceBytes);
  const bool no_keys = impl_->steps.empty();
  return decorated.first(layout_.behind_keys(decorated, no_keys ? layout_.size() : impl_->steps.size()));
}

// Collated keys may be equal to strcoll() while the bytes of their texts differ, and the other way round.
bool LineDecorator::equal_keys(Record a, Record b) const {
  const Record keys_of_a = keys(a);
  if (b.size() < keys_of_a.size() || std::memcmp(a.data(), b.data(), keys_of_a.size()) != 0) return false;
  return !collates() || compare_keys(a, b) == 0;
}

const LocaleHandle& LineDecorator::locale() const { return impl_->surroundings.locale.handle; }

bool LineDecorator::is_descending(std::size_t rank) const {
  const std::size_t key = layout_.collated_key(rank);
  if (key == impl_->steps.size()) return impl_->line_descending;
  return impl_->steps[key].key().descending != impl_->lines.descending;
}

std::string_view LineDecorator::collated_text(Record decorated, std::size_t rank, KeyTextScratch& scratch) const {
  Record line;
  if (impl_->lines.text.csv) {
    scratch.record.assign(decorated.begin(), decorated.end());
    line = restore(scratch.record);
  } else {
    line = undecorate(decorated);
  }
  const std::size_t key = layout_.collated_key(rank);
  if (key == impl_->steps.size()) return text_of(line);
  FieldFinder::Fields fields;
  impl_->finder.find(text_of(line), fields, scratch.unquoted);
  const KeyStep& step = impl_->steps[key];
  return step.counting_text(impl_->finder.key_text(fields, step.key()), scratch.field);
}

int LineDecorator::compare_keys(Record a, Record b) const {
  std::size_t at_a = 0;
  std::size_t at_b = 0;
  std::size_t rank = 0;
  for (std::size_t key = 0; key < layout_.size(); ++key) {
    const std::size_t end_of_a = layout_.behind_mark(a, at_a, key) + (layout_.is_collated(key) ? kRankBytes : 0);
    const std::size_t end_of_b = layout_.behind_mark(b, at_b, key) + (layout_.is_collated(key) ? kRankBytes : 0);
    const int order =
        std::memcmp(a.data() + at_a, b.data() + at_b, std::min(end_of_a - at_a, end_of_b - at_b));
    if (order != 0) return order;
    at_a = end_of_a;
    at_b = end_of_b;
    if (!layout_.is_collated(key)) continue;
    if (load_rank(a.data() + at_a - kRankBytes) == kNoRank) {
      if (const int tie = compare_texts(a, b, rank); tie != 0) return tie;
    }
    ++rank;
    at_a = layout_.behind_key(at_a - kRankBytes, key);
    at_b = layout_.behind_key(at_b - kRankBytes, key);
  }
  return 0;
}

int LineDecorator::compare_texts(Record a, Record b, std::size_t rank) const {
  KeyTextScratch scratch_a;
  KeyTextScratch scratch_b;
  const std::string_view text_a = collated_text(a, rank, scratch_a);
  const std::string_view text_b = collated_text(b, rank, scratch_b);
  const int order = compare_collated(locale(), text_a, text_b);
  return is_descending(rank) ? -order : order;
}

LineDecorator LineDecorator::settled() const {
  LineDecorator settled = *this;
  settled.layout_ = impl_->layout;
  return settled;
}

void LineDecorator::settle(std::span<std::byte> decorated) const {
  const auto place = static_cast<std::ptrdiff_t>(layout_.rank_offset(decorated, 0) + kRankBytes);
  const auto end = static_cast<std::ptrdiff_t>(layout_.behind_keys(decorated, layout_.size()));
  const auto begin = decorated.begin();
  std::rotate(begin + place, begin + place + static_cast<std::ptrdiff_t>(kPlaceBytes), begin + end);
}

}  // namespace sortie
