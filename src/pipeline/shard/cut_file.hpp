// Where bounds cut the runs of a shard, as a file of rows of equal width: a merge reads the two rows that it needs.
//
//   begin of the runs | bound 0 | bound 1 | ... | end of the runs
//
//   row:  number | ten numbers for each run | checksum        all numbers of 64 bits, little-endian
//
// Written by cut_shard(), read by merge_slices().
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <sortie/shard.hpp>

#include "io/files/file.hpp"

namespace sortie {

/// `cuts`: of each run, equally many. Returns the bytes of the file, which is replaced. Throws Error.
std::uint64_t write_cut_file(FileSystem& files, const std::string& path, const std::vector<std::vector<RunCut>>& cuts);

/// Throws Error if the file of the cuts is one that is read: a run, or another file of the options.
void refuse_cuts_over_others(FileSystem& files, const SortOptions& options, const std::vector<std::string>& runs,
                             const std::string& path);

/// The slices of a part that are not empty, in the order of their runs. Throws Error that names a file that is damaged.
std::vector<RunSlicePlan> read_slices(FileSystem& files, const SliceSource& source);

}  // namespace sortie
