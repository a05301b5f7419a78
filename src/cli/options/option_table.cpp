#include "cli/options/option_table.hpp"

#include <array>

namespace sortie::cli {
namespace {

using enum OptionId;
constexpr OptionOrigin kGnu = OptionOrigin::kGnu;
constexpr OptionOrigin kOwn = OptionOrigin::kSortie;
constexpr OptionGroup kAction = OptionGroup::kAction;
constexpr OptionGroup kJoins = OptionGroup::kJoin;
constexpr OptionGroup kOrder = OptionGroup::kOrder;
constexpr OptionGroup kRecords = OptionGroup::kRecords;
constexpr OptionGroup kResources = OptionGroup::kResources;
constexpr OptionGroup kObservation = OptionGroup::kObservation;
constexpr OptionGroup kShards = OptionGroup::kShards;
constexpr OptionGroup kOther = OptionGroup::kOther;

constexpr std::array kGroups = std::to_array<OptionGroupTitle>({
    {kAction, "What to do"},
    {kJoins, "Join of two files"},
    {kOrder, "Order of lines"},
    {kRecords, "Records"},
    {kResources, "Resources"},
    {kObservation, "Trust and observation"},
    {kShards, "One sort by several processes, as sortie-cluster runs it"},
    {kOther, "Other"},
});

// Names that begin alike stand in the order in which GNU sort lists them when a shortened name is ambiguous.
// clang-format off
constexpr std::array kOptions = std::to_array<OptionSpec>({
    {kOutput, kGnu, "output", 'o', "FILE", "FILE", kAction,
     "write to FILE, which may be one of the inputs; it is replaced when all is done; a FILE that ends in .gz, .zst, "
     ".bz2, .xz or .lz4 is compressed, .bgz and .gz behind .vcf, .bed, .gff, .gff3, .gtf or .sam as BGZF, for tabix"},
    {kOutputLevel, kOwn, "output-level", '\0', "N", "", kAction,
     "compress FILE at level N: from 1, fast, to 9, to 19 for .zst, to 12 for .lz4, small (default: 6 for .gz and .xz, 3 for "
     ".zst, 9 for .bz2, 1 for .lz4)"},
    {kSplit, kOwn, "split", '\0', "N", "", kAction,
     "write N files of about equal bytes, cut between records; their names are FILE with a number from 0 in place of {}, "
     "{:04d} or the like"},
    {kSplitSize, kOwn, "split-size", '\0', "SIZE", "", kAction,
     "write files of at most SIZE: in bytes before they are compressed, or with a suffix as for -S"},
    {kSplitRecords, kOwn, "split-records", '\0', "N", "", kAction, "write files of N lines or records"},
    {kSplitBy, kOwn, "split-by", '\0', "KEY", "", kAction,
     "write a file for each value of KEY: a field, column or value as for -k, by which lines are ordered first; the value "
     "takes the place of {} in FILE"},
    {kTogether, kOwn, "together", '\0', "", "", kAction,
     "keep lines or records with equal keys in one of the files; with --split, --split-size or --split-records"},
    {kManifest, kOwn, "manifest", '\0', "LIST", "FILE", kAction,
     "write a list of these files to LIST: JSON, with their records, bytes, checksums, first and last keys"},
    {kUnique, kGnu, "unique", 'u', "", "", kAction,
     "of lines or records with equal keys write only the first; with -c, check that no two are equal"},
    {kKeep, kOwn, "keep", '\0', "WHICH", "first last", kAction,
     "of lines or records with equal keys keep the first (default) or the last; with -u or --count"},
    {kCount, kOwn, "count", '\0', "", "", kAction,
     "like -u, with the number of lines that have the same keys in front: as uniq -c does; with --group, this number as a "
     "column"},
    {kRepeated, kOwn, "repeated", '\0', "", "", kAction,
     "like -u, but only of lines or records whose keys come several times: as uniq -d does"},
    {kOnlyOnce, kOwn, "only-once", '\0', "", "", kAction,
     "write only lines or records whose keys no other has: as uniq -u does"},
    {kUnion, kOwn, "union", '\0', "", "", kAction,
     "write lines or records that any FILE has, each once: FILEs are sets, told apart by keys"},
    {kIntersect, kOwn, "intersect", '\0', "", "", kAction, "write lines or records that every FILE has, each once"},
    {kExcept, kOwn, "except", '\0', "", "", kAction,
     "write lines or records of the first FILE that no other has, each once"},
    {kSymmetric, kOwn, "symmetric", '\0', "", "", kAction,
     "write lines or records that exactly one FILE has, each once"},
    {kOutputOrder, kOwn, "order", '\0', "WHICH", "keys input", kAction,
     "write what is kept of equal lines or records in the order of the keys (default) or of the input; with -u, --count, "
     "--repeated, --only-once, --sample or sets"},
    {kGroup, kOwn, "group", '\0', "", "", kAction,
     "write one line for each group of equal keys: the keys, then the aggregates that are asked for, in the order of their "
     "options, of which --count is one; repeat them as you like"},
    {kSum, kOwn, "sum", '\0', "COL", "", kAction,
     "with --group, the exact sum of a column: the number of a field, the name or number of a column of CSV, or the path "
     "of a value of JSON; nothing and null do not count"},
    {kMin, kOwn, "min", '\0', "COL", "", kAction, "with --group, the least number of a column, as it is written"},
    {kMax, kOwn, "max", '\0', "COL", "", kAction, "with --group, the greatest number of a column, as it is written"},
    {kMean, kOwn, "mean", '\0', "COL", "", kAction, "with --group, the mean of a column, rounded to 17 digits"},
    {kFirst, kOwn, "first", '\0', "COL", "", kAction, "with --group, the text of a column in the first line, by the order of the input"},
    {kLast, kOwn, "last", '\0', "COL", "", kAction, "with --group, the text of a column in the last line"},
    {kTop, kOwn, "top", '\0', "N", "", kAction,
     "write only the first N lines or records of the sorted output; takes little more than reading the input"},
    {kSample, kOwn, "sample", '\0', "N[,SEED]", "", kAction,
     "sort only N of the lines or records, drawn at random; every set of N is equally likely; SEED, any text, draws the "
     "same again (default: others each time)"},
    {kShuffle, kOwn, "shuffle", '\0', "[=SEED]", "", kAction,
     "write the lines or records in random order, every order being equally likely; equal ones do not stay together, as "
     "with -R; SEED, any text, gives the same order again (default: another one each time)"},
    {kMerge, kGnu, "merge", 'm', "", "", kAction, "merge inputs that are sorted already, as they come; one that is not is merged as it stands"},
    {kCheckShort, kGnu, "", 'c', "", "", kAction, "say where the input is out of order; do not sort"},
    {kCheckQuietly, kGnu, "", 'C', "", "", kAction, "like -c, but say nothing: the exit status tells"},
    {kCheck, kGnu, "check", '\0', "[=HOW]", "diagnose-first quiet silent", kAction,
     "say whether the input is in order: diagnose-first, like -c (default); quiet or silent, like -C"},
    {kFiles0From, kGnu, "files0-from", '\0', "F", "FILE", kAction,
     "read the files whose names stand in file F, each ended by NUL; of standard input if F is -"},
    {kPlan, kOwn, "plan", '\0', "", "", kAction,
     "print what a sort would do and the scratch space it needs; do nothing"},
    {kExplain, kOwn, "explain", '\0', "", "", kAction,
     "say in words what the options order by; underline in the first lines of the first FILE what the keys are; do not "
     "sort"},
    {kColumns, kOwn, "columns", '\0', "", "", kAction,
     "list the columns of CSV: of each the number, and the name as keys have it; do not sort"},

    {kJoin, kOwn, "join", '\0', "KIND", "inner left right full anti", kJoins,
     "join two FILEs, lines or CSV, by keys: inner, each record of the left with each of the right that has equal keys; "
     "left, right, full, also what has no partner on that side or on any; anti, only what of the left has none"},
    {kRightKey, kOwn, "right-key", '\0', "KEYDEF", "", kJoins,
     "the key of the right file, if it is another than that of -k; repeat it for each -k"},
    {kSelect, kOwn, "select", '\0', "LIST", "", kJoins,
     "write these columns: 0 for the keys, 1.N or 2.N for field N of the left or right file, of CSV also NAME, left.NAME "
     "or right.NAME (default: the keys and what else both have)"},
    {kEmpty, kOwn, "empty", '\0', "TEXT", "", kJoins, "write TEXT for fields that are empty or missing"},

    {kDebug, kGnu, "debug", '\0', "", "", kObservation,
     "underline in every line what its keys are; warn of doubtful options on standard error"},

    {kIgnoreLeadingBlanks, kGnu, "ignore-leading-blanks", 'b', "", "", kOrder, "ignore leading blanks of keys"},
    {kDictionaryOrder, kGnu, "dictionary-order", 'd', "", "", kOrder, "consider only blanks, letters and digits"},
    {kIgnoreCase, kGnu, "ignore-case", 'f', "", "", kOrder, "take lower case as upper case"},
    {kGeneralNumericSort, kGnu, "general-numeric-sort", 'g', "", "", kOrder,
     "by value, of numbers as programs write them: 1.5e3, 0x1F, inf; what is no number comes first, then NaN"},
    {kHumanNumericSort, kGnu, "human-numeric-sort", 'h', "", "", kOrder, "by value, of numbers with units: 2K 1G"},
    {kIgnoreNonprinting, kGnu, "ignore-nonprinting", 'i', "", "", kOrder, "consider only printable characters"},
    {kMonthSort, kGnu, "month-sort", 'M', "", "", kOrder, "by month: what is none < JAN < ... < DEC"},
    {kNumericSort, kGnu, "numeric-sort", 'n', "", "", kOrder,
     "by value, of decimal numbers of any length; what is no number counts as 0"},
    {kRandomSort, kGnu, "random-sort", 'R', "", "", kOrder, "shuffle, but keep equal keys together"},
    {kRandomSource, kGnu, "random-source", '\0', "FILE", "FILE", kOrder,
     "shuffle as the first 16 bytes of FILE say: always alike"},
    {kVersionSort, kGnu, "version-sort", 'V', "", "", kOrder, "by the numbers within the text: v1.9 < v1.10"},
    {kReverse, kGnu, "reverse", 'r', "", "", kOrder, "reverse the order; with -s equal keys still keep their input order"},
    {kSort, kGnu, "sort", '\0', "WORD", "general-numeric human-numeric month numeric random version", kOrder,
     "one of these orders by its name: general-numeric -g, human-numeric -h, month -M, numeric -n, random -R, version -V"},
    {kKey, kGnu, "key", 'k', "KEYDEF", "", kOrder,
     "sort by part of the line; repeat it for further keys; with --csv or --tsv also by a column: NAME[:TYPE][:desc]; "
     "by a time: KEYDEF:time; KEYDEF:n:desc is KEYDEF with the letters nr"},
    {kFieldSeparator, kGnu, "field-separator", 't', "SEP", "", kOrder,
     "fields are separated by SEP, one character or several, \\0 is NUL, \\t a tab; else each begins where blanks follow "
     "what is none"},
    {kStable, kGnu, "stable", 's', "", "", kOrder,
     "keep the input order of lines with equal keys; else their bytes decide"},
    {kYear, kOwn, "year", '\0', "N", "", kOrder,
     "the year of times that are written without one (default: the one up to the day after the last change of the files)"},
    {kZone, kOwn, "zone", '\0', "ZONE", "", kOrder,
     "the zone of times that name none (default: UTC): a name of the tz database, whose own names (CET, CEST) are "
     "understood then, or an offset; further names as NAME=OFFSET: Europe/Berlin,MSK=+03:00"},

    {kChromosomes, kOwn, "chromosomes", '\0', "ORDER", "natural karyotype bytes header", kOrder,
     "with --bed and --vcf: natural (default; by the numbers in names: chr2 chr10 chrX), karyotype (numbers, X, Y, M, then "
     "all others), bytes (chr10 chr2), or header (of VCF: as its ##contig lines list them, then all others)"},

    {kCsv, kOwn, "csv", '\0', "", "", kRecords,
     "lines are records of CSV: fields between commas, or what -t says; in double quotes they may hold commas, quotes, "
     "each doubled, and newlines; keys are of what the quotes hold; records with equal keys keep their order; the first "
     "record is a header and stays in front"},
    {kTsv, kOwn, "tsv", '\0', "", "", kRecords, "like --csv with tabs in place of commas, and without quotes"},
    {kJsonl, kOwn, "jsonl", '\0', "", "", kRecords,
     "lines are JSON; keys are values in them: -k PATH[:TYPE][:desc], PATH as in .user.id, .a[0] or .\"a b\"; what is missing "
     "or null comes last"},
    {kBed, kOwn, "bed", '\0', "", "", kRecords,
     "lines are records of BED: by chromosome, start and end, then by keys, if any; equal ones keep their order; lines at the "
     "start that begin with #, browser or track stay in front"},
    {kVcf, kOwn, "vcf", '\0', "", "", kRecords,
     "lines are records of VCF: by chromosome and position, then by keys, if any; equal ones keep their order; lines at the "
     "start that begin with # stay in front"},
    {kHeader, kOwn, "header", '\0', "[=N]", "AUTO", kRecords,
     "keep the first N lines (default: 1) of the input in front, or with AUTO those that begin with #, of CSV with the "
     "names behind them; further inputs must begin with the same ones, of CSV with the same names"},
    {kNoHeader, kOwn, "no-header", '\0', "", "", kRecords, "records of --csv and --tsv have no header in front of them"},
    {kQuote, kOwn, "quote", '\0', "HOW", "csv none backslash", kRecords,
     "what quotes mean in --csv and --tsv: csv (default of --csv; as RFC 4180 has it), none (default of --tsv; bytes like "
     "others), or backslash (a quote within a quoted field stands behind a backslash)"},
    {kNa, kOwn, "na", '\0', "[=WORDS]", "", kRecords,
     "where numbers are read, take words for a missing value: -, NA, N/A, NULL, None, NaN and WORDS, separated by commas; it "
     "is not added, and comes last in numeric keys, as an empty field does then; with -n, -g, -h, --sum, --mean, --min or "
     "--max"},
    {kEntryStart, kOwn, "entry-start", '\0', "REGEX", "", kRecords,
     "lines that REGEX matches begin entries; all lines up to the next such line belong to one; keys are of its first "
     "line; entries with equal keys keep their order; characters are those of the locale if that has UTF-8, else bytes"},
    {kFormat, kOwn, "format", '\0', "FORMAT", "lines fixed: prefixed gensort u32 i32 u64 i64 f32 f64", kRecords,
     "what the records are: lines (default); fixed:BYTES, records of that length; prefixed, records with their lengths "
     "in front, ordered by their keys; gensort, records of 100 bytes ordered by the first 10; "
     "u32, i32, u64, i64, f32 or f64, bare little-endian numbers"},
    {kField, kOwn, "field", '\0', "FIELD", "", kRecords,
     "order fixed records by a field: TYPE@OFFSET[:LENGTH][:desc]; repeat it for further fields; TYPE is bytes (with "
     "LENGTH), u8 u16 u32 u64 i8 i16 i32 i64 f32 or f64, the numbers with le (default) or be; without any field "
     "the whole record counts"},
    {kZeroTerminated, kGnu, "zero-terminated", 'z', "", "", kRecords, "lines end in NUL, not in newline"},

    {kBatchSize, kGnu, "batch-size", '\0', "N", "", kResources,
     "merge at most N sorted runs at once, more in several passes (default: as many as the memory allows)"},
    {kBufferSize, kGnu, "buffer-size", 'S', "SIZE", "", kResources,
     "use at most SIZE of memory for data (default: three quarters of what is available); less than 256K counts as "
     "256K, and less than 1/256 of the input as that, up to 32M"},
    {kTemporaryDirectory, kGnu, "temporary-directory", 'T', "DIR", "DIR", kResources,
     "keep what does not fit into memory in DIR, not in $TMPDIR or /tmp; repeat it to spread over several disks"},
    {kCheckpoint, kOwn, "checkpoint", '\0', "DIR", "DIR", kResources,
     "keep sorted runs in DIR; after a kill, a crash or a power cut the same command goes on from there; DIR is made, "
     "closed to others, and removed when all is done"},
    {kParallel, kGnu, "parallel", '\0', "N", "", kResources, "use N threads (default: all that the process may use)"},
    {kCompressProgram, kGnu, "compress-program", '\0', "PROG", "gzip bzip2 xz lzop lz4 zstd", kResources,
     "compress what is kept in DIR with PROG, and unpack it with \"PROG -d\"; what a usual compressor would do is done as "
     "by --compress=zstd"},
    {kCompress, kOwn, "compress", '\0', "HOW", "auto none zstd zstd:", kResources,
     "compress what is kept in DIR: auto (default; on disks where it pays, in memory never unless room is short), none, "
     "zstd, or zstd:LEVEL with a level from -7 to 19"},
    {kEngine, kOwn, "engine", '\0', "ENGINE", "auto gpu cpu", kResources,
     "what sorts: auto (default; a GPU if there is one and the input is large enough for it to pay), gpu or cpu"},
    {kDevices, kOwn, "devices", '\0', "LIST", "all", kResources,
     "the numbers of the GPUs to use: for example 0,1; or all (default: as many as pay for the size of the input)"},
    {kDeviceMemory, kOwn, "device-memory", '\0', "SIZE", "", kResources,
     "use at most SIZE of memory on each GPU (default: what the input needs, or a quarter of what is free if that is "
     "more, or not known)"},
    {kAlgorithm, kOwn, "algorithm", '\0', "NAME", "auto radix bitonic merge odd-even split-radix", kResources,
     "sort on the GPU with auto (default; the fastest), radix, bitonic, merge, odd-even or split-radix"},

    {kVerify, kOwn, "verify", '\0', "on|off", "on off", kObservation,
     "compare counts, checksums and order of input and output (default: on)"},
    {kStrict, kOwn, "strict", '\0', "", "", kObservation,
     "refuse to assume anything: what would be a warning of a time or number that cannot be read, a year or a value that "
     "is missing, ends the sort with status 2, and the output stays as it was"},
    {kProgress, kOwn, "progress", '\0', "WHEN", "auto always never", kObservation,
     "show progress on standard error: auto (default; if it is a terminal), always or never"},
    {kStats, kOwn, "stats", '\0', "", "", kObservation,
     "say on standard error what was done, how fast, and what was the bottleneck"},
    {kStatsJson, kOwn, "stats-json", '\0', "FILE", "FILE", kObservation, "write the same to FILE as JSON"},
    {kReport, kOwn, "report", '\0', "FILE", "FILE", kObservation,
     "write the same to FILE as a page for a browser: pictures of what was busy when, memory and scratch space, and what "
     "would help"},
    {kTrace, kOwn, "trace", '\0', "FILE", "FILE", kObservation,
     "write a timeline of all threads and GPUs to FILE, for ui.perfetto.dev or chrome://tracing"},

    {kForm, kOwn, "form", '\0', "DIR", "DIR", kShards,
     "sort a shard, one file or several, into runs in DIR, made when they are complete; say as JSON what they are"},
    {kBytes, kOwn, "bytes", '\0', "A-B", "", kShards,
     "the shard: records that begin in bytes A to B - 1 of the only input; without B, up to its end (default: 0-)"},
    {kPlace, kOwn, "place", '\0', "P", "", kShards,
     "with --form, the place of the shard's first byte among those of all shards; with --cut, the number of the run among "
     "all runs (default: 0)"},
    {kSamples, kOwn, "samples", '\0', "N", "", kShards, "tell at most N keys of the shard's runs (default: 256)"},
    {kSharedHeader, kOwn, "shared-header", '\0', "[=FILE]", "FILE", kShards,
     "say as JSON which header all files together have, as a sort of them finds out; with --form, and FILE that holds what "
     "was said: the header of the shard's files counts for nothing beside that"},
    {kCut, kOwn, "cut", '\0', "BOUNDS", "FILE", kShards,
     "say as JSON what of a run lies in front of each bound in the file BOUNDS; with -o FILE, cut all runs of a shard, "
     "and write that to FILE"},
    {kMergeRuns, kOwn, "merge-runs", '\0', "PLAN", "FILE", kShards,
     "merge the slices of runs that the file PLAN lists; -o FILE@OFFSET writes them into FILE from OFFSET on"},

    {kSelfTest, kOwn, "self-test", '\0', "", "", kOther,
     "test this installation: sort made-up records in all formats and orders, on each engine that there is, and compare "
     "the results with a plain sort; takes no files, and of the options those of resources alone"},
    {kHelp, kGnu, "help", '\0', "[=FORM]", "man bash zsh fish", kOther,
     "show this help; man: as a manual page; bash, zsh, fish: as a script that completes options in that shell"},
    {kVersion, kGnu, "version", '\0', "", "", kOther, "show the version"},
});
// clang-format on

}  // namespace

std::span<const OptionSpec> option_table() { return kOptions; }

std::span<const OptionGroupTitle> option_groups() { return kGroups; }

std::string_view OptionSpec::brief() const {
  const std::string_view text = help.substr(0, help.find_first_of(":;("));
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

std::string display_name(const OptionSpec& option, std::string_view separator) {
  std::string name;
  if (option.short_name != '\0') name.append("-").append(1, option.short_name);
  if (!name.empty() && !option.long_name.empty()) name.append(separator);
  if (!option.long_name.empty()) name.append("--").append(option.long_name);
  return name;
}

}  // namespace sortie::cli
