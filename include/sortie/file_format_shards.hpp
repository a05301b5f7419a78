// One sort of files of a format by several processes, as shard.hpp has it for records: FileFormatOptions::format names
// the format for all of them, and all name all inputs, in one order.
//
//   find_files_header()    inputs ──▶ what shards must know of all of them
//   form_files_shard()     a share of the inputs ──▶ runs of records with keys
//   cut_shard(), merge_slices() with sort_of_files(): ranges of these records, in order
//   write_files_ranges()   ranges ──▶ the output, as one process writes it
#pragma once

#include <optional>
#include <string>

#include <sortie/assumption.hpp>
#include <sortie/file_format_options.hpp>
#include <sortie/options.hpp>
#include <sortie/shard.hpp>

namespace sortie {

/// The format of the inputs as sort_files() finds it: its word, empty for bare records, and whether a shard may begin
/// within a file. Throws Error for a word that is none, and if bare records cannot be written to an output of this
/// name.
struct FoundFormat {
  std::string name;
  bool divides_files = false;
  std::optional<Assumption> guess = {};  ///< what is assumed if the name of the file says it alone
};
FoundFormat find_file_format(const SortOptions& options, const FileFormatOptions& format);

/// What ShardRequest::header has for each shard: of a shuffle how many records the inputs have, which are counted.
InputsHeader find_files_header(const SortOptions& options, const FileFormatOptions& format);

/// Forms runs of a shard, as form_shard() does: of what begins in the bytes [begin, end) of all inputs, one behind the
/// other. A file that cannot be divided belongs to the shard in which it begins. Throws Error.
ShardReport form_files_shard(const SortOptions& options, const FileFormatOptions& format, const ShardRequest& request);

/// The options of the sort of records, for cuts and merges of what shards have formed.
SortOptions sort_of_files(const SortOptions& options, const FileFormatOptions& format);

/// Writes SortOptions::output of ranges that merge_slices() has written with the options of sort_of_files(), as
/// sort_files() does. Throws Error, and the output is as it was.
RangesReport write_files_ranges(const SortOptions& options, const FileFormatOptions& format, const RangesPlan& plan);

}  // namespace sortie
