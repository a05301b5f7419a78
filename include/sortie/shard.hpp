// One sort by several processes, on one machine or many: shards of the input become runs, bounds cut all runs into
// parts, and each part is merged by itself. Two reads and two writes a byte. Who calls these functions decides where
// and when, and gives every call of one sort the same options.
//
//   form_shard()     input ──▶ runs of a shard, in a directory of their own; a sample of their keys
//   cut_run()        bounds, a run ──▶ what of the run lies in front of each bound
//   merge_slices()   slices of all runs between two bounds ──▶ part of the output
//   split_ranges()   parts of the output, where SortOptions::parts ask for files ──▶ these files
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <sortie/assumption.hpp>
#include <sortie/options.hpp>
#include <sortie/record_start.hpp>
#include <sortie/report.hpp>

namespace sortie {

struct ShardTotals {
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;
  Checksum checksum;  ///< zero without SortOptions::verify
};

struct ShardRequest {
  /// Where the runs go. It is made beside its place, under a name of its own, and renamed when all in it is durable.
  std::string directory;
  /// The shard: the records of the only input that begin in [begin, end), or all of several inputs, one behind the
  /// other. A packed, CSV or length-prefixed input is not divided.
  std::uint64_t begin = 0;
  std::optional<std::uint64_t> end;
  /// The position of the first byte in the range behind the header, among the bytes of the records of all inputs. If
  /// sets are compared, input N of all SortOptions::set_inputs has the positions from N times
  /// 2^(56 - bit width of set_inputs) on. A newline that the last line of an input lacks counts, too. Later shards have
  /// greater ones, all below 2^56. Only shuffles and samples depend on how great.
  std::uint64_t position = 0;
  std::uint64_t most_samples = 256;
  /// The header of all inputs of the sort, which counts in place of the shard's own. Nothing: the shard has all inputs.
  std::optional<std::string> header = std::nullopt;
  /// The inputs are files that an earlier sort of the job has written: records without the header, which must be told.
  /// Assumptions name no places in them.
  bool is_of_job = false;
  /// Parts for values of the first key are made of what is merged: guesses about all keys are counted, as such a sort
  /// counts them by one process.
  bool is_for_values = false;
};

struct ShardRun {
  std::string file;  ///< its name in the directory
  std::uint64_t file_bytes = 0;
  std::uint64_t records = 0;
  std::uint64_t record_bytes = 0;  ///< as they are sorted: lines may have keys in front
  std::uint64_t output_bytes = 0;  ///< as they are written; groups as they are sorted
  std::uint64_t blocks = 0;
};

/// A record of a block, as far as its order counts. It stands for the bytes from it up to the next sample.
struct ShardSample {
  std::uint64_t run = 0;  ///< index in ShardReport::runs
  std::uint64_t block = 0;
  std::uint64_t output_bytes = 0;  ///< of the run, in front of the record
  std::string key;                 ///< text; samples of all shards order as these do, by their bytes
  std::string record;              ///< for SliceBound::record
  bool is_whole = false;           ///< records may be told from equal ones by their place: else SliceBound::run is -1
  std::uint64_t block_bytes = 0;   ///< decoded bytes of the block in front of the record
};

/// The first record of a shard in its order.
struct ShardFirst {
  std::string key;     ///< text, as that of ShardSample
  std::string record;  ///< as it was read
};

struct ShardReport {
  std::string identity;  ///< of order, options and locale: 32 hexadecimal digits, equal for all shards of a sort
  std::string locale;  ///< name of the locale and version of the C library, for messages; empty if lines order by bytes
  ShardTotals input;
  ShardTotals dropped;             ///< duplicates, or records behind the first ones wanted, that are in no run
  std::string header;              ///< of the input
  std::string header_form;         ///< of the header what counts when headers are compared: alike if they are one
  bool divides_equal_keys = true;  ///< false: records with equal keys must come to one part
  std::vector<ShardRun> runs;
  std::vector<ShardSample> samples;  ///< ordered by run and block
  std::vector<ShardAssumption> assumptions;
  std::optional<ShardFirst> first = {};  ///< of a side of a join without a header (join_shards.hpp)
};

/// How an input is divided.
struct InputExtent {
  std::uint64_t header_bytes = 0;  ///< in front of its records
  /// Bytes of the records, as they have positions; nothing if nobody knows before it is unpacked.
  std::optional<std::uint64_t> record_bytes;
};

/// The header of all inputs of a sort, and what is left out of it or lacks it.
struct InputsHeader {
  std::string header;
  std::vector<ShardAssumption> assumptions;
  std::vector<InputExtent> extents;  ///< of each input
};

/// Looks at the headers of SortOptions::inputs, which are files, as a sort of all of them does. Throws Error as that
/// sort does: if they do not make one header, or with SortOptions::strict, if there are assumptions.
InputsHeader find_inputs_header(const SortOptions& options);

/// Phase one of a shard: forms runs of SortOptions::inputs, which are files, or of a source that has an identity, and
/// merges nothing. Output and scratch
/// directories are not used. If the directory is there, from the same request, it is left as it is and told once more.
/// A process that is killed leaves the directory of its attempt, whose name begins like that of `directory` and
/// ".attempt-"; SortOptions::temporary_names has all names in it. Throws Error.
ShardReport form_shard(const SortOptions& options, const ShardRequest& request);

/// Where runs are cut: in front of all records that come behind it.
struct SliceBound {
  std::string record;
  /// The run of which it is a record, counted over all runs of the sort. Records with an equal key come before it in
  /// runs in front of that one, and behind it in later runs. -1: they all come behind it.
  std::int64_t run = -1;
  std::uint64_t block = 0;        ///< of the run, where the record lies
  std::uint64_t block_bytes = 0;  ///< decoded bytes of the block in front of the record
};

/// What of a run lies in front of a bound.
struct RunCut {
  std::uint64_t block = 0;        ///< the first block that has records behind the bound
  std::uint64_t block_bytes = 0;  ///< decoded bytes of that block in front of the bound
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;           ///< as they are sorted
  std::uint64_t output_bytes = 0;    ///< as they are written
  std::uint64_t stored_begin = 0;    ///< offset in the file of `block`
  std::uint64_t stored_end = 0;      ///< the same behind it; `stored_begin` unless `block_bytes` > 0
  std::uint64_t index_begin = 0;     ///< offset in the file of what the index says of `block`
  std::uint64_t index_end = 0;       ///< the same behind it; `index_begin` unless `block_bytes` > 0
  std::uint64_t index_checksum = 0;  ///< of the index from the `index_begin` of the cut before up to `index_end`
};

struct RunCuts {
  std::string identity;
  std::vector<RunCut> cuts;  ///< the begin of the run, one cut for each bound, and the end of the run
};

/// Cuts a run file. `run`: its number among all runs of the sort, in the order of shards and of their runs. `bounds`:
/// in order. `header`: of the inputs. Reads the index, and one block for each bound; more where keys are longer than
/// what the index has of them. Throws Error.
RunCuts cut_run(const SortOptions& options, const std::string& path, std::uint64_t run,
                std::span<const SliceBound> bounds, const std::string& header);

/// What all runs of a shard have in front of the begin, of each bound, and of the end.
struct ShardCuts {
  std::string identity;
  std::vector<std::uint64_t> records;
  std::vector<std::uint64_t> output_bytes;
  std::uint64_t file_bytes = 0;  ///< of the file of cuts
};

/// Cuts all runs of a shard, of which the first has the number `first_run`, and keeps the cuts in the file `path`,
/// which is replaced. SlicePlan::source reads it. Throws Error.
ShardCuts cut_shard(const SortOptions& options, const std::vector<std::string>& runs, std::uint64_t first_run,
                    std::span<const SliceBound> bounds, const std::string& header, const std::string& path);

/// The part of a run file between two cuts. Of the file these bytes are read, the others may be a hole:
///
///   | header | ... | begin.stored_begin .. end.stored_end | ... | begin.index_begin .. end.index_end | ... |
///    64 bytes        blocks                                       index
struct RunSlicePlan {
  std::string path;
  std::uint64_t run = 0;
  RunCut begin;
  RunCut end;  ///< the next cut of the run
};

/// Where the slices of a part are found, so that whoever plans many parts need not write each slice down.
struct SliceSource {
  /// A file of JSON: {"shards": [{"runs": [[PATH, BYTES], ...]}, ...]}.
  std::string runs_file;
  /// A directory with what cut_shard() has written for shard N: N in six digits or more, and ".rows". A shard without
  /// runs needs none.
  std::string cuts_directory;
  std::uint64_t part = 0;   ///< counted from 0
  std::uint64_t parts = 1;  ///< one more than there are bounds
};

struct SlicePlan {
  std::optional<SliceBound> begin;  ///< nothing: the begin of the output
  std::optional<SliceBound> end;
  std::string header;                 ///< of the inputs; names columns
  bool writes_header = false;         ///< in front of the records
  bool writes_payloads = false;       ///< of sort_by_place(): records without their positions
  bool for_files = false;             ///< what is written is for split_ranges(), and has no header
  RecordStart entry_start;            ///< with writes_payloads: SliceReport::begins is asked for
  std::uint64_t most_records = 0;     ///< the merge ends with so many; 0: with those that the options say
  std::vector<RunSlicePlan> slices;   ///< in the order of their runs
  std::optional<SliceSource> source;  ///< in place of `slices`
};

struct SliceReport {
  std::string identity;
  ShardTotals input;  ///< of the slices; without checksum
  ShardTotals output;
  ShardTotals dropped;           ///< without checksum if SortOptions::top_records ended the merge
  ShardTotals grouped;           ///< of the records of all groups that came; without checksum
  ShardTotals passed_on;         ///< of the records with their positions, for sort_by_place()
  std::uint64_t file_bytes = 0;  ///< that were written to the file, or to the range: packed, if they are packed
  Checksum file_checksum;        ///< of these bytes in turn
  bool is_framed = false;        ///< see RangesPlan
  /// Where entries begin in what was written, behind the header, that begin with no line which SlicePlan::entry_start
  /// matches: each was the first of its input. A sort of the file would take them to the entry in front of them.
  std::vector<std::uint64_t> begins = {};
};

/// Phase two of a part of the output: merges the slices into SortOptions::output, which is replaced as sort() does.
/// `offset`: the output is a file that is there, and the part is written into it from that offset on. A pipe gets the
/// part as it is merged: who reads it believes it when the report is there. Inputs are not used. Checks that all
/// records lie between both bounds, in order, and as many as there should be. Throws Error.
SliceReport merge_slices(const SortOptions& options, const SlicePlan& plan, std::optional<std::uint64_t> offset = {});

/// Whole records of a file that merge_slices() has written with SlicePlan::for_files.
struct RangeStretch {
  std::string path;
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;
};

struct RangesPlan {
  std::string header;  ///< of the inputs; names columns, and stands in each file as the output shows it
  /// SliceReport::is_framed, alike for all merges of a sort. Where bytes alone do not say where records end, lengths
  /// stand in front of each: those of a length-prefixed record, whose payload it is.
  bool are_framed = false;
  std::vector<RangeStretch> ranges;  ///< in the order of the output
};

struct RangesReport {
  std::vector<Checksum> checksums;  ///< of the bytes of each stretch, as they were read
};

/// Writes the files that SortOptions::parts ask for, of ranges that have been merged. Their records are taken as merges
/// have written them: nothing is looked at as an input is. Inputs are not used. Throws Error, and no file is there.
RangesReport split_ranges(const SortOptions& options, const RangesPlan& plan);

/// The options of the second sort of an output in the order of the input (SortOptions::output_order), for all of these
/// functions. The merges of the first sort have written records behind their positions, length-prefixed, into files:
/// they are the inputs, each a shard. `options`: of both sorts, but for `inputs` and `output`, which are those of the
/// second. SlicePlan::writes_payloads is for its merges, and SlicePlan::most_records in place of
/// SortOptions::top_records: all that the first sort has kept is formed, and verified.
SortOptions sort_by_place(const SortOptions& options);

/// Puts a complete file in the place of another, as sort() does with its output: `target` keeps mode, owner, access
/// list, other names and attributes. `source` is renamed where that is possible. Else it is copied, and stays: then the
/// return value is false. Throws Error, and `source` is there; `target` is as it was, unless it was being copied to.
bool put_in_place(const std::string& source, const std::string& target);

/// What the machine and its control groups leave to this process. `root`: the folder that holds proc and sys; empty for
/// those of the system.
struct MachineShare {
  std::uint64_t memory_bytes = 0;
  unsigned threads = 1;
};
MachineShare machine_share(const std::string& root = {});

/// These functions write reports as JSON and read plans from it, for programs in other languages. Byte strings are in
/// base64, checksums in hexadecimal digits.
std::string to_json(const ShardReport& report);
std::string to_json(const InputsHeader& header);
std::string to_json(const RunCuts& cuts, std::uint64_t run);
std::string to_json(const ShardCuts& cuts);
std::string to_json(const SliceReport& report);
std::string to_json(const RangesReport& report);

struct BoundList {
  std::vector<SliceBound> bounds;
  std::string header;
};
/// Each throws Error that names `file` if the text is not of the right form.
BoundList parse_bounds(const std::string& text, const std::string& file);
/// The header alone, as find_inputs_header() told it.
std::string parse_inputs_header(const std::string& text, const std::string& file);
SlicePlan parse_slice_plan(const std::string& text, const std::string& file);
RangesPlan parse_ranges_plan(const std::string& text, const std::string& file);

}  // namespace sortie
