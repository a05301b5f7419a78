// Forms runs of records with a key: they are read into one region of memory, entries are sorted behind
// them, and draining gathers the records in the order of the entries.
//
//   region   | records, piece after piece ->                | entries (after finish_run) |
#pragma once

#include "base/memory_region.hpp"
#include "engine/cpu/slot_gate.hpp"
#include "engine/engine.hpp"
#include "record/record_order.hpp"

namespace sortie {

class RecordRunFormer : public RunFormer {
 public:
  /// Throws Error if the budget does not hold a single record of fixed length.
  RecordRunFormer(const RecordOrder& order, const FormationBudget& budget);

  std::span<std::byte> next_piece() override;
  std::uint64_t max_piece_records() const override { return piece_records_; }
  std::span<std::byte> next_large_piece(std::size_t bytes) override;
  void commit_piece(std::size_t bytes, std::uint64_t record_count) override;
  std::unique_ptr<SortedRun> finish_run() override;

 private:
  std::span<std::byte> offer(std::size_t wanted_bytes, bool leave_half);

  const RecordOrder& order_;
  MemoryRegion region_;
  MemoryRegion part_;  ///< that runs are gathered into, one after another
  SlotGate gate_;
  std::size_t used_bytes_ = 0;
  std::uint64_t record_count_ = 0;
  std::uint64_t piece_records_ = 0;
};

}  // namespace sortie
