// Portions of records where they lie in the mapped input.
#include <algorithm>

#include "base/bytes.hpp"
#include "pipeline/input/order_sample.hpp"
#include "pipeline/input/record_reader.hpp"
#include "record/record_scan.hpp"

namespace sortie {

RecordReader::Portion RecordReader::next_in_place(std::size_t wanted) {
  if (at_end()) return {};
  const std::size_t begin = given_bytes_;
  given_bytes_ += next_bytes_in_place(wanted);
  return {Status::kRecords, in_place_.subspan(begin, given_bytes_ - begin), begin};
}

std::size_t RecordReader::next_bytes_in_place(std::size_t wanted) {
  const std::span<const std::byte> rest = in_place_.subspan(given_bytes_);
  if (!layout_.walked()) return boundary_at_or_after(layout_, rest, std::min(rest.size(), wanted));
  std::size_t bytes = walked_[next_walked_++].size();
  while (next_walked_ < walked_.size() && bytes + walked_[next_walked_].size() <= wanted) {
    bytes += walked_[next_walked_++].size();
  }
  return bytes;
}

LinePosition RecordReader::position_of(const std::byte* record) const {
  const std::span<const std::byte> all = is_in_place() ? in_place_ : memory_.bytes();
  const std::span<const std::byte> before = all.first(static_cast<std::size_t>(record - all.data()));
  return is_in_place() ? inputs_.position_of_line(count_records(layout_, before) + 1) : position_behind(before);
}

bool RecordReader::map_in_place() {
  const auto bytes = static_cast<std::size_t>(*inputs_.size_of_only());
  const auto span = observer_.span("read", bytes);
  MemoryRegion memory(bytes + kPageBytes);
  InputSequence::Mapped mapped = inputs_.map_only(memory.bytes(), [](std::span<const std::byte>) {});
  if (!mapped.mapping) return false;
  memory_ = std::move(memory);
  mapping_ = std::move(mapped.mapping);
  in_place_ = memory_.bytes().first(mapped.bytes);
  if (!layout_.walked()) return true;
  walked_ = find_walked_records(layout_, in_place_);
  inputs_.check_mapped_end(in_place_, bytes_of(walked_));
  return true;
}

void RecordReader::count_keyed(const RecordTotals& totals) {
  if (!is_in_place()) return count({0, 0, totals.checksum});
  count(totals);
  observer_.advance(totals.bytes);
}

void RecordReader::check_in_place() const {
  if (mapping_) mapping_->check();
}

void RecordReader::give_up_mapping() {
  mapping_->discard();
  inputs_.rewind();
  mapping_.reset();
  memory_ = MemoryRegion();
  in_place_ = {};
  walked_.clear();
}

std::vector<std::byte> RecordReader::sample_in_place() const {
  return sample_all_over(in_place_.size(), [this](std::uint64_t offset, std::size_t bytes) {
    if (layout_.walked()) return walked_at(offset, bytes);
    return whole_lines_in(layout_, in_place_.subspan(static_cast<std::size_t>(offset), bytes), offset == 0);
  });
}

// The records in `bytes` from the first that begins at `offset` or behind it. Precondition: there is a byte at
// `offset`.
std::span<const std::byte> RecordReader::walked_at(std::uint64_t offset, std::size_t bytes) const {
  const std::byte* const at = in_place_.data() + offset;
  const auto range =
      std::ranges::partition_point(walked_, [&](const auto& before) { return before.data() + before.size() <= at; });
  const std::size_t begin = boundary_at_or_after(layout_, *range, static_cast<std::size_t>(at - range->data()));
  const std::span<const std::byte> rest =
      in_place_.last(static_cast<std::size_t>(in_place_.data() + in_place_.size() - range->data()) - begin);
  const std::span<const std::byte> position = rest.first(std::min(rest.size(), bytes));
  return position.first(whole_records(layout_, position));
}

}  // namespace sortie
