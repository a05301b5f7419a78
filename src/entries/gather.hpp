// Copies records into one part of the output in the order of their entries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "entries/entry.hpp"

namespace sortie {

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

}  // namespace sortie
