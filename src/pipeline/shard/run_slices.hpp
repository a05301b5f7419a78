// Cuts run files at bounds, and opens what lies between two cuts as a run. Of the index only what the slice needs is
// read then: runs may be many, and a slice of each short.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <sortie/shard.hpp>

#include "io/files/file.hpp"
#include "pipeline/setup/sort_spec.hpp"
#include "record/record_order.hpp"
#include "record/record_totals.hpp"
#include "run/kept_run_storage.hpp"
#include "run/run.hpp"

namespace sortie {

/// What of the run file lies in front of its first record, of each bound, and of its end. `number`: the run's among
/// all. Parallel. Throws Error if the file is no run in this order, or does not say the lengths that its records have
/// in the output.
std::vector<RunCut> cut_run_file(FileSystem& files, const SortSpec& spec, const RecordOrder& order,
                                 const std::string& path, std::uint64_t number, std::span<const SliceBound> bounds);

/// Opens a slice, which is not empty. `open_files` limits how many run files stay open. Throws Error that names the
/// file if it is damaged, not the one that was cut, or made with other options.
Run open_slice(FileSystem& files, const SortSpec& spec, const RecordOrder& order, const RunSlicePlan& slice,
               std::shared_ptr<OpenRunFiles> open_files, std::shared_ptr<RunMeter> meter);

inline Record record_of(const SliceBound& bound) { return std::as_bytes(std::span(bound.record)); }

/// Totals as the functions for shards report them.
inline ShardTotals shard_totals(const RecordTotals& totals) { return {totals.records, totals.bytes, totals.checksum}; }

}  // namespace sortie
