// Forms runs of records with a key: they are read into one region of memory from the front, their entries are made as
// they come and fill it from the back, and draining sorts the entries and gathers the records bucket by bucket. With
// two regions, one is drained while the other is filled.
//
//   region   | records, piece after piece ->          <- entries, piece after piece |
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <span>

#include "base/memory_region.hpp"
#include "base/slot_pool.hpp"
#include "base/task_thread.hpp"
#include "engine/cpu/former_runs.hpp"
#include "engine/engine.hpp"
#include "entries/chunk_entries.hpp"
#include "record/record_order.hpp"

namespace sortie {

class RecordRunFormer : public RunFormer {
 public:
  /// Throws Error if the budget does not hold a single record of fixed length, even if it grows.
  RecordRunFormer(const RecordOrder& order, const FormationBudget& budget);

  std::span<std::byte> next_piece() override;
  std::uint64_t max_piece_records() const override { return piece_records_; }
  std::span<std::byte> next_large_piece(std::size_t bytes) override;
  std::span<std::byte> next_whole_piece(std::uint64_t bytes, std::uint64_t record_count) override;
  void commit_piece(std::size_t bytes, std::uint64_t record_count) override;
  std::unique_ptr<SortedRun> finish_run() override;

 private:
  void wait_for_region();
  void wait_for_entries();
  std::span<std::byte> offer(std::size_t wanted_bytes, bool leave_half);
  void grow(std::size_t record_bytes);
  void keep_one_region();
  std::uint64_t expected_records(std::size_t bytes, std::uint64_t record_count) const;
  PartMemory part_memory(std::size_t record_bytes, std::uint64_t record_count) const;
  MemoryRegion& region() { return regions_[slot_->number()]; }
  const MemoryRegion& region() const { return regions_[slot_->number()]; }
  Entry* entries_end() const;

  const RecordOrder& order_;
  std::uint64_t expected_bytes_;
  std::uint64_t most_record_bytes_;
  std::size_t regions_bytes_;  ///< of all regions together
  std::array<MemoryRegion, 2> regions_;
  std::uint64_t part_bytes_;
  MemoryRegion part_;  ///< for the parts of runs, and for the entries of a part
  ChunkEntries entries_;
  SlotPool region_use_;                 ///< by the run that is being formed, and by the one that is being drained
  std::optional<SlotPool::Slot> slot_;  ///< of the run that is being formed
  std::optional<SlotPool::Slot> idle_;  ///< of a region that has given its memory to the other one
  std::size_t used_bytes_ = 0;
  std::uint64_t record_count_ = 0;
  std::uint64_t piece_records_ = 0;
  bool is_whole_ = false;   ///< the piece that was offered is all there is: nothing is read while its entries are made
  std::future<void> made_;  ///< entries of the last piece, until wait_for_entries()
  TaskThread maker_;        ///< makes them while the next piece is read, perhaps from a slow pipe
};

}  // namespace sortie
