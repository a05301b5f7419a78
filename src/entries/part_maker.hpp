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

#include "entries/bucket_queue.hpp"
#include "entries/entry.hpp"

namespace sortie {

class PartMaker {
 public:
  /// `buckets` are those of `chunk`. `descending`: the chunk is strictly in reverse order. `scratch` holds the entries
  /// of a part.
  PartMaker(const RecordOrder& order, std::span<std::byte> chunk, BucketRow buckets, bool descending,
            std::span<Entry> scratch);

  /// Makes the next records in `memory` and returns them; a single record that is longer is returned where it lies.
  /// Empty at the end. Parallel.
  std::span<std::byte> next(std::span<std::byte> memory);

 private:
  struct Item {
    Bucket bucket;
    std::size_t first_entry = 0;  ///< index in the scratch memory
    std::size_t first_byte = 0;   ///< offset in the part
  };

  std::vector<Item> take_items(std::size_t part_bytes);
  std::span<Entry> sort(const Bucket& bucket, std::span<Entry> entries) const;
  void make_item(const Item& item, std::span<std::byte> part);
  std::span<std::byte> continue_sorted(std::span<std::byte> memory);

  std::span<std::byte> chunk_;
  ChunkRecords records_;
  BucketQueue queue_;
  bool descending_;
  std::span<Entry> scratch_;
  std::vector<Entry> own_scratch_;  ///< for a bucket with more entries than `scratch_`
  std::optional<Bucket> waiting_;   ///< bucket that did not fit the last part
  std::span<Entry> sorted_;         ///< rest of a bucket that is longer than a part
};

}  // namespace sortie
