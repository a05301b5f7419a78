// What a codec finds in a sorted record: its keys, its position, and the record as it was read.
#include "record/text/record_codec.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <string_view>
#include <utility>

#include <sortie/error.hpp>

#include "record/csv/quote_scanner.hpp"
#include "record/prefixed/prefixed_line.hpp"
#include "record/prefixed/prefixed_records.hpp"
#include "record/prefixed/stuffed_record.hpp"
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

template <class Byte>
PrefixedLine<Byte> RecordCodec::prefixed_line(std::span<Byte> encoded) const {
  const std::size_t begin = bytes_before_line(encoded);
  return {encoded.first(begin - kPositionBytes - 1), encoded.subspan(begin)};
}

std::size_t RecordCodec::bytes_without_keys(Record encoded) const {
  if (refers()) return decode(encoded).size();
  switch (impl_->body) {
    case LineBody::kPrefixed:
      return prefixed_record_bytes(prefixed_line(encoded), impl_->steps[0].writer());
    case LineBody::kStuffed:
      return stuffed_record_bytes(encoded.subspan(bytes_before_line(encoded)));
    case LineBody::kInKey: {
      const Record key = encoded.first(made_key_bytes(encoded) - 1);
      return impl_->steps[0].writer().restored_bytes(key.data(), key.data() + key.size()) + 1;
    }
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

Record RecordCodec::cut_keys_off(std::span<std::byte> encoded) const {
  if (refers()) return referred_line(encoded);
  if (impl_->body == LineBody::kPrefixed) {
    return restore_prefixed_record(prefixed_line(encoded), impl_->steps[0].writer());
  }
  if (impl_->body == LineBody::kInKey) {
    std::byte* const key_end = encoded.data() + made_key_bytes(encoded) - 1;
    std::byte* const end = impl_->steps[0].writer().restore(encoded.data(), key_end, encoded.data());
    *end = static_cast<std::byte>(impl_->encoded.delimiter);
    return {encoded.data(), end + 1};
  }
  const std::span<std::byte> line = encoded.subspan(bytes_before_line(encoded));
  if (impl_->body == LineBody::kStuffed) return restore_stuffed(line);
  return impl_->body == LineBody::kOfLines ? restore_newlines(line) : Record(line);
}

Record RecordCodec::without_keys(Record encoded, std::vector<std::byte>& scratch) const {
  if (keeps_lines_whole()) return decode(encoded);
  if (impl_->body != LineBody::kInKey) {
    scratch.assign(encoded.begin(), encoded.end());
    return cut_keys_off(scratch);
  }
  if (scratch.size() < encoded.size()) scratch.resize(encoded.size());
  const std::byte* const key_end = encoded.data() + made_key_bytes(encoded) - 1;
  std::byte* const end = impl_->steps[0].writer().restore(encoded.data(), key_end, scratch.data());
  *end = static_cast<std::byte>(impl_->encoded.delimiter);
  return {scratch.data(), end + 1};
}

Record RecordCodec::keys(Record encoded) const {
  if (refers() && !collates()) return encoded.first(encoded.size() - 1 - kPositionBytes);
  if (impl_->body == LineBody::kInKey) return encoded.first(made_key_bytes(encoded));
  const bool no_keys = impl_->steps.empty();
  return encoded.first(layout_.behind_keys(encoded, no_keys ? layout_.size() : impl_->steps.size()));
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

}  // namespace sortie
