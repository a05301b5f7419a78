// Holds decorated lines until they are taken. Lines are decorated in ranges, each by one thread into memory of its own,
// because their decorated length is not known beforehand. Filled and emptied by KeyedReader.
//
//   lines        | range 0  | range 1  | range 2  |
//   decorated    | range 0      |   | range 1    |   | range 2       |        waiting
//   taken        | range 0      | range 1    | begin of range 2 |
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "pipeline/input/line_batch.hpp"
#include "record/layout.hpp"
#include "record/record_totals.hpp"
#include "record/text/decorated_lines.hpp"
#include "record/text/group_table.hpp"
#include "record/text/record_codec.hpp"

namespace sortie {

class DecoratedBatch final : public LineBatch {
 public:
  /// `combines_groups`: lines with equal keys that are near one another become one (GroupTable). Then positions in the
  /// input are known between batches alone.
  DecoratedBatch(const RecordCodec& codec, bool checksum, bool combines_groups)
      : LineBatch(codec, checksum), combines_groups_(combines_groups) {}

  bool empty() const override { return next_ == range_count_; }
  std::uint64_t waiting_line_bytes() const override;
  std::uint64_t held_bytes() const override;
  void give_back() override;
  RecordTotals decorate(std::span<const std::byte> lines, std::uint64_t first_place, bool is_last) override;
  Size take(std::span<std::byte> target, std::uint64_t max_records) override;

 private:
  struct Range {
    DecoratedLines decorated;
    std::size_t begin = 0;  // offset of the first waiting line
    Size waiting;
    std::unique_ptr<GroupTable> groups;  // where groups are combined
    int ranges_to_skip = 0;              // which are likely to have few lines with equal keys
  };

  RecordTotals decorate_range(Range& range, std::span<const std::byte> lines, std::uint64_t first_place) const;
  Size fitting(const Range& range, std::size_t room, std::uint64_t max_records) const;

  bool combines_groups_;
  std::vector<Range> ranges_;  // never shrinks, so that memory is reused
  std::size_t range_count_ = 0;
  std::size_t next_ = 0;  // the first range with waiting lines
};

}  // namespace sortie
