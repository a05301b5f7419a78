// What a codec finds in a sorted record: its keys, its place, and the record as it was read.
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

const Format& RecordCodec::sorted_format() const { return impl_->decorated; }

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

bool RecordCodec::line_bytes_decide() const { return !impl_->has_place(); }

Record RecordCodec::referred_line(Record decorated) const {
  const LineReference reference = LineReference::of(load_place(decorated.data() + decorated.size() - 1 - kPlaceBytes));
  const std::size_t left = lines_.size() - std::min<std::size_t>(lines_.size(), reference.offset);
  if (reference.stored_bytes > left || left == 0) throw Error("a reference to a line is damaged; is the memory sound?");
  const Record rest = lines_.subspan(reference.offset);
  if (reference.stored_bytes < LineReference::kLongLine) return rest.first(reference.stored_bytes);
  return rest.first(first_records(layout_of(impl_->lines), rest, 1));
}

// What is behind the key that is the line has one length, so that nobody need search for its end.
std::size_t RecordCodec::made_key_bytes(Record decorated) const {
  return decorated.size() - 1 - (impl_->has_place() ? kPlaceBytes : 0);
}

std::size_t RecordCodec::bytes_before_line(Record decorated) const {
  return layout_.behind_keys(decorated, layout_.size()) + (impl_->has_place() ? kPlaceBytes : 0);
}

Record RecordCodec::held_line(Record decorated) const {
  assert(keeps_lines_whole() || impl_->body == LineBody::kOfLines || impl_->body == LineBody::kGroup);
  const Record line = decorated.subspan(bytes_before_line(decorated));
  return impl_->body == LineBody::kOfLines ? line.subspan(record_offset(line)) : line;
}

bool RecordCodec::keeps_lines_whole() const {
  return refers() || impl_->body == LineBody::kLine || impl_->body == LineBody::kAll;
}

template <class Byte>
PrefixedLine<Byte> RecordCodec::prefixed_line(std::span<Byte> decorated) const {
  const std::size_t begin = bytes_before_line(decorated);
  return {decorated.first(begin - kPlaceBytes - 1), decorated.subspan(begin)};
}

std::size_t RecordCodec::bytes_without_keys(Record decorated) const {
  if (refers()) return undecorate(decorated).size();
  switch (impl_->body) {
    case LineBody::kPrefixed:
      return prefixed_record_bytes(prefixed_line(decorated), impl_->steps[0].writer());
    case LineBody::kStuffed:
      return stuffed_record_bytes(decorated.subspan(bytes_before_line(decorated)));
    case LineBody::kInKey: {
      const Record key = decorated.first(made_key_bytes(decorated) - 1);
      return impl_->steps[0].writer().restored_bytes(key.data(), key.data() + key.size()) + 1;
    }
    case LineBody::kGroup:
      return grouped_bytes(decorated);
    default:
      return undecorate(decorated).size();
  }
}

std::uint64_t RecordCodec::original_bytes_of_all(std::span<const std::byte> decorated) const {
  if (!makes_keys_) return decorated.size();
  std::uint64_t bytes = 0;
  for_each_record(order_->layout(), decorated, [&](const std::byte* line, std::uint64_t stored) {
    bytes += original_bytes({line, static_cast<std::size_t>(stored)});
  });
  return bytes;
}

Record RecordCodec::cut_keys_off(std::span<std::byte> decorated) const {
  if (refers()) return referred_line(decorated);
  if (impl_->body == LineBody::kPrefixed) {
    return restore_prefixed_record(prefixed_line(decorated), impl_->steps[0].writer());
  }
  if (impl_->body == LineBody::kInKey) {
    std::byte* const key_end = decorated.data() + made_key_bytes(decorated) - 1;
    std::byte* const end = impl_->steps[0].writer().restore(decorated.data(), key_end, decorated.data());
    *end = static_cast<std::byte>(impl_->decorated.delimiter);
    return {decorated.data(), end + 1};
  }
  const std::span<std::byte> line = decorated.subspan(bytes_before_line(decorated));
  if (impl_->body == LineBody::kStuffed) return restore_stuffed(line);
  return impl_->body == LineBody::kOfLines ? restore_newlines(line) : Record(line);
}

Record RecordCodec::without_keys(Record decorated, std::vector<std::byte>& scratch) const {
  if (keeps_lines_whole()) return undecorate(decorated);
  if (impl_->body != LineBody::kInKey) {
    scratch.assign(decorated.begin(), decorated.end());
    return cut_keys_off(scratch);
  }
  if (scratch.size() < decorated.size()) scratch.resize(decorated.size());
  const std::byte* const key_end = decorated.data() + made_key_bytes(decorated) - 1;
  std::byte* const end = impl_->steps[0].writer().restore(decorated.data(), key_end, scratch.data());
  *end = static_cast<std::byte>(impl_->decorated.delimiter);
  return {scratch.data(), end + 1};
}

Record RecordCodec::keys(Record decorated) const {
  if (refers() && !collates()) return decorated.first(decorated.size() - 1 - kPlaceBytes);
  if (impl_->body == LineBody::kInKey) return decorated.first(made_key_bytes(decorated));
  const bool no_keys = impl_->steps.empty();
  return decorated.first(layout_.behind_keys(decorated, no_keys ? layout_.size() : impl_->steps.size()));
}

std::uint64_t RecordCodec::place(Record decorated) const {
  if (refers()) return LineReference::of(load_place(decorated.data() + decorated.size() - 1 - kPlaceBytes)).offset;
  if (impl_->body == LineBody::kInKey) return load_place(decorated.data() + made_key_bytes(decorated));
  return load_place(decorated.data() + layout_.behind_keys(decorated, layout_.size()));
}

std::size_t RecordCodec::bytes_alike(Record decorated) const {
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
bool RecordCodec::compare_equal(Record a, Record b) const {
  const Record keys_of_a = keys(a);
  if (b.size() < keys_of_a.size() || std::memcmp(a.data(), b.data(), keys_of_a.size()) != 0) return false;
  return !collates() || compare_keys(a, b) == 0;
}

}  // namespace sortie
