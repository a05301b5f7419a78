#include "pipeline/ties/tie_stage.hpp"

#include <algorithm>
#include <cstdint>

#include "base/parallel.hpp"
#include "pipeline/scan/repeat_filter.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

constexpr std::size_t kRangeBytes = 256 << 10;
/// While a slice is put in order, its texts and lists of them may take several times as much memory.
constexpr std::size_t kSliceBytes = 16 << 20;

auto tied_by(const TieOrder& order) {
  return [&order](Record a, Record b) { return order.are_tied(a, b); };
}

}  // namespace

TieStage::TieStage(const RecordCodec& codec, std::size_t memory_bytes, ScratchSpace& scratch)
    : order_(codec), memory_bytes_(memory_bytes), runs_(order_, scratch) {}

void TieStage::accept(std::span<std::byte> part, const Consumer& consumer) {
  for_each_slice(order_.layout(), part, kSliceBytes,
                 [&](std::span<std::byte> slice) { accept_slice(slice, consumer); });
}

void TieStage::accept_slice(std::span<std::byte> part, const Consumer& consumer) {
  if (!waiting_.empty()) {
    const Record waiting = first_record(order_.layout(), waiting_);
    const std::size_t bytes = bytes_of_group(order_.layout(), part, waiting, tied_by(order_));
    wait_with(part.first(bytes));
    part = part.subspan(bytes);
    if (part.empty()) return;
    deliver_waiting(consumer);
  }
  const std::size_t begin = begin_of_last_group(order_.layout(), part, tied_by(order_));
  order_ties(part.first(begin));
  // What waits is copied first: the consumer may change all of the part.
  wait_with(part.subspan(begin));
  if (begin > 0) consumer(part.first(begin));
}

void TieStage::finish(const Consumer& consumer) {
  if (!waiting_.empty()) deliver_waiting(consumer);
}

void TieStage::order_ties(std::span<std::byte> lines) const {
  std::vector<std::span<std::byte>> ranges;
  for_each_range_of_groups(order_.layout(), lines, kRangeBytes, tied_by(order_),
                           [&](std::span<std::byte> range) { ranges.push_back(range); });
  parallel_for(0, ranges.size(), [&](std::size_t i) { order_ties_in_range(ranges[i]); });
}

void TieStage::order_ties_in_range(std::span<std::byte> range) const {
  Record before;
  std::size_t begin = 0;  // where the tie of `before` begins
  const auto order_up_to = [&](std::size_t end) {
    if (end - begin > before.size()) order_.order(range.subspan(begin, end - begin));
    begin = end;
  };
  for_each_record(order_.layout(), range, [&](const std::byte* data, std::uint64_t stored) {
    const Record line(data, static_cast<std::size_t>(stored));
    // Only lines that have been looked at are put in order: until then `before` is the line in front of this one.
    if (!before.empty() && !order_.are_tied(before, line)) order_up_to(static_cast<std::size_t>(data - range.data()));
    before = line;
  });
  order_up_to(range.size());
}

void TieStage::wait_with(std::span<const std::byte> lines) {
  while (!lines.empty()) {
    if (waiting_.size() >= memory_bytes_) spill_waiting();
    const std::size_t room = std::max<std::size_t>(1, memory_bytes_ - std::min(memory_bytes_, waiting_.size()));
    const std::size_t bytes = boundary_at_or_after(order_.layout(), lines, std::min(room, lines.size()));
    waiting_.insert(waiting_.end(), lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(bytes));
    lines = lines.subspan(bytes);
  }
}

// The last line stays: it says what is tied.
void TieStage::spill_waiting() {
  const Record last = last_record(order_.layout(), waiting_);
  if (last.size() == waiting_.size()) return;
  const std::vector<std::byte> kept(last.begin(), last.end());
  runs_.add(std::span(waiting_).first(waiting_.size() - kept.size()));
  waiting_ = kept;
}

void TieStage::deliver_waiting(const Consumer& consumer) {
  if (runs_.empty()) {
    order_.order(waiting_);
    consumer(waiting_);
  } else {
    runs_.add(waiting_);
    runs_.drain(consumer);
  }
  waiting_.clear();
}

}  // namespace sortie
