#include "cli/options/option_values.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "base/size.hpp"
#include "base/system_limits.hpp"
#include "base/whole_number.hpp"

namespace sortie::cli {
namespace {

constexpr std::string_view kLevelPrefix = "zstd:";

[[noreturn]] void refuse(std::string_view option, std::string_view word, std::string_view known) {
  throw Error("invalid value " + quote_word(word) + " for " + std::string(option) + ": " + std::string(known));
}

template <class Value>
struct Choice {
  std::string_view word;
  Value value;
};

template <class Value>
Value choose(std::string_view option, std::string_view word, std::initializer_list<Choice<Value>> choices) {
  std::string known = "known are";
  for (const Choice<Value>& choice : choices) {
    if (choice.word == word) return choice.value;
    known.append(known.ends_with("are") ? " " : ", ").append(choice.word);
  }
  refuse(option, word, known);
}

/// Takes words as the options of GNU programs do: shortened, if it is clear which one is meant. Words of equal value
/// must stand together in `choices`, as they do in the message.
template <class Value>
Value choose_shortened(std::string_view option, std::string_view word, std::initializer_list<Choice<Value>> choices) {
  const Choice<Value>* found = nullptr;
  bool ambiguous = false;
  std::string known;
  const Choice<Value>* before = nullptr;
  for (const Choice<Value>& choice : choices) {
    if (choice.word == word) return choice.value;
    if (choice.word.starts_with(word)) {
      ambiguous |= found != nullptr && found->value != choice.value;
      found = &choice;
    }
    const bool synonym = before != nullptr && before->value == choice.value;
    known.append(synonym ? ", " : "\n  - ").append(quote_word(choice.word));
    before = &choice;
  }
  if (found != nullptr && !ambiguous) return found->value;
  throw ArgumentError((ambiguous ? "ambiguous argument " : "invalid argument ") + quote_word(word) + " for " +
                      quote_word(option) + "\nValid arguments are:" + known);
}

}  // namespace

void refuse_together(std::string_view option, std::string_view other) {
  throw Error("options " + std::string(option) + " and " + std::string(other) +
              " are incompatible: leave one of the two out");
}

EngineChoice parse_engine(std::string_view word) {
  return choose<EngineChoice>(
      "--engine", word, {{"auto", EngineChoice::kAuto}, {"gpu", EngineChoice::kGpu}, {"cpu", EngineChoice::kCpu}});
}

Algorithm parse_algorithm(std::string_view word) {
  return choose<Algorithm>("--algorithm", word,
                           {{"auto", Algorithm::kAuto},
                            {"radix", Algorithm::kRadix},
                            {"bitonic", Algorithm::kBitonic},
                            {"merge", Algorithm::kMerge},
                            {"odd-even", Algorithm::kOddEven},
                            {"split-radix", Algorithm::kSplitRadix}});
}

JoinKind parse_join_kind(std::string_view word) {
  return choose<JoinKind>("--join", word,
                          {{"inner", JoinKind::kInner},
                           {"left", JoinKind::kLeft},
                           {"right", JoinKind::kRight},
                           {"full", JoinKind::kFull},
                           {"anti", JoinKind::kAnti}});
}

ProgressMode parse_progress(std::string_view word) {
  return choose<ProgressMode>(
      "--progress", word,
      {{"auto", ProgressMode::kAuto}, {"always", ProgressMode::kAlways}, {"never", ProgressMode::kNever}});
}

bool parse_verify(std::string_view word) { return choose<bool>("--verify", word, {{"on", true}, {"off", false}}); }

bool parse_check_is_quiet(std::string_view word) {
  return choose_shortened<bool>("--check", word, {{"quiet", true}, {"silent", true}, {"diagnose-first", false}});
}

bool parse_keep_is_last(std::string_view word) {
  return choose<bool>("--keep", word, {{"first", false}, {"last", true}});
}

std::uint64_t parse_record_count(std::string_view word, std::string_view option) {
  const bool is_number = !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
  // No input has as many records as a number that is too large, so the largest one says the same.
  const std::uint64_t count = is_number ? parse_count(word, option) : 0;
  if (count == 0) refuse(option, word, "give 1 or more");
  return count;
}

OutputOrder parse_output_order(std::string_view word) {
  return choose<OutputOrder>("--order", word, {{"keys", OutputOrder::kKeys}, {"input", OutputOrder::kInput}});
}

std::uint64_t parse_part_count(std::string_view word) {
  const std::optional<std::uint64_t> count = whole_number<std::uint64_t>(word);
  if (!count || *count == 0 || *count > kMostParts) {
    refuse("--split", word, "give a number from 1 to " + std::to_string(kMostParts));
  }
  return *count;
}

std::uint64_t parse_part_size(std::string_view word) {
  const bool has_no_suffix = !word.empty() && word.back() >= '0' && word.back() <= '9';
  const std::uint64_t bytes = parse_size(std::string(word) + (has_no_suffix ? "b" : ""), "--split-size", 0);
  if (bytes == 0) refuse("--split-size", word, "give a size, for example 1G");
  return bytes;
}

int parse_output_level(std::string_view word) {
  const std::optional<int> level = whole_number<int>(word);
  if (!level || *level < 1) refuse("--output-level", word, "give a number from 1 to 9, for .zst up to 19");
  return *level;
}

int parse_year(std::string_view word) {
  const std::optional<int> year = whole_number<int>(word);
  if (!year || *year < 1 || *year > 9999) refuse("--year", word, "give a year from 1 to 9999");
  return *year;
}

char parse_sort_word(std::string_view word) {
  return choose_shortened<char>("--sort", word,
                                {{"general-numeric", 'g'},
                                 {"human-numeric", 'h'},
                                 {"month", 'M'},
                                 {"numeric", 'n'},
                                 {"random", 'R'},
                                 {"version", 'V'}});
}

HelpForm parse_help_form(std::string_view word) {
  if (word.empty()) return HelpForm::kText;
  return choose<HelpForm>(
      "--help", word,
      {{"man", HelpForm::kMan}, {"bash", HelpForm::kBash}, {"zsh", HelpForm::kZsh}, {"fish", HelpForm::kFish}});
}

std::string parse_separator(std::string_view word, bool as_gnu_sort) {
  if (word.empty()) throw Error("empty tab");
  if (word == "\\0") return std::string(1, '\0');
  if (as_gnu_sort && word.size() > 1) throw Error("multi-character tab " + quote_word(word));
  return std::string(word == "\\t" ? "\t" : word);
}

ChromosomeOrder parse_chromosome_order(std::string_view word) {
  return choose<ChromosomeOrder>("--chromosomes", word,
                                 {{"natural", ChromosomeOrder::kNatural},
                                  {"karyotype", ChromosomeOrder::kKaryotype},
                                  {"bytes", ChromosomeOrder::kBytes},
                                  {"header", ChromosomeOrder::kHeader}});
}

CompressionChoice parse_compression(std::string_view word) {
  if (!word.starts_with(kLevelPrefix)) {
    return {choose<Compression>("--compress", word,
                                {{"auto", Compression::kAuto},
                                 {"none", Compression::kNone},
                                 {"zstd", Compression::kZstd},
                                 {"zstd:LEVEL", Compression::kZstd}}),
            0};
  }
  const std::optional<int> level = whole_number<int>(word.substr(kLevelPrefix.size()));
  if (!level || *level < kLowestCompressionLevel || *level > kHighestCompressionLevel) {
    refuse("--compress", word,
           "the level is from " + std::to_string(kLowestCompressionLevel) + " to " +
               std::to_string(kHighestCompressionLevel));
  }
  return {Compression::kZstd, *level};
}

DeviceChoice parse_devices(std::string_view word) {
  if (word == "all") return {{}, true};
  std::vector<int> devices;
  std::string_view rest = word;
  for (bool more = true; more;) {
    const std::size_t comma = rest.find(',');
    more = comma != std::string_view::npos;
    const std::optional<int> device = whole_number<int>(rest.substr(0, comma));
    if (!device || *device < 0) refuse("--devices", word, "give all, or numbers separated by commas: 0,1");
    if (std::ranges::count(devices, *device) != 0) refuse("--devices", word, "a device is named twice");
    devices.push_back(*device);
    if (more) rest.remove_prefix(comma + 1);
  }
  return {devices, false};
}

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

unsigned parse_thread_count(std::string_view word) {
  const std::uint64_t count = parse_count(word, "--parallel");
  if (count == 0) throw Error("number in parallel must be nonzero");
  return static_cast<unsigned>(std::min<std::uint64_t>(count, kMostThreads));
}

std::uint64_t parse_batch_size(std::string_view word) {
  constexpr std::uint64_t kFewest = 2;
  // Standard input, output and error are open too.
  constexpr std::uint64_t kStandardFiles = 3;
  const std::uint64_t count = parse_count(word, "--batch-size");
  if (count < kFewest) {
    throw Error("invalid --batch-size argument " + quote_word(word) + "\nminimum --batch-size argument is " +
                quote_word(std::to_string(kFewest)));
  }
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) {
    throw Error(std::string("cannot get the limit on open files: ") + std::strerror(errno));
  }
  if (count > limit.rlim_cur - kStandardFiles) {
    throw Error("--batch-size argument " + quote_word(word) +
                " too large\nmaximum --batch-size argument with current rlimit is " +
                std::to_string(limit.rlim_cur - kStandardFiles));
  }
  return count;
}

Quoting parse_quoting(std::string_view word) {
  return choose<Quoting>("--quote", word,
                         {{"csv", Quoting::kCsv}, {"none", Quoting::kNone}, {"backslash", Quoting::kBackslash}});
}

std::uint64_t parse_header_lines(std::string_view word) {
  if (word == "AUTO" || word == "auto") return 0;
  const std::optional<std::uint64_t> count = word.empty() ? 1 : whole_number<std::uint64_t>(word);
  if (!count) refuse("--header", word, "give a number of lines, or AUTO for those that begin with #");
  if (*count == 0) throw Error("--header=0 keeps no line in front: leave it out");
  return *count;
}

std::uint64_t parse_memory_size(std::string_view word, std::string_view option) {
  const std::uint64_t whole_bytes = word.ends_with('%') ? total_memory_bytes() : 0;
  return std::max(kMinMemoryBytes, parse_size(word, option, whole_bytes));
}

std::uint64_t parse_device_memory_size(std::string_view word) {
  if (word.ends_with('%')) refuse("--device-memory", word, "give a size, for example 2G");
  const std::uint64_t bytes = parse_size(word, "--device-memory", 0);
  if (bytes == 0) refuse("--device-memory", word, "give more than nothing, for example 2G");
  return bytes;
}

}  // namespace sortie::cli
