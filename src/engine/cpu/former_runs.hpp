// Sorted runs in the memory of their former: sorted while they are passed on, or in order already and passed on as they
// lie. Made by RecordRunFormer.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/slot_pool.hpp"
#include "engine/engine.hpp"
#include "entries/part_maker.hpp"

namespace sortie {

/// Work memory of one run at a time.
struct PartMemory {
  std::vector<std::span<std::byte>> parts;  ///< at least two: while a part is passed on, the next ones are made
  std::span<Entry> scratch;
};

class RecordSortedRun : public SortedRun {
 public:
  /// `slot`: of the former's memory, which is not refilled while the run holds it.
  RecordSortedRun(PartMaker parts, std::uint64_t record_count, std::uint64_t byte_count, PartMemory memory,
                  SlotPool::Slot slot)
      : slot_(std::move(slot)),
        parts_(std::move(parts)),
        record_count_(record_count),
        byte_count_(byte_count),
        memory_(std::move(memory)) {}

  std::uint64_t record_count() const override { return record_count_; }
  std::uint64_t byte_count() const override { return byte_count_; }
  void drain(const PartConsumer& consumer) override;

 private:
  std::span<std::byte> make_next(std::size_t slot, const PartConsumer& consumer);

  SlotPool::Slot slot_;
  PartMaker parts_;
  std::uint64_t record_count_;
  std::uint64_t byte_count_;
  PartMemory memory_;
  std::uint64_t made_bytes_ = 0;
};

class OrderedRun : public SortedRun {
 public:
  /// `records` are in order. Parts have at most `part_bytes`, unless a record is longer. `slot`: as above.
  OrderedRun(const Layout& layout, std::span<std::byte> records, std::uint64_t record_count, std::uint64_t part_bytes,
             SlotPool::Slot slot)
      : slot_(std::move(slot)),
        layout_(layout),
        records_(records),
        record_count_(record_count),
        part_bytes_(part_bytes) {}

  std::uint64_t record_count() const override { return record_count_; }
  std::uint64_t byte_count() const override { return records_.size(); }
  void drain(const PartConsumer& consumer) override;

 private:
  SlotPool::Slot slot_;
  Layout layout_;
  std::span<std::byte> records_;
  std::uint64_t record_count_;
  std::uint64_t part_bytes_;
};

}  // namespace sortie
