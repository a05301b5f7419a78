#include "engine/cpu/record_run_former.hpp"

#include <algorithm>

#include <sortie/error.hpp>

#include "base/size.hpp"
#include "engine/cpu/chunk_sort.hpp"
#include "engine/cpu/gather.hpp"

namespace sortie {
namespace {

// Large enough to read and to checksum in parallel, small enough to fill a run to the brim.
constexpr std::size_t kPieceBytes = 16 << 20;
// A run with less room than this counts as full.
constexpr std::size_t kLeastPieceBytes = 4 << 10;

class RecordSortedRun : public SortedRun {
 public:
  RecordSortedRun(ChunkRecords records, std::span<const Entry> entries, MemoryRegion& part, std::shared_ptr<void> lease)
      : lease_(std::move(lease)), records_(records), entries_(entries), part_(part) {}

  std::uint64_t record_count() const override { return entries_.size(); }
  std::uint64_t byte_count() const override { return records_.bytes().size(); }

  void drain(const PartConsumer& consumer) override {
    for (std::size_t begin = 0; begin < entries_.size();) {
      const GatherPlan plan = plan_part(records_, entries_.subspan(begin), part_.size());
      // A record that is longer than a part gets memory of its own.
      const MemoryRegion long_record(plan.part_bytes > part_.size() ? plan.part_bytes : 0);
      const std::span<std::byte> part =
          long_record.size() > 0 ? long_record.bytes() : part_.bytes().first(plan.part_bytes);
      gather_part(records_, entries_.subspan(begin, plan.record_count), plan, part);
      begin += plan.record_count;
      consumer(part);
    }
  }

 private:
  std::shared_ptr<void> lease_;
  ChunkRecords records_;
  std::span<const Entry> entries_;
  MemoryRegion& part_;
};

}  // namespace

RecordRunFormer::RecordRunFormer(const RecordOrder& order, const FormationBudget& budget)
    : order_(order),
      region_(std::min(budget.host_bytes - budget.part_bytes, kMaxChunkBytes)),
      part_(budget.part_bytes) {
  const std::uint64_t least = order.layout().record_bytes + 2 * sizeof(Entry);
  if (region_.size() < least) {
    throw Error("records of " + std::to_string(order.layout().record_bytes) + " bytes do not fit the memory of " +
                format_size(region_.size()) + "; raise it with --buffer-size");
  }
}

std::span<std::byte> RecordRunFormer::next_piece() { return offer(kPieceBytes, true); }

std::span<std::byte> RecordRunFormer::next_large_piece(std::size_t bytes) {
  const std::span<std::byte> piece = offer(std::max(bytes, kPieceBytes), false);
  return piece.size() >= bytes ? piece : std::span<std::byte>();
}

// Shares the free room between bytes and the entries of the records in them: nobody knows how many lines a
// piece will hold, so half of the room is left for them, unless the piece is for a single long one.
std::span<std::byte> RecordRunFormer::offer(std::size_t wanted_bytes, bool leave_half) {
  gate_.wait_until_open();
  const std::uint64_t entry_bytes = (record_count_ + 1) * sizeof(Entry);  // one for alignment
  const std::uint64_t free_bytes = region_.size() - std::min<std::uint64_t>(region_.size(), used_bytes_ + entry_bytes);
  std::size_t bytes = 0;
  if (order_.layout().delimited()) {
    bytes = std::min<std::uint64_t>(wanted_bytes, free_bytes - std::min<std::uint64_t>(free_bytes, 2 * sizeof(Entry)));
    if (leave_half) bytes = std::min<std::size_t>(bytes, free_bytes / 2);
    if (record_count_ > 0 && bytes < std::min<std::size_t>(kLeastPieceBytes, region_.size() / 16)) return {};
    piece_records_ = (free_bytes - bytes) / sizeof(Entry);
  } else {
    const std::uint64_t record_bytes = order_.layout().record_bytes;
    const std::uint64_t most = free_bytes / (record_bytes + sizeof(Entry));
    piece_records_ = std::min<std::uint64_t>(most, std::max<std::uint64_t>(1, wanted_bytes / record_bytes));
    bytes = piece_records_ * record_bytes;
  }
  return region_.bytes().subspan(used_bytes_, bytes);
}

void RecordRunFormer::commit_piece(std::size_t bytes, std::uint64_t record_count) {
  used_bytes_ += bytes;
  record_count_ += record_count;
}

std::unique_ptr<SortedRun> RecordRunFormer::finish_run() {
  const ChunkRecords records(order_, region_.bytes().first(used_bytes_));
  std::byte* const behind = region_.data() + round_up(used_bytes_, sizeof(Entry));
  const std::span<Entry> entries(reinterpret_cast<Entry*>(behind), record_count_);
  sort_chunk(records, entries);
  used_bytes_ = 0;
  record_count_ = 0;
  return std::make_unique<RecordSortedRun>(records, entries, part_, gate_.close());
}

}  // namespace sortie
