#include "engine/cpu/record_run_former.hpp"

#include <algorithm>
#include <utility>

#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "base/size.hpp"
#include "base/thread_team.hpp"

namespace sortie {
namespace {

// Large enough to read and to checksum in parallel, small enough to fill a run to the brim.
constexpr std::size_t kLeastPieceBytes = 16 << 20;
constexpr std::size_t kMostPieceBytes = 64 << 20;
constexpr std::size_t kPieceBytesOfThread = 4 << 20;
// A run with less room than this counts as full.
constexpr std::size_t kLeastRoom = 4 << 10;
constexpr std::size_t kLeastRegionBytes = 64 << 10;

// Parts that are made ahead take no more than this share of the region: the output may lie in memory, too.
constexpr std::size_t kAheadShare = 8;
constexpr std::size_t kLeastThreadsAhead = 4;

// A quarter of the memory for parts holds the entries of one part, the rest holds two parts.
constexpr std::size_t kScratchShare = 4;
// Small parts get memory of their full size, whatever the budget: they are made into blocks of a run, and plans count
// on the size of blocks.
constexpr std::uint64_t kSmallPartBytes = 1 << 20;

// Memory that a long record needs beside itself: for its entry, and for what is lost to alignment.
constexpr std::size_t kEntriesOfLongRecord = 4 * sizeof(Entry);

// One thread that sorts little makes parts that stay in its cache, and that touch little memory.
constexpr std::uint64_t kLittleBytes = 8 << 20;
constexpr std::uint64_t kPartBytesOfLittle = 64 << 10;

// Records lie at the beginning of the memory and entries at its end: a small input touches little of both.
MemoryRegion::Pages pages_for(std::uint64_t expected_bytes) {
  if (expected_bytes == 0) return MemoryRegion::Pages::kHuge;
  return expected_bytes < kLeastHugeBytes ? MemoryRegion::Pages::kSmall : MemoryRegion::Pages::kAllHuge;
}

// A small input gets no more memory than it can fill: each of its bytes may be a line, which has an entry, and a piece
// takes half of the room. Page tables for 80 MB took longer than to sort three lines.
std::size_t region_bytes(const FormationBudget& budget) {
  const std::size_t most = std::min<std::size_t>((budget.host_bytes - budget.part_bytes) / budget.runs, kMaxChunkBytes);
  if (budget.expected_bytes == 0 || budget.expected_bytes >= kLeastHugeBytes) return most;
  return std::min<std::size_t>(most, 2 * (1 + sizeof(Entry)) * budget.expected_bytes + kLeastRegionBytes);
}

std::size_t usual_piece_bytes() {
  return std::clamp(parallel_threads() * kPieceBytesOfThread, kLeastPieceBytes, kMostPieceBytes);
}

std::uint64_t part_memory_bytes(std::uint64_t part_bytes) {
  return part_bytes < kSmallPartBytes ? 3 * part_bytes : part_bytes;
}

}  // namespace

RecordRunFormer::RecordRunFormer(const RecordOrder& order, const FormationBudget& budget)
    : order_(order),
      expected_bytes_(budget.expected_bytes),
      most_record_bytes_(std::min(budget.most_record_bytes, kMaxChunkBytes - kEntriesOfLongRecord)),
      regions_bytes_(budget.host_bytes - budget.part_bytes),
      part_bytes_(budget.part_bytes),
      part_(part_memory_bytes(budget.part_bytes), pages_for(budget.expected_bytes)),
      entries_(order, budget.sample),
      region_use_(budget.runs) {
  for (unsigned i = 0; i < budget.runs; ++i) {
    regions_[i] = MemoryRegion(region_bytes(budget), pages_for(budget.expected_bytes));
  }
  const std::uint64_t record_bytes = order.layout().record_bytes;
  if (regions_[0].size() >= record_bytes + kEntriesOfLongRecord) return;
  if (record_bytes <= most_record_bytes_) {
    wait_for_region();
    grow(static_cast<std::size_t>(record_bytes));
  } else {
    throw Error("records of " + std::to_string(record_bytes) + " bytes do not fit the memory of " +
                    format_size(regions_[0].size()) + "; raise the memory budget",
                Remedy::kMoreMemory);
  }
}

std::span<std::byte> RecordRunFormer::next_piece() { return offer(usual_piece_bytes(), true); }

// Waits until a run before is drained: the last one, if there is one region.
void RecordRunFormer::wait_for_region() {
  if (!slot_) slot_.emplace(region_use_.acquire());
}

std::span<std::byte> RecordRunFormer::next_large_piece(std::size_t bytes) {
  std::span<std::byte> piece = offer(std::max(bytes, usual_piece_bytes()), false);
  if (piece.size() < bytes && record_count_ == 0 && bytes <= most_record_bytes_) {
    grow(bytes);
    piece = offer(bytes, false);
  }
  return piece.size() >= bytes ? piece : std::span<std::byte>();
}

// Precondition: the region holds no records.
void RecordRunFormer::grow(std::size_t record_bytes) {
  keep_one_region();
  region() = MemoryRegion();
  region() = MemoryRegion(std::max(record_bytes + kEntriesOfLongRecord, std::min(regions_bytes_, kMaxChunkBytes)));
}

// For records so long that two regions beside one another would be too much.
void RecordRunFormer::keep_one_region() {
  if (regions_[1].size() == 0 || idle_) return;
  idle_.emplace(region_use_.acquire());
  regions_[idle_->number()] = MemoryRegion();
}

std::span<std::byte> RecordRunFormer::next_whole_piece(std::uint64_t bytes, std::uint64_t record_count) {
  wait_for_region();
  const std::uint64_t whole_pages = round_up(bytes, kPageBytes);
  if (record_count_ > 0 || region().size() / sizeof(Entry) <= record_count ||
      region().size() - (record_count + 1) * sizeof(Entry) < whole_pages) {
    return {};
  }
  piece_records_ = (region().size() - whole_pages) / sizeof(Entry) - 1;
  is_whole_ = true;
  return region().bytes().first(whole_pages);
}

// Shares the free room between bytes and the entries of the records in them: nobody knows how many lines a
// piece will hold, so half of the room is left for them, unless the piece is for a single long one.
std::span<std::byte> RecordRunFormer::offer(std::size_t wanted_bytes, bool leave_half) {
  wait_for_region();
  is_whole_ = false;
  const std::uint64_t entry_bytes = (record_count_ + 1) * sizeof(Entry);  // one for alignment
  const std::uint64_t free_bytes =
      region().size() - std::min<std::uint64_t>(region().size(), used_bytes_ + entry_bytes);
  std::size_t bytes = 0;
  if (order_.layout().delimited()) {
    bytes = std::min<std::uint64_t>(wanted_bytes, free_bytes - std::min<std::uint64_t>(free_bytes, 2 * sizeof(Entry)));
    if (leave_half) bytes = std::min<std::size_t>(bytes, free_bytes / 2);
    if (record_count_ > 0 && bytes < std::min<std::size_t>(kLeastRoom, region().size() / 16)) return {};
    piece_records_ = (free_bytes - bytes) / sizeof(Entry);
  } else {
    const std::uint64_t record_bytes = order_.layout().record_bytes;
    const std::uint64_t most = free_bytes / (record_bytes + sizeof(Entry));
    piece_records_ = std::min<std::uint64_t>(most, std::max<std::uint64_t>(1, wanted_bytes / record_bytes));
    bytes = piece_records_ * record_bytes;
  }
  return region().bytes().subspan(used_bytes_, bytes);
}

void RecordRunFormer::commit_piece(std::size_t bytes, std::uint64_t record_count) {
  const std::span<const std::byte> chunk = region().bytes().first(used_bytes_ + bytes);
  Entry* const end = entries_end() - record_count_;
  const auto make_entries = [this, chunk, bytes, target = std::span(end - record_count, end),
                             expected = expected_records(bytes, record_count)] {
    entries_.add(chunk, chunk.last(bytes), target, expected);
  };
  wait_for_entries();
  if (bytes < kLeastPieceBytes || is_whole_ || is_alone()) {
    make_entries();
  } else {
    made_ = maker_.post(make_entries);
  }
  used_bytes_ += bytes;
  record_count_ += record_count;
}

// Rethrows what went wrong with them.
void RecordRunFormer::wait_for_entries() {
  if (made_.valid()) made_.get();
}

// Estimate for the run whose first piece has `record_count` records in `bytes`.
std::uint64_t RecordRunFormer::expected_records(std::size_t bytes, std::uint64_t record_count) const {
  const std::uint64_t mean_bytes = bytes / record_count;
  const std::uint64_t most = region().size() / (mean_bytes + sizeof(Entry));
  return expected_bytes_ == 0 ? most : std::min(most, expected_bytes_ / mean_bytes);
}

std::unique_ptr<SortedRun> RecordRunFormer::finish_run() {
  wait_for_entries();
  const std::span<std::byte> chunk = region().bytes().first(std::exchange(used_bytes_, 0));
  const std::uint64_t record_count = std::exchange(record_count_, 0);
  ChunkEntries::Finished finished = entries_.finish(chunk);
  if (finished.sequence == ChunkEntries::Sequence::kAscending) {
    return std::make_unique<OrderedRun>(order_.layout(), chunk, record_count, part_bytes_,
                                        *std::exchange(slot_, std::nullopt));
  }
  PartMemory memory = part_memory(chunk.size(), record_count);
  PartMaker parts(order_, chunk, std::move(finished), memory.scratch);
  return std::make_unique<RecordSortedRun>(std::move(parts), record_count, chunk.size(), std::move(memory),
                                           *std::exchange(slot_, std::nullopt));
}

// Beside the memory for two parts there is room for parts that are made ahead, between the records and their entries.
// Mapped records take the rest of their last page, and one more. Few threads never wait for an output's space.
PartMemory RecordRunFormer::part_memory(std::size_t record_bytes, std::uint64_t record_count) const {
  const std::size_t scratch_entries = part_.size() / kScratchShare / sizeof(Entry);
  const std::span<std::byte> rest = part_.bytes().subspan(scratch_entries * sizeof(Entry));
  const bool is_little = is_alone() && expected_bytes_ > 0 && expected_bytes_ < kLittleBytes;
  const std::uint64_t most_bytes = is_little ? std::min(part_bytes_, kPartBytesOfLittle) : part_bytes_;
  const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(most_bytes, rest.size() / 2));
  PartMemory memory{{rest.first(bytes), rest.last(bytes)}, {reinterpret_cast<Entry*>(part_.data()), scratch_entries}};
  const auto entries_begin = reinterpret_cast<const std::byte*>(entries_end() - record_count);
  std::size_t begin = round_up(record_bytes + kPageBytes, kHugePageBytes);
  const auto end = std::min<std::size_t>(entries_begin - region().data(), begin + region().size() / kAheadShare);
  if (parallel_threads() < kLeastThreadsAhead) return memory;
  for (; bytes > 0 && begin + bytes <= end; begin += bytes) {
    memory.parts.push_back(region().bytes().subspan(begin, bytes));
  }
  return memory;
}

Entry* RecordRunFormer::entries_end() const {
  return reinterpret_cast<Entry*>(region().data() + round_down(region().size(), sizeof(Entry)));
}

}  // namespace sortie
