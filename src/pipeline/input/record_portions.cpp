#include "pipeline/input/mapped_lines.hpp"

#include <algorithm>
#include <utility>

#include "base/bytes.hpp"
#include "pipeline/input/order_sample.hpp"
#include "record/record_scan.hpp"

namespace sortie {

std::unique_ptr<MappedLines> MappedLines::make(InputSequence& inputs, const Format& format, bool checksum,
                                               Observer& observer) {
  const auto bytes = static_cast<std::size_t>(*inputs.size_of_only());
  const auto span = observer.span("read", bytes);
  MemoryRegion memory(bytes + kPageBytes);
  InputSequence::Mapped mapped = inputs.map_only(memory.bytes(), [](std::span<const std::byte>) {});
  if (!mapped.mapping) return nullptr;
  return std::unique_ptr<MappedLines>(
      new MappedLines(inputs, format, checksum, observer, std::move(memory), std::move(mapped)));
}

MappedLines::MappedLines(InputSequence& inputs, const Format& format, bool checksum, Observer& observer,
                         MemoryRegion memory, InputSequence::Mapped mapped)
    : inputs_(inputs),
      format_(format),
      layout_(layout_of(format)),
      checksum_(checksum),
      observer_(observer),
      memory_(std::move(memory)),
      mapping_(std::move(mapped.mapping)),
      lines_(memory_.bytes().first(mapped.bytes)) {
  if (!layout_.walked()) return;
  walked_ = find_walked_records(layout_, lines_);
  inputs_.check_mapped_end(lines_, bytes_of(walked_));
}

UndecoratedLines::Portion MappedLines::next(std::size_t batch_bytes, std::size_t) {
  if (at_end()) return {};
  const std::span<const std::byte> lines = lines_.subspan(given_bytes_, next_bytes(batch_bytes));
  given_bytes_ += lines.size();
  return {PieceSource::Status::kRecords, lines};
}

std::size_t MappedLines::next_bytes(std::size_t batch_bytes) {
  const std::span<const std::byte> rest = lines_.subspan(given_bytes_);
  if (!layout_.walked()) return boundary_at_or_after(layout_, rest, std::min(rest.size(), batch_bytes));
  std::size_t bytes = walked_[next_walked_++].size();
  while (next_walked_ < walked_.size() && bytes + walked_[next_walked_].size() <= batch_bytes) {
    bytes += walked_[next_walked_++].size();
  }
  return bytes;
}

LinePlace MappedLines::place_of(const std::byte* line) const {
  const std::uint64_t before = count_records(layout_, lines_.first(static_cast<std::size_t>(line - lines_.data())));
  return inputs_.place_of_line(before + 1);
}

void MappedLines::count(const RecordTotals& lines) {
  totals_ += lines;
  observer_.advance(lines.bytes);
}

RecordTotals MappedLines::totals_of(std::span<const std::byte> lines) const {
  return sortie::totals_of(format_, lines, checksum_);
}

void MappedLines::undo() {
  mapping_->discard();
  inputs_.rewind();
}

std::vector<std::byte> MappedLines::sample() const {
  return sample_all_over(lines_.size(), [this](std::uint64_t offset, std::size_t bytes) {
    if (layout_.walked()) return walked_at(offset, bytes);
    return whole_lines_in(layout_, lines_.subspan(static_cast<std::size_t>(offset), bytes), offset == 0);
  });
}

// The records in `bytes` from the first that begins at `offset` or behind it. Precondition: there is a byte at
// `offset`.
std::span<const std::byte> MappedLines::walked_at(std::uint64_t offset, std::size_t bytes) const {
  const std::byte* const at = lines_.data() + offset;
  const auto range =
      std::ranges::partition_point(walked_, [&](const auto& before) { return before.data() + before.size() <= at; });
  const std::size_t begin = boundary_at_or_after(layout_, *range, static_cast<std::size_t>(at - range->data()));
  const std::span<const std::byte> rest =
      lines_.last(static_cast<std::size_t>(lines_.data() + lines_.size() - range->data()) - begin);
  const std::span<const std::byte> place = rest.first(std::min(rest.size(), bytes));
  return place.first(whole_records(layout_, place));
}

}  // namespace sortie
