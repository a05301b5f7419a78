// The part of the record reader that hands out records in place: in the mapped pages of the only input.
#include <algorithm>

#include "base/page_size.hpp"
#include "pipeline/input/record_reader.hpp"

namespace sortie {
namespace {

/// Larger inputs are not mapped: reading over one might take longer than the 45 seconds after which the system takes a
/// lease away, once somebody has asked to write.
constexpr std::uint64_t kMostMappedBytes = std::uint64_t{16} << 30;
constexpr std::size_t kSampleBytes = 256 << 10;
/// Number of places at which a mapped input is sampled, because its lines may differ from one end to the other.
constexpr std::size_t kSampledPlaces = 32;

}  // namespace

// Whether mapping is worth trying: there is one input of suitable size, and nothing of it has been read.
bool RecordReader::can_be_mapped() const {
  if (!may_map_ || current_ != 0 || input_bytes_read_ != 0 || !carry_.empty() || !ahead_.empty()) return false;
  const auto bytes = inputs_.size() == 1 ? inputs_[0]->size() : std::nullopt;
  return bytes && *bytes >= std::max<std::uint64_t>(least_mapped_bytes_, 1) && *bytes <= kMostMappedBytes;
}

std::span<const std::byte> RecordReader::map_lines() {
  if (!can_be_mapped()) return {};
  const auto bytes = static_cast<std::size_t>(*inputs_[0]->size());
  const auto span = observer_.span("read", bytes);
  mapped_ = MemoryRegion(bytes + kPageBytes);
  if (!inputs_[0]->map_slices(mapped_.bytes(), [](std::span<const std::byte>) {})) {
    mapped_ = MemoryRegion();
    return {};
  }
  mapped_lines_ = mapped_.bytes().first(finish_input(mapped_.bytes(), 0, input_bytes_read_ = bytes));
  return mapped_lines_;
}

std::span<const std::byte> RecordReader::next_mapped(std::size_t bytes) {
  tend();
  std::span<const std::byte> lines = mapped_lines_.subspan(mapped_taken_);
  lines = lines.first(boundary_at_or_after(layout_, lines, std::min(lines.size(), bytes)));
  const auto span = observer_.span("checksum input", lines.size());
  totals_ += totals_of(format_, lines, checksum_);
  mapped_taken_ += lines.size();
  observer_.advance(lines.size());
  return lines;
}

void RecordReader::unmap() {
  inputs_[0]->unmap();
  mapped_ = MemoryRegion();
  mapped_lines_ = {};
  current_ = 0;
  input_ends_.clear();
}

PieceSource::WholeInput RecordReader::whole_input() const {
  if (!can_be_mapped()) return {};
  const std::uint64_t bytes = *inputs_[0]->size();
  // A line longer than the sample counts as one record of the sample's length. Lines elsewhere may be shorter by a
  // third.
  const std::vector<std::byte> records = sample(kSampleBytes);
  const std::uint64_t sampled = records.empty() ? 1 : count_records(layout_, records);
  const std::uint64_t sampled_bytes = records.empty() ? kSampleBytes : records.size();
  return {bytes + kPageBytes, sampled * (bytes / sampled_bytes + 1) * 3 / 2};
}

RecordReader::Piece RecordReader::read_whole(std::span<std::byte> target, std::uint64_t max_records) {
  piece_totals_.start(target.data());
  auto span = observer_.span("read");
  if (!inputs_[0]->map_slices(target, slice_counter())) return {Status::kTooSmall};
  const auto bytes = static_cast<std::size_t>(*inputs_[0]->size());
  span.set_bytes(bytes);
  const std::size_t whole = whole_records(layout_, target.first(finish_input(target, 0, input_bytes_read_ = bytes)));
  const RecordTotals totals = piece_totals_.finish(whole);
  if (totals.records > max_records) {
    unmap();
    return {Status::kTooSmall};
  }
  observer_.advance(bytes);
  totals_ += totals;
  return {Status::kRecords, whole, totals.records, whole};
}

// Whole lines from every sampled place, or none from a place that is too small for a line.
std::vector<std::byte> RecordReader::sample_mapped(std::size_t most_bytes) const {
  const std::size_t place_bytes = std::max<std::size_t>(1, most_bytes / kSampledPlaces);
  std::vector<std::byte> bytes;
  if (mapped_lines_.size() <= most_bytes) bytes.assign(mapped_lines_.begin(), mapped_lines_.end());
  for (std::size_t i = 0; i < kSampledPlaces && mapped_lines_.size() > most_bytes; ++i) {
    std::span<const std::byte> place = mapped_lines_.subspan(mapped_lines_.size() / kSampledPlaces * i, place_bytes);
    place = place.first(whole_records(layout_, place));
    if (i > 0) place = place.subspan(boundary_at_or_after(layout_, place, std::min<std::size_t>(1, place.size())));
    bytes.insert(bytes.end(), place.begin(), place.end());
  }
  return bytes;
}

}  // namespace sortie
