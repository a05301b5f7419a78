// Whole records on their way into the parts of an output, and where each of them ends: found by their layout, or, if
// bytes do not show it, kept in a list. Records of several lines are listed, and groups, whose keys come beside them.
// PartCuts and PartKeys take records in this form.
//
//   framed   | lengths | record | lengths | record |        as RecordForm::kFramed has them
//   bytes    | record | record |
//   list             ^        ^   ends
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <sortie/format.hpp>

#include "record/layout.hpp"
#include "record/record_order.hpp"
#include "record/record_totals.hpp"

namespace sortie {

struct ListedRecord {
  const std::byte* end;  ///< behind it
  Record keyed;          ///< what its keys are made of: the record, or for a group the texts of its keys
};

class PartRecords {
 public:
  PartRecords() = default;
  /// `layout` must outlive this, and what is cut off it. So must `list`.
  PartRecords(const Layout& layout, std::span<const std::byte> bytes) : layout_(&layout), bytes_(bytes) {}
  PartRecords(std::span<const ListedRecord> list, std::span<const std::byte> bytes) : bytes_(bytes), list_(list) {}

  std::span<const std::byte> bytes() const { return bytes_; }
  std::size_t size() const { return bytes_.size(); }
  bool empty() const { return bytes_.empty(); }
  /// Precondition: listed.
  std::span<const ListedRecord> list() const { return list_; }

  /// The records in the first `bytes`, and those behind them. Precondition: a record ends there.
  PartRecords first(std::size_t bytes) const;
  PartRecords behind(std::size_t bytes) const;

  /// ListedRecord::keyed of the first record, and of the last. Precondition: not empty.
  Record first_keyed() const;
  Record last_keyed() const;

  std::uint64_t count() const;
  RecordTotals totals(const Format& format, bool checksum) const;

  /// Bytes of the first `count` records; of all if there are fewer.
  std::size_t bytes_of_first(std::uint64_t count) const;
  /// Bytes of the first records that together have at most `most` bytes.
  std::size_t bytes_within(std::uint64_t most) const;
  /// The first end of a record at or behind `position`. Precondition: position <= size().
  std::size_t end_at_or_after(std::size_t position) const;
  /// Offset of the first record for which before(keyed) is false. Precondition: those for which it is true come first.
  template <class Before>
  std::size_t partition(const Before& before) const;

 private:
  std::vector<ListedRecord> listed() const;
  std::size_t offset_of(const std::byte* end) const { return static_cast<std::size_t>(end - bytes_.data()); }
  /// How many of the list end in the first `bytes`.
  std::size_t listed_within(std::size_t bytes) const;
  std::size_t end_of_listed(std::size_t count) const { return count == 0 ? 0 : offset_of(list_[count - 1].end); }

  const Layout* layout_ = nullptr;  // null: listed
  std::span<const std::byte> bytes_;
  std::span<const ListedRecord> list_;
};

/// Takes records out of their frames.
class FramedRecords {
 public:
  /// The records in `framed`, which holds whole frames. Valid until the next call, and as long as `framed`.
  PartRecords unframe(std::span<const std::byte> framed);

 private:
  std::vector<std::byte> bytes_;
  std::vector<ListedRecord> list_;
};

/// Appends listed records in frames. Throws Error for records of 4 GiB and more.
void append_framed(const PartRecords& records, std::vector<std::byte>& framed);

template <class Before>
std::size_t PartRecords::partition(const Before& before) const {
  if (layout_ != nullptr && !layout_->walked()) return partition_records(*layout_, bytes_, before);
  const std::vector<ListedRecord> walked = layout_ == nullptr ? std::vector<ListedRecord>() : listed();
  const std::span<const ListedRecord> list = layout_ == nullptr ? list_ : walked;
  const auto end = std::ranges::partition_point(list, [&](const ListedRecord& record) { return before(record.keyed); });
  return end == list.begin() ? 0 : offset_of((end - 1)->end);
}

}  // namespace sortie
