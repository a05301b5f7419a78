#include "pipeline/input/whole_input.hpp"

#include <functional>
#include <vector>

#include "base/bytes.hpp"
#include "base/parallel.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

constexpr std::size_t kSampleBytes = 256 << 10;

}  // namespace

// A line longer than the sample counts as one record of the sample's length. Lines elsewhere may be shorter by a third.
WholeInput::Size WholeInput::size() const {
  const std::uint64_t bytes = *reader_.total_bytes();
  const std::vector<std::byte> records = reader_.sample(kSampleBytes);
  const std::uint64_t sampled = records.empty() ? 1 : count_records(layout_of(format_), records);
  const std::uint64_t sampled_bytes = records.empty() ? kSampleBytes : records.size();
  return {bytes + kPageBytes, sampled * (bytes / sampled_bytes + 1) * 3 / 2};
}

RecordTotals WholeInput::map(std::span<std::byte> target, std::uint64_t max_records) {
  piece_totals_.start(target.data());
  auto span = observer_.span("read");
  InputSequence& inputs = reader_.inputs();
  InputSequence::Mapped mapped = inputs.map_only(target, [this](std::span<const std::byte> slice) {
    const auto counting = observer_.span("checksum input");
    piece_totals_.add(slice);
  });
  if (!mapped.mapping) return {};
  const std::uint64_t bytes = *inputs.size();
  span.set_bytes(bytes);
  const RecordTotals totals = piece_totals_.finish(whole_records(layout_of(format_), target.first(mapped.bytes)));
  if (totals.records > max_records) {
    mapped.mapping->discard();
    inputs.rewind();
    return {};
  }
  mapping_ = std::move(mapped.mapping);
  pages_ = target;
  observer_.advance(bytes);
  return totals_ = totals;
}

std::span<std::byte> WholeInput::changeable(std::span<std::byte> part) {
  const std::less_equal<const std::byte*> is_up_to;
  const bool is_mapped =
      !pages_.empty() && is_up_to(pages_.data(), part.data()) && !is_up_to(pages_.data() + pages_.size(), part.data());
  if (!parts_change_ || !is_mapped) return part;
  if (copy_.size() < part.size()) {
    copy_ = MemoryRegion();
    copy_ = MemoryRegion(part.size());
  }
  copy_in_parallel(copy_.bytes(), part);
  return copy_.bytes().first(part.size());
}

void WholeInput::check() {
  if (mapping_) mapping_->check();
}

}  // namespace sortie
