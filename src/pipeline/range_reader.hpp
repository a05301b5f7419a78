// Reads records of a range that has been merged, whole ones at a time, as merges have written them. Called by what
// makes files of ranges: the split of ranges, and writers of formats.
#pragma once

#include <cstddef>
#include <span>

#include <sortie/byte_checksum.hpp>
#include <sortie/shard.hpp>

#include "base/function_ref.hpp"
#include "io/files/file.hpp"
#include "record/layout.hpp"

namespace sortie {

/// Gives `take` the records of a stretch in turn. Takes a piece of memory, or what the longest record needs. Returns
/// the checksum of what was read. Throws Error for a range that is shorter than the plan says, or ends within a record.
Checksum read_range(FileSystem& files, const RangeStretch& stretch, const Layout& layout,
                    FunctionRef<void(std::span<const std::byte> records)> take);

}  // namespace sortie
