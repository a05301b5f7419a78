#include "cli/option_values.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>

#include <sortie/error.hpp>
#include <sortie/parse_size.hpp>

namespace sortie::cli {
namespace {

constexpr std::string_view kLevelPrefix = "zstd:";
constexpr int kLowestZstdLevel = -7;
constexpr int kHighestZstdLevel = 19;

[[noreturn]] void refuse(std::string_view option, std::string_view word, std::string_view known) {
  throw Error("invalid value '" + std::string(word) + "' for " + std::string(option) + ": " + std::string(known));
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

template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, number);
  if (status != std::errc() || stop != end) return std::nullopt;
  return number;
}

std::uint64_t physical_memory_bytes() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page_bytes = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) throw Error("the size of the memory is not known: give -S/--buffer-size in bytes");
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes);
}

}  // namespace

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

ProgressMode parse_progress(std::string_view word) {
  return choose<ProgressMode>(
      "--progress", word,
      {{"auto", ProgressMode::kAuto}, {"always", ProgressMode::kAlways}, {"never", ProgressMode::kNever}});
}

bool parse_verify(std::string_view word) { return choose<bool>("--verify", word, {{"on", true}, {"off", false}}); }

bool parse_check_is_quiet(std::string_view word) {
  if (word.empty()) return false;
  return choose<bool>("--check", word, {{"diagnose-first", false}, {"quiet", true}, {"silent", true}});
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
  const std::optional<int> level = parse_number<int>(word.substr(kLevelPrefix.size()));
  if (!level || *level < kLowestZstdLevel || *level > kHighestZstdLevel) {
    refuse("--compress", word,
           "the level is from " + std::to_string(kLowestZstdLevel) + " to " + std::to_string(kHighestZstdLevel));
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
    const std::optional<int> device = parse_number<int>(rest.substr(0, comma));
    if (!device || *device < 0) refuse("--devices", word, "give all, or numbers separated by commas: 0,1");
    if (std::ranges::count(devices, *device) != 0) refuse("--devices", word, "a device is named twice");
    devices.push_back(*device);
    if (more) rest.remove_prefix(comma + 1);
  }
  return {devices, false};
}

unsigned parse_thread_count(std::string_view word) {
  const std::optional<unsigned> count = parse_number<unsigned>(word);
  if (!count || *count == 0) refuse("--parallel", word, "give a number of threads from 1 on");
  return *count;
}

std::uint64_t parse_memory_size(std::string_view word) {
  const std::uint64_t whole_bytes = word.ends_with('%') ? physical_memory_bytes() : 0;
  return std::max(kMinMemoryBytes, parse_size(word, "-S/--buffer-size", whole_bytes));
}

std::uint64_t parse_device_memory_size(std::string_view word) {
  if (word.ends_with('%')) refuse("--device-memory", word, "give a size, for example 2G");
  const std::uint64_t bytes = parse_size(word, "--device-memory", 0);
  if (bytes == 0) refuse("--device-memory", word, "give more than nothing, for example 2G");
  return bytes;
}

}  // namespace sortie::cli
