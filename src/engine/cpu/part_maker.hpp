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

#include "engine/cpu/bucket_queue.hpp"
#include "engine/cpu/chunk_records.hpp"

namespace sortie {

class PartMaker {
 public:
  /// `buckets` are those of `chunk`, which is in reverse order, strictly, if `descending`. `scratch` holds the entries
  /// of a part.
  PartMaker(const RecordOrder& order, std::span<std::byte> chunk, BucketRow buckets, bool descending,
            std::span<Entry> scratch);

  /// The next records, in `memory`, or where it lies if it is one that is longer than that. Empty at the end. Parallel.
  std::span<std::byte> next(std::span<std::byte> memory);

 private:
  struct Item {
    Bucket bucket;
    std::size_t first_entry = 0;  ///< in the scratch memory
    std::size_t first_byte = 0;   ///< in the part
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
  std::vector<Entry> own_scratch_;  ///< for a bucket that is larger
  std::optional<Bucket> waiting_;   ///< did not fit the last part
  std::span<Entry> sorted_;         ///< what is left of a bucket that is longer than a part
};

}  // namespace sortie
