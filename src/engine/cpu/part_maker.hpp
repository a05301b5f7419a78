// Makes the parts of a sorted run one after another: takes buckets that fill a part, sorts them and gathers their
// records, each bucket by one thread while it is in that core's cache. Owned by RecordSortedRun.
//
//   scratch   | entries of bucket 7 | of bucket 8 | of bucket 9 |
//   part      | records of bucket 7     | of bucket 8  | of bucket 9     |
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/memory_region.hpp"
#include "engine/cpu/bucket_queue.hpp"
#include "engine/cpu/chunk_records.hpp"

namespace sortie {

/// Where a part is made: memory that is there for good, and more for a record that is longer.
struct PartBuffer {
  std::span<std::byte> memory;
  MemoryRegion long_record;
};

class PartMaker {
 public:
  /// `descending`: the chunk is strictly in reverse order. `scratch` holds the entries of a part.
  PartMaker(const ChunkRecords& records, BucketRow buckets, bool descending, std::span<Entry> scratch);

  /// The next records, in `buffer`; a record longer than its memory is a part alone. Empty at the end. Parallel.
  /// Throws Error if the system has no memory for a long one.
  std::span<std::byte> next(PartBuffer& buffer);

 private:
  struct Item {
    Bucket bucket;
    std::size_t first_entry = 0;  ///< in the scratch memory
    std::size_t first_byte = 0;   ///< in the part
  };

  std::vector<Item> take_items(std::size_t part_bytes);
  std::span<Entry> sort(const Bucket& bucket, std::span<Entry> entries) const;
  void make_item(const Item& item, std::span<std::byte> part);
  std::span<std::byte> continue_sorted(PartBuffer& buffer);

  ChunkRecords records_;
  BucketQueue queue_;
  bool descending_;
  std::span<Entry> scratch_;
  std::vector<Entry> own_scratch_;  ///< for a bucket that is larger
  std::optional<Bucket> waiting_;   ///< did not fit the last part
  std::span<Entry> sorted_;         ///< what is left of a bucket that is longer than a part
};

}  // namespace sortie
