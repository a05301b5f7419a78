// Everything that a caller can say of a sort: SortOptions, and the words of its fields. Taken by all doors: sort(),
// check(), plan(), join(), Sorter and the functions of shards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/error.hpp>
#include <sortie/format.hpp>
#include <sortie/grouping.hpp>
#include <sortie/index_options.hpp>
#include <sortie/parts.hpp>
#include <sortie/record_stream.hpp>
#include <sortie/temporary_names.hpp>

namespace sortie {

enum class EngineChoice : std::uint8_t { kAuto, kGpu, kCpu };
/// How a chunk is sorted on the GPU; kAuto takes the fastest for the size and type.
enum class Algorithm : std::uint8_t { kAuto, kRadix, kBitonic, kMerge, kOddEven, kSplitRadix };
enum class Compression : std::uint8_t { kAuto, kNone, kZstd };
enum class ProgressMode : std::uint8_t { kAuto, kAlways, kNever };

/// How far a sort is.
struct Progress {
  std::string_view phase;  ///< "forming runs", "merging", ...: valid during the call only
  std::uint64_t done_bytes = 0;
  std::uint64_t total_bytes = 0;  ///< 0: unknown
  double seconds = 0;             ///< since the phase began
};

/// Which keys the output shows, where records with equal keys count as one.
enum class KeyFilter : std::uint8_t {
  kAll,
  kRepeated,  ///< those whose keys several records have
  kOnce,      ///< those whose keys no other record has
};

/// What is made of the inputs where each counts as the set of its keys.
enum class SetOperation : std::uint8_t {
  kNone,       ///< the inputs are one
  kUnion,      ///< keys that any input has
  kIntersect,  ///< keys that all inputs have
  kExcept,     ///< keys of the first input that no other has
  kSymmetric,  ///< keys that exactly one input has
};

/// The order in which the output shows records.
enum class OutputOrder : std::uint8_t {
  kKeys,   ///< sorted
  kInput,  ///< as they stood in the input
};

/// What a sort is asked for, in four groups: what the result is (behaviour), where it goes (output), what the sort may
/// use (resources), and what it tells (diagnosis). Every default suits most sorts.
struct SortOptions {
  // --- Behaviour: which records come out, and in which order -------------------------------------------------------
  /// What a record is, and the order. The default: lines, ordered by their bytes.
  Format format;
  /// Paths; "-" is standard input. None: standard input.
  std::vector<std::string> inputs;
  /// Gives the records in place of `inputs`, which must then be empty. They are never unpacked. Checkpoints need
  /// `source_identity`.
  RecordSource source;
  /// About how many bytes `source` gives; 0: unknown. Memory is divided by this guess, and any number may come.
  std::uint64_t source_bytes = 0;
  /// Tells what `source` gives from what other sources give, as path, size and times tell files. If it is not empty,
  /// the same bytes come again when the sort is begun again: a checkpoint keeps runs of them, and form_shard() takes
  /// them.
  std::string source_identity;
  /// Tells where records of `source` come from: the list of dropped_path names these places. Called once all records
  /// are read, by one thread at a time. Null: the list has their numbers among all.
  SourcePlaces source_places;
  /// Unpack compressed inputs, and compress an output whose name ends like that of a compressed file. False: read and
  /// write bytes as they are.
  bool unpack = true;
  /// Names of inputs and output that begin with the scheme of a store (s3, gs, az, https, http) are objects there.
  /// False: they are paths like all others.
  bool objects = true;
  /// Number of lines at the start of every input that form its header. The header is written once, in front of all
  /// records. All inputs must have the same one; an empty input has none. Its first line names the columns, so that a
  /// key by name makes this at least 1.
  std::uint64_t header_lines = 0;
  /// If this is not empty, the header of an input is all lines in front of the first that begins with none of these,
  /// for example "#"; there may be none. Every input must have the header of the first one that is not empty, or none.
  /// For lines that are neither CSV nor JSON Lines; not beside `header_lines`.
  std::vector<std::string> header_prefixes;
  /// The inputs are sorted already: only merge them, piece by piece. An input that is not sorted keeps its own order: a
  /// record is never written before its predecessor in that input.
  bool merge_only = false;
  /// Keep only the first of records with equal keys.
  bool unique = false;
  /// Keep the last of records with equal keys, not the first. For `unique`, `count`, kRepeated and sets only.
  bool keep_last = false;
  /// Keep, of records with equal keys, the one that this key puts first; of several such, the first. For lines, CSV and
  /// JSON Lines, with `unique` or `count` alone, and not beside `keep_last`.
  std::optional<TextKey> keep_best;
  /// Keep one of the lines with equal keys, with their number in front of it, as `uniq -c` does. Lines only.
  bool count = false;
  /// kRepeated and kOnce show only some of the keys, as `uniq -d` and `uniq -u` do. They imply `unique`.
  KeyFilter key_filter = KeyFilter::kAll;
  /// Take each input as the set of its keys. One record of each key that the operation wants is kept: the first in the
  /// order of the inputs, or with `keep_last` the last. Needs two inputs; those of `merge_only` must be in order.
  /// Implies `unique`. With `count`, records of all inputs with the same key are counted. Not for shuffles, nor with a
  /// `key_filter`.
  SetOperation set_operation = SetOperation::kNone;
  /// How many inputs are compared, for a part of a job that gets only some of them: see ShardRequest::position. 0:
  /// those in `inputs`.
  std::uint64_t set_inputs = 0;
  /// Write one record for each group of equal keys, with aggregates of it, in place of the records. For lines, CSV and
  /// JSON Lines; the last two need keys. A header keeps only the names of what is written. The count of records, and
  /// their bytes, are verified.
  std::optional<Grouping> grouping;
  /// Keep only this many records, the first ones of the output. The others are dropped at the speed of reading. 0: all.
  std::uint64_t top_records = 0;
  /// kInput: the records that are kept come in the order of the input. They are sorted twice for that, in the same
  /// memory. For `unique`, `count`, `key_filter`, `set_operation` and `sample_records` only.
  OutputOrder output_order = OutputOrder::kKeys;
  /// Before all else, keep only this many records, drawn at random; every set of so many is equally likely. All inputs
  /// are read once. 0: all. Not for `merge_only`, `set_operation` and checkpoints.
  std::uint64_t sample_records = 0;
  /// The same seed draws the same sample, whatever the memory, threads and engine. None: made up.
  std::optional<RandomSeed> sample_seed;
  /// Refuse to assume anything: what would be told as an Assumption ends the sort with an Error, and the output stays
  /// untouched.
  bool strict = false;
  /// Compare count and checksum of input and output, and the output's order. Nearly free.
  bool verify = true;

  // --- Output: where it goes ---------------------------------------------------------------------------------------
  /// Path, or "-" for standard output. May be one of the inputs: it is replaced when all is done.
  std::string output = "-";
  /// Takes the output, header first, in place of `output`, which must then be "-". What it has taken counts only once
  /// sort() returns.
  RecordSink sink;
  /// Called when `sink` has all records and these are verified, before what a checkpoint keeps is removed: what is made
  /// of them can be completed here. What it throws ends the sort, which may go on later.
  std::function<void()> sink_end;
  /// The output goes to several files, and `output` is the pattern of their names: one place in it stands for what
  /// tells them apart. It is {}, or {:04d} and the like for numbers, which begin with 0.
  Parts parts;
  /// Path for a list of the records that `unique` or `count` dropped, each with the one that was kept for it; empty:
  /// none. It is packed as its name says, and takes its place when the output has taken its own. src/cli/TRAINING.md
  /// has its form. Not for `merge_only`, `top_records`, `sample_records`, sets, checkpoints and shards.
  std::string dropped_path;
  /// Compression level of .gz, .xz, .bz2 (1 to 9), .zst (1 to 19) and .lz4 (1 to 12) outputs. 0: the usual level of
  /// gzip (6), xz (6), bzip2 (9), zstd (3) and lz4 (1).
  int output_level = 0;
  /// An index beside an output that is BGZF, of records in the order of a genome. Both take their places together.
  std::optional<IndexOptions> index;
  /// Files that the sort must not write over, beside its inputs: if the output, a part of it, the trace, the statistics
  /// or the report page is one of them, sort() throws Error. Name files here that your program reads meanwhile.
  std::vector<std::string> protected_files;

  // --- Resources: what the sort may use ----------------------------------------------------------------------------
  /// Upper bound on host memory for data, in bytes. Records longer than a share of it may exceed it. 0: 3/4 of the
  /// available memory. Set it where other programs need memory.
  std::uint64_t memory_bytes = 0;
  /// CPU threads. 0: as many as the process may use. More than kMostThreads count as kMostThreads; if there are more
  /// threads than processors, they share these.
  unsigned threads = 0;
  /// kAuto sorts on a GPU if there is one and it pays off for the size of the input.
  EngineChoice engine = EngineChoice::kAuto;
  /// CUDA device numbers. Empty: the first GPUs, as many as pay off for the size of the input.
  std::vector<int> devices;
  /// Use all GPUs, whether they pay off or not. `devices` must then be empty.
  bool all_devices = false;
  /// Upper bound on the memory used on each GPU, in bytes. 0: what the input needs, or a share of what is free. Set it
  /// where other programs use the GPU.
  std::uint64_t device_memory_bytes = 0;
  /// How chunks are sorted on a GPU. Set it to compare algorithms.
  Algorithm algorithm = Algorithm::kAuto;
  /// Directories for runs that do not fit in memory, used in turn. Empty: $TMPDIR, else /tmp. Name fast disks with as
  /// much free space as the input has bytes.
  std::vector<std::string> scratch_directories;
  /// Whether runs in scratch space are compressed. kAuto: where it is faster.
  Compression compression = Compression::kAuto;
  /// Level of kZstd, from kLowestCompressionLevel to kHighestCompressionLevel. 0: the default (1). Higher levels save
  /// scratch space and take time.
  int compression_level = 0;
  /// A program that compresses runs in scratch space in place of zstd: PROG packs its standard input to standard
  /// output, PROG -d unpacks. It packs each run that is spilled, as a whole, and is not started otherwise. Not for
  /// checkpoints. A name that leads to no program, or an empty name, is an error only when the program is to be
  /// started.
  std::optional<std::string> compress_program;
  /// Most runs merged at once; more runs take several passes. 0: as many as the memory allows. Otherwise at least 2.
  std::uint64_t merge_fan_in = 0;
  /// Directory for the runs and a list of them, so that after a kill, a crash or a power cut the same sort continues
  /// behind the last run. `scratch_directories` must then be empty. The directory must belong to this user alone. If it
  /// is missing it is created, and removed when the sort is complete, unless it holds other files, which are left
  /// alone. Nothing else that the sort writes may lie in it. Inputs must be files, not pipes. Not for `merge_only` and
  /// `top_records`. Empty: no checkpoint.
  std::string checkpoint_directory;
  /// Once it asks for a stop, sort() and check() throw Stopped, usually within a tenth of a second, and leave nothing
  /// behind but the runs of a checkpoint. Giving memory and scratch files back takes the system up to another tenth for
  /// each GB. A source, sink or `watch` that waits must end by itself; so must the opening of a named pipe that nobody
  /// opens at its other end, and the start of a GPU. Without effect once the output is in its place.
  std::stop_token stop;
  /// Records names of files that would be left behind if a signal ended the process. May be null.
  TemporaryNames* temporary_names = nullptr;

  // --- Diagnosis: what the sort tells ------------------------------------------------------------------------------
  /// Takes warnings of one line each: before any work, that there may be too little scratch space; while inputs are
  /// read, that one ends in bytes that are ignored, or that one to be merged is not sorted; before the output is put
  /// in place, what was assumed; at the end, that a checkpoint directory stays.
  std::function<void(const Warning& warning)> warn;
  /// Called when a phase begins, and then up to ten times a second while bytes are done; by any thread of the sort, by
  /// one at a time. What it, `source` or `sink` throws ends the sort: a std::exception comes out of sort() as Error.
  /// The last call, for the end of the last phase, comes before the output is put in its place.
  std::function<void(const Progress& progress)> watch;
  /// A progress line on standard error; kAuto: only if that is a terminal.
  ProgressMode progress = ProgressMode::kNever;
  /// Path for a Chrome trace (JSON); empty: none. Like the output, it is written beside the target and renamed when
  /// complete; pipes, terminals and devices are written in place.
  std::string trace_path;
  /// Path for the report as JSON, written like the trace; empty: none. For sort() and join().
  std::string stats_json_path;
  /// Path for the report as a page of HTML with pictures, written like the trace; empty: none. For sort() and join().
  std::string report_path;
};

/// The smallest memory_bytes that sort() accepts.
inline constexpr std::uint64_t kMinMemoryBytes = 256 << 10;

inline constexpr unsigned kMostThreads = 1024;
inline constexpr int kLowestCompressionLevel = -7;
inline constexpr int kHighestCompressionLevel = 19;

}  // namespace sortie
