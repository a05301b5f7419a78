// The records that may still be among the first N of the sorted output, for --top. They are kept in input order in
// memory of their own, and cut down to the first N from time to time. After a cut the last of these is a bound: records
// that do not come before it are dropped at once. Owned by TopRecords.
//
//   memory   | records, in input order ->       <- entries, one for each record |
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/memory_region.hpp"
#include "entries/entry.hpp"
#include "pipeline/scan/key_comparison.hpp"
#include "record/record_order.hpp"

namespace sortie {

/// What N counts, and which of records with equal keys may be in the output.
enum class TopCounts : std::uint8_t {
  kRecords,        ///< every record counts
  kKeysFirst,      ///< distinct keys count; the first record of each is needed
  kKeysLast,       ///< distinct keys count; the last record of each is needed
  kKeysWithEqual,  ///< distinct keys count; all their records are needed
};

class TopCandidates {
 public:
  /// `codec`: of the records; it must outlive this. Needs 16 bytes a record beside the records.
  TopCandidates(const RecordCodec& codec, std::uint64_t wanted, TopCounts counts, std::size_t memory_bytes);

  /// The last of the first N records so far; empty before N records were seen. Changes with every cut.
  Record bound() const { return bound_; }

  /// Records with a greater prefix cannot be among the first N.
  std::uint64_t last_wanted_prefix() const;

  /// Whether only the first record with each key is wanted.
  bool wants_first_of_key() const { return counts_ == TopCounts::kKeysFirst; }
  const RecordCodec& codec() const { return codec_; }

  /// Whether `record` may be among the first N. Precondition: it comes behind all added records in the input.
  bool may_be_wanted(Record record) const;

  /// Precondition: free_bytes() are enough for the record and its entry.
  void add(Record record);

  /// True if there are so many candidates that a cut is worth its time.
  bool is_full() const { return entry_count_ >= full_count_; }

  /// Drops the records that are not among the first N, after calling drop(record) for each. The others stay in input
  /// order.
  template <class Drop>
  void cut(const Drop& drop);

  std::uint64_t count() const { return entry_count_; }
  std::size_t size() const { return memory_.size(); }
  std::size_t free_bytes() const { return memory_.size() - used_bytes_ - entry_count_ * sizeof(Entry); }

  /// Candidate number `index`, in input order. Invalidated by cut().
  Record operator[](std::size_t index) const {
    return records()[entries_end()[-1 - static_cast<std::ptrdiff_t>(index)]];
  }

 private:
  ChunkRecords records() const { return {order_, memory_.bytes().first(used_bytes_)}; }
  Entry* entries_end() const;
  std::span<Entry> entries() const { return {entries_end() - entry_count_, entry_count_}; }
  bool is_before(const Entry& a, const Entry& b) const;
  std::size_t select_first();
  std::size_t select_distinct();
  void set_bound(const Entry& entry);
  void keep(std::span<Entry> kept);

  bool wants_equal_keys() const { return counts_ == TopCounts::kKeysLast || counts_ == TopCounts::kKeysWithEqual; }

  const RecordCodec& codec_;
  const RecordOrder& order_;
  ExactOrder exact_order_;
  std::uint64_t wanted_;
  TopCounts counts_;
  MemoryRegion memory_;
  std::size_t used_bytes_ = 0;
  std::size_t entry_count_ = 0;
  std::uint64_t full_count_;
  std::vector<std::byte> bound_;
};

template <class Drop>
void TopCandidates::cut(const Drop& drop) {
  const std::size_t kept = counts_ == TopCounts::kRecords ? select_first() : select_distinct();
  for (const Entry& entry : entries().subspan(kept)) drop(records()[entry]);
  keep(entries().first(kept));
}

/// The records that come before a bound. As a rule nearly none do, so most must be passed over as fast as memory gives
/// them.
struct BoundFiltered {
  std::vector<Record> records;  ///< records that may be wanted, in input order
  std::uint64_t others = 0;     ///< number of records that are not wanted
};

/// Runs on the calling thread. `records` must be whole. Precondition: numbers with equal keys are not all needed.
BoundFiltered filter_by_bound(const TopCandidates& candidates, const RecordOrder& order,
                              std::span<const std::byte> records);

}  // namespace sortie
