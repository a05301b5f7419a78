#include "cli/option_table.hpp"

#include <array>

namespace sortie::cli {
namespace {

using enum OptionId;
constexpr OptionGroup kAction = OptionGroup::kAction;
constexpr OptionGroup kRecords = OptionGroup::kRecords;
constexpr OptionGroup kResources = OptionGroup::kResources;
constexpr OptionGroup kObservation = OptionGroup::kObservation;
constexpr OptionGroup kOther = OptionGroup::kOther;
constexpr OptionGroup kLater = OptionGroup::kNotBuilt;

// clang-format off
constexpr std::array kOptions = std::to_array<OptionSpec>({
    {kOutput, "output", 'o', "FILE", kAction,
     "write to FILE, which may be one of the inputs; it is replaced when all is done; a FILE that ends in .gz, .zst or "
     ".bz2 is compressed"},
    {kReverse, "reverse", 'r', "", kAction, "reverse the order; equal keys still keep their input order"},
    {kUnique, "unique", 'u', "", kAction,
     "of records with equal keys write only the first; with -c, check that no two are equal"},
    {kStable, "stable", 's', "", kAction, "keep the input order of equal keys; Sortie always does"},
    {kMerge, "merge", 'm', "", kAction, "merge inputs that are sorted already; one that is not is an error"},
    {kCheckShort, "", 'c', "", kAction, "say where the input is out of order; do not sort"},
    {kCheckQuietly, "", 'C', "", kAction, "like -c, but say nothing: the exit status tells"},
    {kCheck, "check", '\0', "[=HOW]", kAction, "diagnose-first: like -c (default); quiet, silent: like -C"},
    {kPlan, "plan", '\0', "", kAction,
     "print what a sort would do and the scratch space it needs; do nothing"},

    {kFormat, "format", '\0', "FORMAT", kRecords,
     "lines (default); fixed:BYTES, records of that length; gensort, records of 100 bytes ordered by the first 10; "
     "u32, i32, u64, i64, f32 or f64, bare little-endian numbers"},
    {kField, "field", '\0', "FIELD", kRecords,
     "TYPE@OFFSET[:LENGTH][:desc], a field to order fixed records by; repeat it for further fields; TYPE is bytes (with "
     "LENGTH), u8 u16 u32 u64 i8 i16 i32 i64 f32 or f64, the numbers with le (default) or be; without any field "
     "the whole record counts"},
    {kZeroTerminated, "zero-terminated", 'z', "", kRecords, "lines end in NUL, not in newline"},

    {kBufferSize, "buffer-size", 'S', "SIZE", kResources,
     "use at most SIZE of memory for data (default: three quarters of what is available); less than 256K counts as "
     "256K"},
    {kTemporaryDirectory, "temporary-directory", 'T', "DIR", kResources,
     "keep what does not fit into memory in DIR, not in $TMPDIR or /tmp; repeat it to spread over several disks"},
    {kParallel, "parallel", '\0', "N", kResources, "use N threads (default: all that the process may use)"},
    {kCompress, "compress", '\0', "HOW", kResources,
     "compress what is kept in DIR: auto (default; where it pays), none, zstd, or zstd:LEVEL with a level from -7 "
     "to 19"},
    {kEngine, "engine", '\0', "ENGINE", kResources,
     "auto (default; a GPU if there is one and the input is large enough for it to pay), gpu or cpu"},
    {kDevices, "devices", '\0', "LIST", kResources,
     "the numbers of the GPUs to use: 0,1; or all (default: as many as pay for the size of the input)"},
    {kDeviceMemory, "device-memory", '\0', "SIZE", kResources,
     "use at most SIZE of memory on each GPU (default: most of what is free)"},
    {kAlgorithm, "algorithm", '\0', "NAME", kResources,
     "sort on the GPU with auto (default; the fastest), radix, bitonic, merge, odd-even or split-radix"},

    {kVerify, "verify", '\0', "on|off", kObservation,
     "compare counts, checksums and order of input and output (default: on)"},
    {kProgress, "progress", '\0', "WHEN", kObservation,
     "show progress on standard error: auto (default; if it is a terminal), always or never"},
    {kStats, "stats", '\0', "", kObservation,
     "say on standard error what was done, how fast, and what was the bottleneck"},
    {kStatsJson, "stats-json", '\0', "FILE", kObservation, "write the same to FILE as JSON"},
    {kTrace, "trace", '\0', "FILE", kObservation,
     "write a timeline of all threads and GPUs to FILE, for ui.perfetto.dev or chrome://tracing"},

    {kHelp, "help", '\0', "", kOther, "show this help"},
    {kVersion, "version", '\0', "", kOther, "show the version"},

    {kNotBuilt, "ignore-leading-blanks", 'b', "", kLater, ""},
    {kNotBuilt, "dictionary-order", 'd', "", kLater, ""},
    {kNotBuilt, "ignore-case", 'f', "", kLater, ""},
    {kNotBuilt, "general-numeric-sort", 'g', "", kLater, ""},
    {kNotBuilt, "ignore-nonprinting", 'i', "", kLater, ""},
    {kNotBuilt, "month-sort", 'M', "", kLater, ""},
    {kNotBuilt, "human-numeric-sort", 'h', "", kLater, ""},
    {kNotBuilt, "numeric-sort", 'n', "", kLater, ""},
    {kNotBuilt, "random-sort", 'R', "", kLater, ""},
    {kNotBuilt, "version-sort", 'V', "", kLater, ""},
    {kNotBuilt, "key", 'k', "KEYDEF", kLater, ""},
    {kNotBuilt, "field-separator", 't', "SEP", kLater, ""},
    {kNotBuilt, "sort", '\0', "WORD", kLater, ""},
    {kNotBuilt, "random-source", '\0', "FILE", kLater, ""},
    {kNotBuilt, "batch-size", '\0', "NMERGE", kLater, ""},
    {kNotBuilt, "compress-program", '\0', "PROG", kLater, ""},
    {kNotBuilt, "files0-from", '\0', "F", kLater, ""},
    {kNotBuilt, "debug", '\0', "", kLater, ""},
});
// clang-format on

}  // namespace

std::span<const OptionSpec> option_table() { return kOptions; }

std::string display_name(const OptionSpec& option) {
  std::string name;
  if (option.short_name != '\0') name.append("-").append(1, option.short_name);
  if (!name.empty() && !option.long_name.empty()) name += '/';
  if (!option.long_name.empty()) name.append("--").append(option.long_name);
  return name;
}

}  // namespace sortie::cli
