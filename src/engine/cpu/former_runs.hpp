// Sorted runs in the memory of their former: sorted while they are passed on, or in order already and passed on as they
// lie. Made by RecordRunFormer and NumberRunFormer.
#pragma once

#include <array>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

#include "engine/engine.hpp"
#include "entries/part_maker.hpp"

namespace sortie {

/// Keeps the memory of a run from being refilled before the run has been drained.
class SlotGate {
 public:
  /// Closes the gate until the returned lease is gone. Precondition: open.
  std::shared_ptr<void> close() {
    {
      const std::scoped_lock lock(mutex_);
      open_ = false;
    }
    return {this, [](SlotGate* gate) { gate->open(); }};
  }

  void wait_until_open() {
    std::unique_lock lock(mutex_);
    opened_.wait(lock, [this] { return open_; });
  }

 private:
  void open() {
    const std::scoped_lock lock(mutex_);
    open_ = true;
    opened_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable opened_;
  bool open_ = true;
};

/// Work memory of one run at a time: while a part is passed on, the next one is made.
struct PartMemory {
  std::array<std::span<std::byte>, 2> parts;
  std::span<Entry> scratch;
};

class RecordSortedRun : public SortedRun {
 public:
  /// Lets go of `lease` when it is destroyed.
  RecordSortedRun(PartMaker parts, std::uint64_t record_count, std::uint64_t byte_count, const PartMemory& memory,
                  std::shared_ptr<void> lease)
      : lease_(std::move(lease)),
        parts_(std::move(parts)),
        record_count_(record_count),
        byte_count_(byte_count),
        memory_(memory) {}

  std::uint64_t record_count() const override { return record_count_; }
  std::uint64_t byte_count() const override { return byte_count_; }
  void drain(const PartConsumer& consumer) override;

 private:
  std::shared_ptr<void> lease_;
  PartMaker parts_;
  std::uint64_t record_count_;
  std::uint64_t byte_count_;
  PartMemory memory_;
};

class OrderedRun : public SortedRun {
 public:
  /// `records` are in order. Parts have at most `part_bytes`, unless a record is longer.
  OrderedRun(const Layout& layout, std::span<std::byte> records, std::uint64_t record_count, std::uint64_t part_bytes,
             std::shared_ptr<void> lease)
      : lease_(std::move(lease)),
        layout_(layout),
        records_(records),
        record_count_(record_count),
        part_bytes_(part_bytes) {}

  std::uint64_t record_count() const override { return record_count_; }
  std::uint64_t byte_count() const override { return records_.size(); }
  void drain(const PartConsumer& consumer) override;

 private:
  std::shared_ptr<void> lease_;
  Layout layout_;
  std::span<std::byte> records_;
  std::uint64_t record_count_;
  std::uint64_t part_bytes_;
};

}  // namespace sortie
