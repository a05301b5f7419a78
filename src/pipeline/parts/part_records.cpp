#include "pipeline/parts/part_records.hpp"

#include <algorithm>

#include "pipeline/scan/key_comparison.hpp"
#include "record/prefixed/prefixed_records.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

bool ends_before(const ListedRecord& record, const std::byte* end) { return record.end < end; }

bool ends_behind(const std::byte* end, const ListedRecord& record) { return end < record.end; }

}  // namespace

std::size_t PartRecords::listed_within(std::size_t bytes) const {
  const auto end = std::upper_bound(list_.begin(), list_.end(), bytes_.data() + bytes, ends_behind);
  return static_cast<std::size_t>(end - list_.begin());
}

PartRecords PartRecords::first(std::size_t bytes) const {
  if (layout_ != nullptr) return {*layout_, bytes_.first(bytes)};
  return {list_.first(listed_within(bytes)), bytes_.first(bytes)};
}

PartRecords PartRecords::behind(std::size_t bytes) const {
  if (layout_ != nullptr) return {*layout_, bytes_.subspan(bytes)};
  return {list_.subspan(listed_within(bytes)), bytes_.subspan(bytes)};
}

// For records that are walked over.
std::vector<ListedRecord> PartRecords::listed() const {
  std::vector<ListedRecord> list;
  for_each_record(*layout_, bytes_, [&](const std::byte* data, std::uint64_t bytes) {
    const Record record(data, static_cast<std::size_t>(bytes));
    list.push_back({data + record.size(), record});
  });
  return list;
}

Record PartRecords::first_keyed() const {
  return layout_ == nullptr ? list_.front().keyed : Record(bytes_.first(bytes_of_first(1)));
}

Record PartRecords::last_keyed() const {
  if (layout_ == nullptr) return list_.back().keyed;
  if (!layout_->quoted()) return last_record(*layout_, bytes_);
  Record last;
  for_each_record(
      *layout_, find_walked_records(*layout_, bytes_).back(),
      [&](const std::byte* data, std::uint64_t bytes) { last = Record(data, static_cast<std::size_t>(bytes)); });
  return last;
}

std::uint64_t PartRecords::count() const { return layout_ == nullptr ? list_.size() : count_records(*layout_, bytes_); }

RecordTotals PartRecords::totals(const Format& format, bool checksum) const {
  if (layout_ != nullptr) return totals_of(format, bytes_, checksum);
  RecordTotals totals;
  const std::byte* begin = bytes_.data();
  for (const ListedRecord& record : list_) {
    totals += totals_of_one({begin, record.end}, checksum);
    begin = record.end;
  }
  return totals;
}

std::size_t PartRecords::bytes_of_first(std::uint64_t count) const {
  if (layout_ != nullptr) return first_records(*layout_, bytes_, count);
  return end_of_listed(static_cast<std::size_t>(std::min<std::uint64_t>(count, list_.size())));
}

// Where records are walked over, only what fits is looked at: else each of many small parts would take as long as all
// of them.
std::size_t PartRecords::bytes_within(std::uint64_t most) const {
  if (bytes_.size() <= most) return bytes_.size();
  const auto room = static_cast<std::size_t>(most);
  return layout_ != nullptr ? whole_records(*layout_, bytes_.first(room)) : end_of_listed(listed_within(room));
}

std::size_t PartRecords::end_at_or_after(std::size_t position) const {
  if (layout_ != nullptr) return boundary_at_or_after(*layout_, bytes_, position);
  if (position == 0) return 0;
  return offset_of(std::lower_bound(list_.begin(), list_.end(), bytes_.data() + position, ends_before)->end);
}

// What is taken out of the frames is less than they are, so that ends stay where they are.
PartRecords FramedRecords::unframe(std::span<const std::byte> framed) {
  bytes_.clear();
  bytes_.reserve(framed.size());
  list_.clear();
  for_each_prefixed_record(framed, [&](const std::byte* data, std::uint64_t bytes) {
    const PrefixedParts parts({data, static_cast<std::size_t>(bytes)});
    const std::byte* const begin = bytes_.data() + bytes_.size();
    bytes_.insert(bytes_.end(), parts.payload.begin(), parts.payload.end());
    const Record record(begin, parts.payload.size());
    list_.push_back({begin + record.size(), parts.key.empty() ? record : parts.key});
  });
  return {list_, bytes_};
}

void append_framed(const PartRecords& records, std::vector<std::byte>& framed) {
  const std::byte* begin = records.bytes().data();
  for (const ListedRecord& listed : records.list()) {
    const Record record(begin, listed.end);
    append_prefixed_record(listed.keyed.data() == begin ? Record() : listed.keyed, record, framed);
    begin = listed.end;
  }
}

}  // namespace sortie
