// What a codec finds in a sorted record: its keys, how two compare by them, its position, and the record as it was
// read.
#include "record/text/record_codec.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <string_view>
#include <utility>

#include <sortie/error.hpp>

#include "record/collation/collated_text.hpp"
#include "record/csv/quote_scanner.hpp"
#include "record/prefixed/byte_stuffing.hpp"
#include "record/prefixed/prefixed_records.hpp"
#include "record/record_scan.hpp"
#include "record/text/line_reference.hpp"
#include "record/text/record_codec_impl.hpp"

namespace sortie {

RecordCodec::RecordCodec(std::shared_ptr<const Impl> impl)
    : impl_(std::move(impl)),
      makes_keys_(impl_->body != LineBody::kAll),
      order_(&*impl_->order),
      layout_(impl_->layout) {}

bool RecordCodec::may_guess() const { return !std::ranges::all_of(impl_->guess_subjects, &std::string::empty); }

const std::string& RecordCodec::guess_subject(std::size_t number) const { return impl_->guess_subjects[number]; }

const Format& RecordCodec::input_format() const { return impl_->lines; }

const Format& RecordCodec::sorted_format() const { return impl_->encoded; }

RecordCodec RecordCodec::referring_to(std::span<const std::byte> lines, std::string in_common) const {
  assert(may_refer() && lines.size() <= LineReference::kMostLinesBytes);
  RecordCodec referring(impl_);
  referring.lines_ = lines;
  // The first end mark stays: ranks are found by the marks.
  if (collates()) in_common.resize(std::min(in_common.size(), in_common.find(static_cast<char>(layout_.end_mark(0)))));
  referring.in_common_ = std::move(in_common);
  return referring;
}

bool RecordCodec::may_refer() const {
  return makes_keys_ && impl_->body != LineBody::kOfLines && impl_->body != LineBody::kInKey &&
         impl_->body != LineBody::kGroup;
}

bool RecordCodec::line_bytes_decide() const { return !impl_->has_position(); }

Record RecordCodec::referred_line(Record encoded) const {
  const LineReference reference =
      LineReference::of(load_position(encoded.data() + encoded.size() - 1 - kPositionBytes));
  const std::size_t left = lines_.size() - std::min<std::size_t>(lines_.size(), reference.offset);
  if (reference.stored_bytes > left || left == 0) throw Error("a reference to a line is damaged; is the memory sound?");
  const Record rest = lines_.subspan(reference.offset);
  if (reference.stored_bytes < LineReference::kLongLine) return rest.first(reference.stored_bytes);
  return rest.first(first_records(layout_of(impl_->lines), rest, 1));
}

// What is behind the key that is the line has one length, so that nobody need search for its end.
std::size_t RecordCodec::made_key_bytes(Record encoded) const {
  return encoded.size() - 1 - (impl_->has_position() ? kPositionBytes : 0);
}

std::size_t RecordCodec::bytes_before_line(Record encoded) const {
  return layout_.behind_keys(encoded, layout_.size()) + (impl_->has_position() ? kPositionBytes : 0);
}

Record RecordCodec::held_line(Record encoded) const {
  assert(keeps_lines_whole() || impl_->body == LineBody::kOfLines || impl_->body == LineBody::kGroup);
  const Record line = encoded.subspan(bytes_before_line(encoded));
  return impl_->body == LineBody::kOfLines ? line.subspan(record_offset(line)) : line;
}

bool RecordCodec::keeps_lines_whole() const {
  return refers() || impl_->body == LineBody::kLine || impl_->body == LineBody::kAll;
}

std::size_t RecordCodec::bytes_without_keys(Record encoded) const {
  const auto restored_bytes = [&](std::size_t key_bytes) {
    return impl_->steps[0].writer().restored_bytes(encoded.data(), encoded.data() + key_bytes);
  };
  if (refers()) return decode(encoded).size();
  switch (impl_->body) {
    case LineBody::kPrefixed:
    case LineBody::kStuffed: {
      const std::size_t begin = bytes_before_line(encoded);
      const Record stuffed = encoded.subspan(begin, encoded.size() - begin - 1);
      const bool has_key = impl_->body == LineBody::kPrefixed;
      return unstuffed_bytes(stuffed, impl_->delimiter()) +
             (has_key ? PrefixedHeader::kBytes + restored_bytes(begin - kPositionBytes - 1) : 0);
    }
    case LineBody::kInKey:
      return restored_bytes(made_key_bytes(encoded) - 1) + 1;
    case LineBody::kGroup:
      return grouped_bytes(encoded);
    default:
      return decode(encoded).size();
  }
}

std::uint64_t RecordCodec::original_bytes_of_all(std::span<const std::byte> encoded) const {
  if (!makes_keys_) return encoded.size();
  std::uint64_t bytes = 0;
  for_each_record(order_->layout(), encoded, [&](const std::byte* line, std::uint64_t stored) {
    bytes += original_bytes({line, static_cast<std::size_t>(stored)});
  });
  return bytes;
}

std::uint64_t RecordCodec::original_count_of_all(std::span<const std::byte> encoded) const {
  if (impl_->body != LineBody::kGroup) return count_records(order_->layout(), encoded);
  std::uint64_t records = 0;
  std::vector<std::byte> scratch;
  for_each_record(order_->layout(), encoded, [&](const std::byte* line, std::uint64_t stored) {
    records += size_of_group(group_state({line, static_cast<std::size_t>(stored)}, scratch)).records;
  });
  return records;
}

Record RecordCodec::cut_keys_off(std::span<std::byte> encoded) const {
  if (refers()) return referred_line(encoded);
  if (impl_->body == LineBody::kInKey) return line_in_key(encoded, encoded.data());
  const std::size_t begin = bytes_before_line(encoded);
  const std::span<std::byte> line = encoded.subspan(begin);
  if (impl_->body == LineBody::kOfLines) return restore_newlines(line);
  if (impl_->body != LineBody::kStuffed && impl_->body != LineBody::kPrefixed) return line;
  const std::span<std::byte> bytes = unstuff(line.first(line.size() - 1), impl_->delimiter());
  return impl_->body == LineBody::kStuffed ? bytes : prefixed_record(encoded.first(begin - kPositionBytes - 1), bytes);
}

// The payload stays where it is, as far as it has no long stretches. Header and key are put in front of it: their room
// is that of the place, the end mark and the first code.
Record RecordCodec::prefixed_record(std::span<std::byte> key, std::span<std::byte> payload) const {
  const std::byte* const key_end = impl_->steps[0].writer().restore(key.data(), key.data() + key.size(), key.data());
  const auto key_bytes = static_cast<std::size_t>(key_end - key.data());
  std::byte* const begin = payload.data() - key_bytes - PrefixedHeader::kBytes;
  std::memmove(begin + PrefixedHeader::kBytes, key.data(), key_bytes);
  PrefixedHeader{static_cast<std::uint32_t>(key_bytes), static_cast<std::uint32_t>(payload.size())}.store(begin);
  return {begin, PrefixedHeader::kBytes + key_bytes + payload.size()};
}

// `out` may be where the key lies.
Record RecordCodec::line_in_key(Record encoded, std::byte* out) const {
  const std::byte* const key_end = encoded.data() + made_key_bytes(encoded) - 1;
  std::byte* const end = impl_->steps[0].writer().restore(encoded.data(), key_end, out);
  *end = impl_->delimiter();
  return {out, end + 1};
}

Record RecordCodec::without_keys(Record encoded, std::vector<std::byte>& scratch) const {
  if (keeps_lines_whole()) return decode(encoded);
  if (impl_->body == LineBody::kInKey) {
    if (scratch.size() < encoded.size()) scratch.resize(encoded.size());
    return line_in_key(encoded, scratch.data());
  }
  scratch.assign(encoded.begin(), encoded.end());
  return cut_keys_off(scratch);
}

Record RecordCodec::keys(Record encoded) const {
  if (refers() && !collates()) return encoded.first(encoded.size() - 1 - kPositionBytes);
  if (impl_->body == LineBody::kInKey) return encoded.first(made_key_bytes(encoded));
  const bool all_count = impl_->steps.empty() || impl_->shuffle;
  return encoded.first(layout_.behind_keys(encoded, all_count ? layout_.size() : impl_->steps.size()));
}

std::uint64_t RecordCodec::position(Record encoded) const {
  if (refers()) return LineReference::of(load_position(encoded.data() + encoded.size() - 1 - kPositionBytes)).offset;
  if (impl_->body == LineBody::kInKey) return load_position(encoded.data() + made_key_bytes(encoded));
  return load_position(encoded.data() + layout_.behind_keys(encoded, layout_.size()));
}

std::size_t RecordCodec::bytes_alike(Record encoded) const {
  std::size_t at = 0;
  for (std::size_t key = 0; key < layout_.size(); ++key) {
    const auto mark =
        std::find(encoded.begin() + static_cast<std::ptrdiff_t>(at), encoded.end(), layout_.end_mark(key));
    if (mark == encoded.end()) return encoded.size();
    at = static_cast<std::size_t>(mark - encoded.begin()) + 1;
    if (layout_.is_collated(key)) return at;
  }
  return at;
}

// Collated keys may be equal to strcoll() while the bytes of their texts differ, and the other way round.
bool RecordCodec::compare_equal(Record a, Record b) const {
  const Record keys_of_a = keys(a);
  if (b.size() < keys_of_a.size() || std::memcmp(a.data(), b.data(), keys_of_a.size()) != 0) return false;
  return !collates() || compare_keys(a, b) == 0;
}

const LocaleHandle& RecordCodec::locale() const { return impl_->surroundings.locale.handle; }

bool RecordCodec::is_descending(std::size_t rank) const {
  const std::size_t key = layout_.collated_key(rank);
  if (key == impl_->steps.size()) return impl_->line_descending;
  return impl_->steps[key].key().descending != impl_->lines.descending;
}

std::string_view RecordCodec::collated_text(Record encoded, std::size_t rank, KeyTextScratch& scratch) const {
  if (impl_->group) {
    const std::size_t key = layout_.collated_key(rank);
    const std::string_view state = group_state(encoded, scratch.record);
    return impl_->steps[key].counting_text(key_text_of_group(state, key), scratch.field);
  }
  Record line;
  if (!keeps_lines_whole()) {
    scratch.record.assign(encoded.begin(), encoded.end());
    line = restore(scratch.record);
  } else {
    line = decode(encoded);
  }
  const std::size_t key = layout_.collated_key(rank);
  if (key == impl_->steps.size()) return text_of_line(line);
  FieldFinder::Fields fields;
  impl_->finder.find(impl_->text_of(line), fields, scratch.unquoted);
  const KeyStep& step = impl_->steps[key];
  return step.counting_text(impl_->finder.key_text(fields, step.key()), scratch.field);
}

int RecordCodec::compare_keys(Record a, Record b) const {
  std::size_t at_a = 0;
  std::size_t at_b = 0;
  std::size_t rank = 0;
  for (std::size_t key = 0; key < layout_.size(); ++key) {
    const std::size_t end_of_a = layout_.behind_key(layout_.behind_mark(a, at_a, key), key);
    const std::size_t end_of_b = layout_.behind_key(layout_.behind_mark(b, at_b, key), key);
    const int order = std::memcmp(a.data() + at_a, b.data() + at_b, std::min(end_of_a - at_a, end_of_b - at_b));
    if (order != 0) return order;
    at_a = end_of_a;
    at_b = end_of_b;
    if (!layout_.is_collated(key)) continue;
    if (load_rank(a.data() + at_a - kRankBytes) == kNoRank) {
      if (const int tie = compare_texts(a, b, rank); tie != 0) return tie;
    }
    ++rank;
  }
  return 0;
}

int RecordCodec::compare_texts(Record a, Record b, std::size_t rank) const {
  KeyTextScratch scratch_a;
  KeyTextScratch scratch_b;
  const std::string_view text_a = collated_text(a, rank, scratch_a);
  const std::string_view text_b = collated_text(b, rank, scratch_b);
  const int order = compare_collated(locale(), text_a, text_b);
  return is_descending(rank) ? -order : order;
}

}  // namespace sortie
