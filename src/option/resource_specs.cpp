// Options that say with what to sort: memory, scratch space, threads, engine and GPUs.
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>

#include "base/quote.hpp"
#include "base/size.hpp"
#include "base/system_limits.hpp"
#include "base/whole_number.hpp"
#include "option/catalogue_parts.hpp"
#include "option/field_setters.hpp"
#include "option/request.hpp"
#include "option/set_once.hpp"

namespace sortie::option {
namespace {

constexpr std::array kEngineWords = std::to_array<Word<EngineChoice>>(
    {{"auto", EngineChoice::kAuto}, {"gpu", EngineChoice::kGpu}, {"cpu", EngineChoice::kCpu}});
constexpr std::array kAlgorithmWords = std::to_array<Word<Algorithm>>({{"auto", Algorithm::kAuto},
                                                                       {"radix", Algorithm::kRadix},
                                                                       {"bitonic", Algorithm::kBitonic},
                                                                       {"merge", Algorithm::kMerge},
                                                                       {"odd-even", Algorithm::kOddEven},
                                                                       {"split-radix", Algorithm::kSplitRadix}});
constexpr std::array kCompressionWords = std::to_array<Word<Compression>>({{"auto", Compression::kAuto},
                                                                           {"none", Compression::kNone},
                                                                           {"zstd", Compression::kZstd},
                                                                           {"zstd:LEVEL", Compression::kZstd}});

/// The most files that GNU sort would open for a merge, beside standard input, output and error.
std::uint64_t most_open_files() {
  constexpr std::uint64_t kStandardFiles = 3;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) {
    throw Error(std::string("cannot get the limit on open files: ") + std::strerror(errno));
  }
  return limit.rlim_cur - kStandardFiles;
}

void set_batch_size(Request& request, const Value& value) {
  constexpr std::uint64_t kFewest = 2;
  const std::uint64_t count = value.as_gnu_count();
  request.options.merge_fan_in = count;
  if (!value.is_word()) {
    if (count < kFewest) value.refuse(std::to_string(count), "a merge takes two runs at least; give 2 or more");
    return;
  }
  const std::string argument = "--batch-size argument " + quote_word(value.as_text());
  if (count < kFewest) {
    throw Error("invalid " + argument + "\nminimum --batch-size argument is " + quote_word(std::to_string(kFewest)));
  }
  if (const std::uint64_t most = most_open_files(); count > most) {
    throw Error(argument + " too large\nmaximum --batch-size argument with current rlimit is " + std::to_string(most));
  }
}

/// As in GNU sort, the largest of several sizes counts; % is of the machine's memory.
void set_memory(Request& request, const Value& value) {
  std::uint64_t bytes = 0;
  if (value.is_word()) {
    const std::string word = value.as_text();
    bytes = std::max(kMinMemoryBytes, parse_size(word, value.name(), word.ends_with('%') ? total_memory_bytes() : 0));
  } else {
    bytes = value.as_size("4GB", 'b');
    if (bytes < kMinMemoryBytes) {
      value.refuse(std::to_string(bytes), "that is too small; give " + std::to_string(kMinMemoryBytes) +
                                              " bytes or more, or None for the default");
    }
  }
  request.options.memory_bytes = std::max(request.options.memory_bytes, bytes);
}

void set_scratch(Request& request, const Value& value) {
  for (std::string& path : value.as_paths()) {
    if (path.empty() && !value.is_word()) value.refuse("", "give a directory, or None for the default");
    request.options.scratch_directories.push_back(std::move(path));
  }
}

void set_threads(Request& request, const Value& value) {
  const std::uint64_t count = value.as_gnu_count();
  if (count == 0 && value.is_word()) throw Error("number in parallel must be nonzero");
  if (count == 0) value.refuse("0", "give 1 or more, or None for as many as there are");
  request.options.threads = static_cast<unsigned>(std::min<std::uint64_t>(count, kMostThreads));
}

/// Whether a program is a usual compressor, which Sortie replaces by its own compression.
bool is_usual_compressor(std::string_view program) {
  constexpr std::string_view kCompressors[] = {"brotli", "bzip2", "compress", "gzip",   "lbzip2", "lz4",
                                               "lzip",   "lzma",  "lzop",     "pbzip2", "pigz",   "pixz",
                                               "pxz",    "pzstd", "snzip",    "xz",     "zstd",   "zstdmt"};
  constexpr std::string_view kSystemFolders[] = {"", "/bin/", "/usr/bin/", "/usr/local/bin/"};
  const std::size_t name_begin = program.rfind('/') + 1;  // npos + 1 is 0
  // In other folders, a program of this name may be the user's own.
  return std::ranges::count(kSystemFolders, program.substr(0, name_begin)) > 0 &&
         std::ranges::count(kCompressors, program.substr(name_begin)) > 0;
}

void set_compress_program(Request& request, const Value& value) {
  const std::string program = value.as_path_or_none();
  if (!value.is_word()) {
    request.options.compress_program = program;
    return;
  }
  set_once(request.compress_program, program, "multiple compress programs specified");
  const bool by_itself = is_usual_compressor(program);
  request.options.compression = by_itself ? Compression::kZstd : Compression::kAuto;
  request.options.compress_program = by_itself ? std::nullopt : std::optional(program);
}

void set_compression(Request& request, const Value& value) {
  constexpr std::string_view kLevelPrefix = "zstd:";
  SortOptions& options = request.options;
  if (value.is_word()) options.compress_program.reset();
  const std::string word = value.as_text();
  if (!word.starts_with(kLevelPrefix)) {
    options.compression = value.as_choice(kCompressionWords);
    options.compression_level = 0;
    return;
  }
  const std::optional<int> level = whole_number<int>(std::string_view(word).substr(kLevelPrefix.size()));
  if (!level || *level < kLowestCompressionLevel || *level > kHighestCompressionLevel) {
    value.refuse(word, "the level is from " + std::to_string(kLowestCompressionLevel) + " to " +
                           std::to_string(kHighestCompressionLevel));
  }
  options.compression = Compression::kZstd;
  options.compression_level = *level;
}

void set_devices(Request& request, const Value& value) {
  request.options.devices.clear();
  request.options.all_devices = value.is_text() && value.as_text() == "all";
  if (!request.options.all_devices) request.options.devices = value.as_numbers();
}

constexpr std::array kResourceSpecs = std::to_array<Spec>({
    {.long_name = "batch-size",
     .origin = Origin::kGnu,
     .argument = "N",
     .help = "merge at most N sorted runs at once, more in several passes (default: as many as the memory allows)",
     .python = {"merge_fan_in", "int", kAllJobs | kOfAllClusters, "most runs merged at once"},
     .is_set = is_given<&SortOptions::merge_fan_in>,
     .set = set_batch_size},
    {.long_name = "buffer-size",
     .short_name = 'S',
     .origin = Origin::kGnu,
     .argument = "SIZE",
     .help =
         "use at most SIZE of memory for data (default: three quarters of what is available); less than 256K counts "
         "as 256K, and less than 1/256 of the input as that, up to 32M",
     .python =
         {"memory", "int | str", kAllJobs | kOfAllClusters,
          "upper bound on memory for data: bytes, or \"4GB\", \"4GiB\", \"512M\"; default: 3/4 of what is available"},
     .is_set = is_given<&SortOptions::memory_bytes>,
     .set = set_memory},
    {.long_name = "temporary-directory",
     .short_name = 'T',
     .origin = Origin::kGnu,
     .argument = "DIR",
     .values = "DIR",
     .help =
         "keep what does not fit into memory in DIR, not in $TMPDIR or /tmp; repeat it to spread over several disks",
     .python = {"scratch", "_Path | Iterable[_Path]", kAllJobs,
                "directories for what does not fit, used in turn; default: $TMPDIR, else /tmp"},
     .not_on_clusters = "runs are kept in the job directory",
     .is_set = is_given<&SortOptions::scratch_directories>,
     .set = set_scratch},
    {.long_name = "checkpoint",
     .argument = "DIR",
     .values = "DIR",
     .help =
         "keep sorted runs in DIR; after a kill, a crash or a power cut the same command goes on from there; DIR is "
         "made, closed to others, and removed when all is done",
     .python = {"checkpoint", "_Path", kOfFiles,
                "directory from which the same sort goes on after a kill or a power cut"},
     .not_on_clusters = "the job directory keeps what is done",
     .is_set = is_given<&SortOptions::checkpoint_directory>,
     .set = [](Request& request,
               const Value& value) { request.options.checkpoint_directory = value.as_path_or_none(); }},
    {.long_name = "parallel",
     .origin = Origin::kGnu,
     .argument = "N",
     .help = "use N threads (default: all that the process may use)",
     .python = {"threads", "int", kAllJobs | kOfAllClusters, "CPU threads; default: as many as the process may use"},
     .is_set = is_given<&SortOptions::threads>,
     .set = set_threads},
    {.long_name = "compress-program",
     .origin = Origin::kGnu,
     .argument = "PROG",
     .values = "gzip bzip2 xz lzop lz4 zstd",
     .help =
         "compress what is kept in DIR with PROG, and unpack it with \"PROG -d\"; what a usual compressor would do is "
         "done as by --compress=zstd",
     .python = {"compress_program", "_Path", kAllJobs, "a program in place of that"},
     .not_on_clusters = "runs are compressed by the sort itself, as --compress says",
     .is_set = is_given<&SortOptions::compress_program>,
     .set = set_compress_program},
    {.long_name = "compress",
     .argument = "HOW",
     .values = "auto none zstd zstd:",
     .help =
         "compress what is kept in DIR: auto (default; on disks where it pays, in memory never unless room is short), "
         "none, zstd, or zstd:LEVEL with a level from -7 to 19",
     .python = {"compression", "str", kAllJobs | kOfClusters,
                "of scratch space: \"auto\" (default), \"none\", \"zstd\", \"zstd:LEVEL\""},
     .is_set = is_given<&SortOptions::compression>,
     .set = set_compression},
    {.long_name = "engine",
     .argument = "ENGINE",
     .values = kJoinedWords<kEngineWords>,
     .help =
         "what sorts: auto (default; a GPU if there is one and the input is large enough for it to pay), gpu or cpu",
     .python = {"engine", kOneOfTheValues, kAllJobs | kOfClusters, "what sorts: \"auto\" (default), \"gpu\", \"cpu\""},
     .is_set = is_given<&SortOptions::engine>,
     .set = set_choice<kEngineWords, &SortOptions::engine>},
    {.long_name = "devices",
     .argument = "LIST",
     .values = "all",
     .help =
         "the numbers of the GPUs to use: for example 0,1; or all (default: as many as pay for the size of the input)",
     .python = {"devices", "int | Iterable[int] | Literal[\"all\"]", kAllJobs | kOfAllClusters,
                "GPUs by number, or \"all\""},
     .is_set = [](const SortOptions& options) { return options.all_devices || !options.devices.empty(); },
     .set = set_devices},
    {.long_name = "device-memory",
     .argument = "SIZE",
     .help =
         "use at most SIZE of memory on each GPU (default: what the input needs, or a quarter of what is free if that "
         "is more, or not known)",
     .python = {"device_memory", "int | str", kAllJobs | kOfAllClusters, "upper bound on the memory of each GPU"},
     .is_set = is_given<&SortOptions::device_memory_bytes>,
     .set = [](Request& request,
               const Value& value) { request.options.device_memory_bytes = value.as_size("2G", 'K'); }},
    {.long_name = "algorithm",
     .argument = "NAME",
     .values = kJoinedWords<kAlgorithmWords>,
     .help = "sort on the GPU with auto (default; the fastest), radix, bitonic, merge, odd-even or split-radix",
     .python = {"algorithm", kOneOfTheValues, kAllJobs | kOfAllClusters, "how a GPU sorts a chunk"},
     .is_set = is_given<&SortOptions::algorithm>,
     .set = set_choice<kAlgorithmWords, &SortOptions::algorithm>},
});

}  // namespace

std::span<const Spec> resource_specs() { return kResourceSpecs; }

}  // namespace sortie::option
