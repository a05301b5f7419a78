// Makes the parts of a sorted run one after another: takes buckets that fill a part, sorts them and gathers their
// records, each bucket by one thread while it is in that core's cache. The buckets of the next part are taken
// meanwhile. Owned by RecordSortedRun.
//
//   scratch   | entries of bucket 7 | of bucket 8 | of bucket 9 |
//   part      | records of bucket 7     | of bucket 8  | of bucket 9     |
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/function_ref.hpp"
#include "entries/buckets.hpp"
#include "entries/chunk_entries.hpp"
#include "entries/entry.hpp"

namespace sortie {

/// Copies one record, as merges do, and PartMaker for each entry: a short one in whole vectors where there is room for
/// more than the record: no call, and no branch on the length that a record could mispredict. Bytes between the
/// record's copy and `target_end` are undefined afterwards. A record that does not fit is cut off: it lies in a mapped
/// file that somebody has changed since it was measured, which the sort finds out before it trusts its output.
inline void copy_record(Record record, const std::byte* source_end, std::byte* target, const std::byte* target_end) {
  constexpr std::size_t kWideCopyBytes = 128;
  const auto room = static_cast<std::size_t>(std::min(source_end - record.data(), target_end - target));
  if (record.size() > kWideCopyBytes || room < kWideCopyBytes) {
    std::memcpy(target, record.data(), std::min(record.size(), room));
    return;
  }
  std::memcpy(target, record.data(), 32);
  if (record.size() <= 32) return;
  std::memcpy(target + 32, record.data() + 32, 32);
  if (record.size() <= 64) return;
  std::memcpy(target + 64, record.data() + 64, 64);
}

/// The first records of an entry list that make up a part, cut into tasks.
struct GatherPlan {
  struct Task {
    std::size_t first_record = 0;
    std::size_t offset = 0;  ///< offset in the part
  };
  std::size_t record_count = 0;
  std::size_t part_bytes = 0;
  std::vector<Task> tasks;
};

/// Takes as many records as fit into `part_bytes`, and at least one.
GatherPlan plan_part(const ChunkRecords& records, std::span<const Entry> entries, std::uint64_t part_bytes);

/// Copies all records to `target`, which they fill, on the calling thread.
void gather(const ChunkRecords& records, std::span<const Entry> entries, std::span<std::byte> target);

/// `entries` are the plan's records, `part` its bytes. Parallel.
void gather_part(const ChunkRecords& records, std::span<const Entry> entries, const GatherPlan& plan,
                 std::span<std::byte> part);

class PartMaker {
 public:
  /// `entries` are those of `chunk`, which is not in order. `scratch` holds the entries of a part.
  PartMaker(const RecordOrder& order, std::span<std::byte> chunk, ChunkEntries::Finished entries,
            std::span<Entry> scratch);

  /// What is called with records of a part and their offset in it, by the thread that has just made them.
  using Look = FunctionRef<void(std::span<const std::byte> records, std::size_t offset)>;

  /// Makes the next records in `memory` and returns them; a single record that is longer is returned where it lies.
  /// Empty at the end. `look` gets all of them, or none. `memory` is as large in all calls, or holds all that is left.
  /// Parallel.
  std::span<std::byte> next(std::span<std::byte> memory, Look look);

 private:
  struct Item {
    Bucket bucket;
    std::size_t first_entry = 0;  ///< index in the scratch memory
    std::size_t first_byte = 0;   ///< offset in the part
  };

  std::vector<Item> take_items(std::size_t part_bytes);
  std::span<Entry> sort(const Bucket& bucket, std::span<Entry> entries) const;
  void make_item(Item& item, std::span<std::byte> part);
  std::span<std::byte> continue_sorted(std::span<std::byte> memory);

  std::span<std::byte> chunk_;
  std::unique_ptr<const LongRecords> long_records_;
  ChunkRecords records_;
  BucketQueue queue_;
  bool descending_;
  std::span<Entry> scratch_;
  std::vector<Entry> own_scratch_;  ///< for a bucket with more entries than `scratch_`
  std::optional<Bucket> waiting_;   ///< bucket that did not fit the part that was taken last
  /// What the next part is made of: buckets that are too large are scattered again while a part is made.
  std::optional<std::vector<Item>> coming_;
  std::span<Entry> sorted_;  ///< rest of a bucket that is longer than a part
};

}  // namespace sortie
