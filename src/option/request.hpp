// What a caller asks for, option by option, before it is known how the options go together. Entries of the catalogue
// fill it; settled_request.hpp makes of it what the library takes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sortie/file_format_options.hpp>
#include <sortie/format.hpp>
#include <sortie/genome_order.hpp>
#include <sortie/join_options.hpp>
#include <sortie/options.hpp>
#include <sortie/text_keys.hpp>

#include "option/door.hpp"
#include "option/option_spec.hpp"
#include "option/value.hpp"

namespace sortie::option {

enum class CheckMode : std::uint8_t { kNo, kDiagnose, kQuiet };
enum class HelpForm : std::uint8_t { kText, kMan, kBash, kZsh, kFish };

/// The word of a key, which may be the name of a column or the path of a value.
struct KeyWord {
  std::size_t key = 0;  ///< index of its key
  std::string word;
  std::string option;          ///< its name, for messages
  bool is_definition = false;  ///< it can be read as a KEYDEF
};

/// An aggregate as it is written. What its column means is known when all options are.
struct AggregateWord {
  std::optional<AggregateKind> kind;  ///< none: `word` has it, "sum:price"
  std::string word;
};

struct ByteRange {
  std::uint64_t begin = 0;
  std::optional<std::uint64_t> end;  ///< nothing: to the end of the input
};

/// What options and formats are called, by GenomeFile.
inline constexpr std::array<std::string_view, 4> kGenomeWords = {"bed", "vcf", "gff", "gtf"};

inline std::string_view word_of(GenomeFile file) { return kGenomeWords.at(static_cast<std::size_t>(file)); }

/// How records and lines are ordered.
struct OrderRequest {
  std::string format = "lines";
  std::vector<Field> fields;
  OrderingOptions global;
  std::vector<KeyDefinition> keys;
  std::vector<KeyWord> key_words;
  std::optional<std::string> split_by;  ///< the word of a key in front of all others
  std::optional<std::string> shares;    ///< by which files are told apart, in place of the key's values
  std::optional<std::string> weight;    ///< where records have their weights
  bool csv = false;
  bool tsv = false;
  bool jsonl = false;
  std::optional<GenomeFile> genome;
  std::optional<ChromosomeOrder> chromosomes;
  std::string chromosome_list;  ///< the file of ChromosomeOrder::kList
  std::optional<Quoting> quoting;
  std::string separator;          ///< empty: none was given
  std::optional<char> delimiter;  ///< what ends a line
  std::optional<bool> locale;     ///< none: where it makes a difference
  bool stable = false;
  std::optional<std::string> random_source;
  std::optional<RandomSeed> random_seed;  ///< in place of a file
  bool shuffle = false;
  std::optional<std::string> shuffle_seed;
  /// What is told of lines and their fields beside keys and separator: record start, years, zones, missing values.
  TextOrder lines;

  bool has_columns() const { return csv || tsv; }
};

struct JoinRequest {
  std::optional<JoinKind> kind;
  std::vector<std::string> right_keys;
  std::optional<std::string> columns;
  std::optional<std::string> empty;

  bool asks_for_join() const { return kind || !right_keys.empty() || columns || empty; }
};

/// Which part of one sort by several processes this one does.
struct ShardRequestWords {
  std::optional<std::string> directory;      ///< of --form
  std::optional<std::string> bounds;         ///< the file of --cut
  std::optional<std::string> slice_plan;     ///< the file of --merge-runs
  std::optional<std::string> ranges_plan;    ///< the file of --split-ranges
  std::optional<std::string> shared_header;  ///< the file of --shared-header; empty: it is to be told
  std::optional<ByteRange> bytes;
  std::optional<std::uint64_t> place;
  std::optional<std::uint64_t> samples;
  bool by_place = false;  ///< the second sort of --order=input, or of a sample
  bool of_job = false;    ///< inputs are files that an earlier sort of the job has written
  std::optional<JoinSide> side;

  bool asks_for_shards() const {
    return directory || bounds || slice_plan || ranges_plan || bytes || place || samples || side || shared_header ||
           by_place || of_job;
  }
};

/// "max:KEY" or "min:KEY".
struct BestWord {
  bool is_greatest = false;
  std::string key;
};

struct Request {
  explicit Request(Door at, SortOptions defaults = {}) : door(at), options(std::move(defaults)) {}

  Door door;
  SortOptions options;
  OrderRequest order;
  JoinRequest join;
  FileFormatOptions file;  ///< of files that are more than their records
  ShardRequestWords shards;
  std::optional<std::string> output;
  std::optional<std::string> input_names;  ///< the file of --files0-from
  std::optional<std::string>
      compress_program;  ///< of which `options` has only those that Sortie does not do the work of
  std::optional<std::string> sample_seed;
  std::optional<BestWord> keep_best;
  bool groups = false;
  std::vector<AggregateWord> aggregates;
  std::optional<std::uint64_t> header_lines;  ///< if it is told; 0: there is no header
  CheckMode check = CheckMode::kNo;
  bool plan = false;
  bool explain = false;
  bool columns = false;
  bool debug = false;
  bool print_stats = false;
  bool self_test = false;
  bool version = false;
  std::optional<HelpForm> help;
  /// The first argument that says more than with which resources to sort.
  std::optional<std::string> beside_resources;

  /// Whether --count asks for numbers in front of lines.
  bool counts_lines() const { return !groups && !aggregates.empty(); }
  bool has_header() const { return options.header_lines > 0 || !options.header_prefixes.empty(); }

  /// Takes the value of an option.
  void take(const Spec& spec, const Value& value);
  /// The options that are given, with other values than their defaults.
  std::vector<const Spec*> given() const;
  /// The first one that is about this, one of the bits of Spec::about; null if there is none.
  const Spec* first_about(unsigned bit) const;
  /// The first one that says what lines are, or how they order; null if there is none.
  const Spec* first_of_lines_only() const;
  /// Whether the inputs may be files of a format that their content tells: no option says what records are, or how
  /// they order.
  bool may_be_file_format() const;
  /// Whether it asks for a sort, or for the plan of one, and nothing else.
  bool is_plain_sort() const { return check == CheckMode::kNo && is_sort_or_check(); }
  /// Whether it asks for a sort, the plan of one, or whether the input is sorted.
  bool is_sort_or_check() const;
  bool asks_for_file_format() const { return !file.format.empty() || !file.settings.empty(); }
  /// Notes an option that was asked for by other words.
  void note(std::string_view name) { given_.push_back(find_spec(name)); }

  /// Throws as option::refuse() does.
  [[noreturn]] void refuse(std::string_view text) const { option::refuse(door, text); }

 private:
  std::vector<const Spec*> given_;  // options without a field in SortOptions
};

}  // namespace sortie::option
