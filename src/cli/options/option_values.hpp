// Turns the words that options take into values. Each function throws Error that names the option, the word and the
// known words; for options of GNU sort in GNU sort's words.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/genome_order.hpp>
#include <sortie/join.hpp>
#include <sortie/options.hpp>

namespace sortie::cli {

// A command line that cannot be understood. The command prints the message and points at --help.

class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A word that is none of those that an option takes: GNU programs exit with 1 then, not with the status of trouble.
class ArgumentError : public UsageError {
 public:
  using UsageError::UsageError;
};

/// Throws Error: of two options that do not go together, one is to go.
[[noreturn]] void refuse_together(std::string_view option, std::string_view other);

EngineChoice parse_engine(std::string_view word);
Algorithm parse_algorithm(std::string_view word);
JoinKind parse_join_kind(std::string_view word);
ProgressMode parse_progress(std::string_view word);
/// `on` or `off`.
bool parse_verify(std::string_view word);
/// Whether --check=`word` is quiet. An empty word is the default, diagnose-first.
bool parse_check_is_quiet(std::string_view word);

/// Whether the last is to be kept: `first` or `last`.
bool parse_keep_is_last(std::string_view word);
/// The number of --top, --sample or --split-records; at least 1.
std::uint64_t parse_record_count(std::string_view word, std::string_view option);
/// `keys` or `input`.
OutputOrder parse_output_order(std::string_view word);
/// The number of --split; at least 1.
std::uint64_t parse_part_count(std::string_view word);
/// The size of --split-size; at least 1. Without suffix it is one of bytes.
std::uint64_t parse_part_size(std::string_view word);

/// The number of --output-level, at least 1.
int parse_output_level(std::string_view word);

/// The year of --year, 1 to 9999.
int parse_year(std::string_view word);

/// The letter of the ordering option that --sort=`word` stands for.
char parse_sort_word(std::string_view word);
/// The separator of -t: the word itself, or NUL for "\\0". `as_gnu_sort`: it has one byte; else "\\t" is a tab.
std::string parse_separator(std::string_view word, bool as_gnu_sort);

enum class HelpForm : std::uint8_t { kText, kMan, kBash, kZsh, kFish };
/// An empty word is the default, text.
HelpForm parse_help_form(std::string_view word);

struct CompressionChoice {
  Compression compression = Compression::kAuto;
  int level = 0;
};
CompressionChoice parse_compression(std::string_view word);

struct DeviceChoice {
  std::vector<int> devices;
  bool all = false;
};
/// "all", or "0,1".
DeviceChoice parse_devices(std::string_view word);
/// The number of --parallel, at least 1.
unsigned parse_thread_count(std::string_view word);
/// The number of --batch-size, at least 2.
std::uint64_t parse_batch_size(std::string_view word);
/// What quotes mean in CSV.
Quoting parse_quoting(std::string_view word);
/// Lines of a header, at least 1, or 0 for AUTO. An empty word is the default, 1.
std::uint64_t parse_header_lines(std::string_view word);
/// --chromosomes
ChromosomeOrder parse_chromosome_order(std::string_view word);
/// Whether a program is a usual compressor, which Sortie replaces by its own compression.
bool is_usual_compressor(std::string_view program);
/// At least kMinMemoryBytes; % is of the machine's memory. `option`: its name as called.
std::uint64_t parse_memory_size(std::string_view word, std::string_view option);
std::uint64_t parse_device_memory_size(std::string_view word);

}  // namespace sortie::cli
