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
  const std::size_t places = sample_places(lines_.size());
  if (lines_.size() <= places * kSampledBytes) return {lines_.begin(), lines_.end()};
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < places; ++i) {
    const std::span<const std::byte> place =
        layout_.walked() ? first_page_of(walked_[walked_.size() * i / places])
                         : whole_lines_in(layout_, lines_.subspan(lines_.size() / places * i, kSampledBytes), i == 0);
    bytes.insert(bytes.end(), place.begin(), place.end());
  }
  return bytes;
}

std::span<const std::byte> MappedLines::first_page_of(std::span<const std::byte> range) const {
  return range.first(whole_records(layout_, range.first(std::min<std::size_t>(range.size(), kPageBytes))));
}

}  // namespace sortie
