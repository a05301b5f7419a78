#include "pipeline/parts/part_keys.hpp"

#include <algorithm>

#include <sortie/grouping.hpp>

#include "base/hex_digits.hpp"
#include "record/prefixed/prefixed_records.hpp"

namespace sortie {
namespace {

/// Groups of equal keys are mostly short. Where one is not, the next stretch looked at is twice as long.
constexpr std::size_t kFirstStretchBytes = 1 << 10;

/// With the keys that tell groups apart, and nothing behind them.
Format with_keys_alone(Format format, bool first_only) {
  format.text.last_resort = false;
  if (!first_only) return format;
  format.shuffle = false;
  format.text.keys.resize(1);
  return format;
}

/// The bytes of the fields of a record that is no line, or all of it.
std::vector<std::byte> field_bytes(const Format& format, Record record) {
  if (format.kind == RecordKind::kPrefixed) {
    const Record key = PrefixedParts(record).key;
    return {key.begin(), key.end()};
  }
  if (format.fields.empty()) return {record.begin(), record.end()};
  std::vector<std::byte> bytes;
  for (const Field& field : format.fields) {
    const Record part = record.subspan(static_cast<std::size_t>(field.offset), static_cast<std::size_t>(field.length));
    bytes.insert(bytes.end(), part.begin(), part.end());
  }
  return bytes;
}

/// Makes no keys if records are their keys. Comments, which have none, are one group, as those of a sort that is not
/// unique are.
RecordCodec codec_for(const ShownRecords& shown, bool first_only) {
  const Format format = with_keys_alone(shown.format, first_only);
  const Grouping no_aggregates;
  if (shown.are_groups) return {format, true, &no_aggregates};
  return first_only ? RecordCodec(format, false) : RecordCodec::make(format, false);
}

}  // namespace

PartKeys::PartKeys(const ShownRecords& shown, bool first_only) : shown_(shown), codec_(codec_for(shown, first_only)) {
  if (shown_.format.kind == RecordKind::kLines) texts_.emplace(shown_.format.text);
}

PartKeys::Key PartKeys::key_of(Record keyed) const {
  if (!codec_.makes_keys()) return {keyed.begin(), keyed.end()};
  EncodedLines encoded;
  if (shown_.are_groups) {
    codec_.encode_group(as_text(keyed), encoded);
  } else {
    codec_.encode(without_count(keyed), 0, encoded);
  }
  return {encoded.bytes().begin(), encoded.bytes().end()};
}

// A count has blanks in front, and one behind it.
Record PartKeys::without_count(Record record) const {
  if (!shown_.are_counted) return record;
  const auto digit = std::ranges::find_if(record, [](std::byte byte) { return byte != std::byte(' '); });
  const auto end = std::find(digit, record.end(), std::byte(' '));
  return {end + 1, record.end()};
}

bool PartKeys::repeats(Record keyed) const { return codec_.equal_keys(taken_, key_of(keyed)); }

std::size_t PartKeys::repeating_bytes(const PartRecords& records) const {
  if (shown_.may_disagree) return repeating_one_by_one(records);
  std::size_t begin = 0;  // all in front of it has the key
  for (std::size_t stretch = kFirstStretchBytes; begin < records.size(); stretch *= 2) {
    const PartRecords rest = records.behind(begin);
    const std::size_t end = rest.end_at_or_after(std::min(stretch, rest.size()));
    const bool goes_on = repeats(end < rest.size() ? rest.behind(end).first_keyed() : rest.last_keyed());
    if (!goes_on) return begin + rest.first(end).partition([this](Record keyed) { return repeats(keyed); });
    begin += end;
  }
  return begin;
}

std::size_t PartKeys::repeating_one_by_one(const PartRecords& records) const {
  std::size_t at = 0;
  for (PartRecords rest = records; !rest.empty() && repeats(rest.first_keyed());) {
    const std::size_t bytes = rest.bytes_of_first(1);
    at += bytes;
    rest = rest.behind(bytes);
  }
  return at;
}

std::size_t PartKeys::begin_of_last_group(const PartRecords& records) {
  if (!shown_.may_disagree) {
    take(records.last_keyed());
    return records.partition([this](Record keyed) { return !repeats(keyed); });
  }
  std::size_t begin = 0;
  while (true) {
    take(records.behind(begin).first_keyed());
    const std::size_t end = begin + repeating_one_by_one(records.behind(begin));
    if (end == records.size()) return begin;
    begin = end;
  }
}

std::vector<KeyText> PartKeys::texts(Record keyed) const {
  if (shown_.are_groups) return texts_->of_group(as_text(keyed));
  const Record record = without_count(keyed);
  if (!texts_) return {{hex_digits(field_bytes(shown_.format, record))}};
  return texts_->of(as_text(record.first(record.size() - 1)));
}

}  // namespace sortie
