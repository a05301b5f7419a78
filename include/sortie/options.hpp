// Everything a caller can say about a sort. Options in two groups: what the result is (behaviour) and
// how it is reached (performance, observation). Every field has a default that suits most people.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <sortie/format.hpp>
#include <sortie/temporary_names.hpp>

namespace sortie {

enum class EngineChoice : std::uint8_t { kAuto, kGpu, kCpu };
/// How a chunk is sorted on the GPU; kAuto takes the fastest for the size and type.
enum class Algorithm : std::uint8_t { kAuto, kRadix, kBitonic, kMerge, kOddEven, kSplitRadix };
enum class Compression : std::uint8_t { kAuto, kNone, kZstd };
enum class ProgressMode : std::uint8_t { kAuto, kAlways, kNever };

struct SortOptions {
  // --- Behaviour -------------------------------------------------------------------------------
  Format format;
  /// Paths; "-" is standard input. None means standard input.
  std::vector<std::string> inputs;
  /// Path, or "-" for standard output. May be one of the inputs: it is replaced when all is done.
  std::string output = "-";
  /// So many first lines of every input are its header: they stay in front, once. The inputs must have the same one; an
  /// empty input has none. Names of columns stand in the first of them, which is taken for granted if a key has a name.
  std::uint64_t header_lines = 0;
  /// Keep only the first of records with equal keys.
  bool unique = false;
  /// The inputs are sorted already: merge them only, piece by piece. One that is not sorted is merged as it stands:
  /// each of its records comes when those in front of it are out, and no sooner than its key says.
  bool merge_only = false;
  /// Unpack inputs that are compressed, and compress an output whose name ends as if it were. Off: bytes are bytes.
  bool unpack = true;
  /// Compare count and checksum of input and output, and the output's order. Nearly free.
  bool verify = true;
  /// Keep the last, not the first, of records with equal keys. For `unique` and `count` only.
  bool keep_last = false;
  /// Lines only: in front of each line say how many lines have its keys, as `uniq -c` does, and keep one of them only.
  bool count = false;
  /// Keep only so many records, the first ones of the output. The rest is passed over at the speed of reading. 0: all.
  std::uint64_t top_records = 0;

  // --- Performance -----------------------------------------------------------------------------
  /// Ceiling on host memory for data, in bytes, but for records longer than a share of it. 0: 3/4 of what is available.
  std::uint64_t memory_bytes = 0;
  /// Runs merged at once, at most; more take several passes. 0: as many as the memory allows; else at least 2.
  std::uint64_t merge_fan_in = 0;
  /// Where runs go that do not fit in memory; used in turn. Empty: $TMPDIR, else /tmp.
  std::vector<std::string> scratch_directories;
  /// Keep runs here, with a list of them, so that the same sort goes on behind the last of them after a kill, a crash
  /// or a power cut; `scratch_directories` is empty then. A directory of this user alone; made if it is missing, and
  /// then removed when all is done, unless it holds other files: these are left alone. Nothing else that the sort
  /// writes may lie in it. Inputs are files, not pipes. Not for merge_only and top_records. Empty: none.
  std::string checkpoint_directory;
  /// The seed of a random order was made up: a sort that is continued takes that of its beginning.
  bool seed_is_made_up = false;
  /// CPU threads. 0: all that the process may use. More than kMostThreads count as so many, and more than there are
  /// processors share these.
  unsigned threads = 0;
  EngineChoice engine = EngineChoice::kAuto;
  /// CUDA device numbers. Empty: the first ones, as many as pay for the size of the input.
  std::vector<int> devices;
  /// Use all GPUs, whether they pay or not. `devices` is empty then.
  bool all_devices = false;
  /// Ceiling on the memory used on each GPU, in bytes. 0: none; what the input needs is taken, or a share (README.md).
  std::uint64_t device_memory_bytes = 0;
  Algorithm algorithm = Algorithm::kAuto;
  Compression compression = Compression::kAuto;
  /// zstd level for kZstd, from kLowestCompressionLevel to kHighestCompressionLevel; 0 takes the default (1).
  int compression_level = 0;
  /// A program that compresses runs in scratch space in place of zstd: PROG packs its standard input to standard
  /// output, PROG -d unpacks. It is run for blocks of runs, and only where runs are spilled. Not for checkpoints.
  /// A name that leads to no program, an empty one too, is found out where it is to be run.
  std::optional<std::string> compress_program;

  // --- Observation -----------------------------------------------------------------------------
  /// A progress line on standard error; kAuto: only if that is a terminal.
  ProgressMode progress = ProgressMode::kNever;
  /// Chrome trace (JSON) to write; empty: none. As the output it is written beside the target and renamed when
  /// complete; pipes, terminals and devices are written in place.
  std::string trace_path;
  /// The report as JSON, written like the trace; empty: none. For sort() only.
  std::string stats_json_path;
  /// Is told in one line each: before any work, of what the sort may yet fail of, too little scratch space by estimate;
  /// of a merge, of inputs that are not sorted; in the end, of a checkpoint's directory that stays.
  std::function<void(const std::string& message)> warn;
  /// Files that the caller reads or writes meanwhile, or has read: neither output nor trace nor statistics may be one
  /// of them.
  std::vector<std::string> other_files;
  /// Is told of names that would be left behind if a signal ended the process. May be null.
  TemporaryNames* temporary_names = nullptr;
};

/// The smallest memory_bytes that sort() accepts.
inline constexpr std::uint64_t kMinMemoryBytes = 256 << 10;

inline constexpr unsigned kMostThreads = 1024;
inline constexpr int kLowestCompressionLevel = -7;
inline constexpr int kHighestCompressionLevel = 19;

}  // namespace sortie
