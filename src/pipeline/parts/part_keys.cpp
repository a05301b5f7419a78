#include "pipeline/parts/part_keys.hpp"

#include <algorithm>

#include "record/prefixed/prefixed_records.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

/// Groups of equal keys are mostly short. Where one is not, the next stretch looked at is twice as long.
constexpr std::size_t kFirstStretchBytes = 1 << 10;

Format with_first_key_only(Format format) {
  format.text.keys.resize(1);
  format.text.last_resort = false;
  return format;
}

std::string hex(std::span<const std::byte> bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::byte byte : bytes) {
    text += {kDigits[std::to_integer<unsigned>(byte) >> 4], kDigits[std::to_integer<unsigned>(byte) & 15]};
  }
  return text;
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

}  // namespace

Record first_of(const Layout& layout, std::span<const std::byte> records) {
  return records.first(first_records(layout, records, 1));
}

Record last_of(const Layout& layout, std::span<const std::byte> records) {
  if (!layout.quoted() && !layout.started()) return last_record(layout, records);
  Record last;
  for_each_record(layout, find_walked_records(layout, records).back(), [&](const std::byte* data, std::uint64_t bytes) {
    last = Record(data, static_cast<std::size_t>(bytes));
  });
  return last;
}

PartKeys::PartKeys(const ShownRecords& shown, bool first_only) : shown_(shown), layout_(layout_of(shown.format)) {
  Format& format = shown_.format;
  if (first_only) format = with_first_key_only(format);
  decorator_ = first_only ? std::make_unique<const LineDecorator>(format, true) : LineDecorator::make(format, true);
  if (!decorator_) order_.emplace(plain_format(format));
  if (format.kind == RecordKind::kLines) texts_.emplace(format.text);
}

PartKeys::Key PartKeys::key_of(Record record) const {
  record = without_count(record);
  if (!decorator_) return {record.begin(), record.end()};
  DecoratedLines decorated;
  decorator_->decorate(record, 0, decorated);
  return {decorated.bytes().begin(), decorated.bytes().end()};
}

// A count has blanks in front, and one behind it.
Record PartKeys::without_count(Record record) const {
  if (!shown_.are_counted) return record;
  const auto digit = std::ranges::find_if(record, [](std::byte byte) { return byte != std::byte(' '); });
  const auto end = std::find(digit, record.end(), std::byte(' '));
  return {end + 1, record.end()};
}

bool PartKeys::repeats(Record record) const {
  const Key key = key_of(record);
  return decorator_ ? decorator_->equal_keys(taken_, key) : order_->compare(taken_, key) == 0;
}

std::size_t PartKeys::repeating_bytes(std::span<const std::byte> records) const {
  if (shown_.may_disagree) return repeating_one_by_one(records);
  std::size_t begin = 0;  // all in front of it has the key
  for (std::size_t stretch = kFirstStretchBytes; begin < records.size(); stretch *= 2) {
    const std::span<const std::byte> rest = records.subspan(begin);
    const std::size_t end = boundary_at_or_after(layout_, rest, std::min(stretch, rest.size()));
    const bool goes_on =
        end < rest.size() ? repeats(first_of(layout_, rest.subspan(end))) : repeats(last_of(layout_, rest));
    if (!goes_on) return begin + partition(rest.first(end), [this](Record record) { return repeats(record); });
    begin += end;
  }
  return begin;
}

std::size_t PartKeys::repeating_one_by_one(std::span<const std::byte> records) const {
  std::size_t at = 0;
  while (at < records.size()) {
    const Record record = first_of(layout_, records.subspan(at));
    if (!repeats(record)) break;
    at += record.size();
  }
  return at;
}

// Offset of the first record for which before() is false. Those for which it is true come first.
template <class Before>
std::size_t PartKeys::partition(std::span<const std::byte> records, const Before& before) const {
  if (!layout_.walked()) return partition_records(layout_, records, before);
  std::vector<Record> all;
  for_each_record(layout_, records, [&](const std::byte* data, std::uint64_t bytes) {
    all.emplace_back(data, static_cast<std::size_t>(bytes));
  });
  const auto end = std::ranges::partition_point(all, before);
  return end == all.end() ? records.size() : static_cast<std::size_t>(end->data() - records.data());
}

std::size_t PartKeys::begin_of_last_group(std::span<const std::byte> records) {
  if (!shown_.may_disagree) {
    take(last_of(layout_, records));
    return partition(records, [this](Record record) { return !repeats(record); });
  }
  std::size_t begin = 0;
  while (true) {
    take(first_of(layout_, records.subspan(begin)));
    const std::size_t end = begin + repeating_one_by_one(records.subspan(begin));
    if (end == records.size()) return begin;
    begin = end;
  }
}

std::vector<KeyText> PartKeys::texts(Record record) const {
  record = without_count(record);
  if (!texts_) return {{hex(field_bytes(shown_.format, record))}};
  const Record line = record.first(record.size() - 1);
  return texts_->of({reinterpret_cast<const char*>(line.data()), line.size()});
}

}  // namespace sortie
