// The options that say how lines are ordered, as they come on the command line, and the order that they make together.
// parse_command_line() collects and uses them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sortie/format.hpp>
#include <sortie/genome_order.hpp>
#include <sortie/text_keys.hpp>

#include "cli/options/argument_parser.hpp"

namespace sortie::cli {

struct OrderRequest {
  OrderingOptions global;
  std::vector<KeyDefinition> keys;
  /// The word of a key, which may be the name of a column or the path of a value. `key` is the index of its key.
  struct KeyWord {
    std::size_t key = 0;
    std::string word;
    bool is_definition = false;  ///< it can be read as a KEYDEF
  };
  std::vector<KeyWord> key_words;
  bool csv = false;
  bool tsv = false;
  std::optional<Quoting> quoting;
  bool jsonl = false;
  RecordStart entry_start;
  bool as_gnu_sort = false;  ///< a separator is one byte, and messages about keys are those of GNU sort
  std::string separator;     ///< empty: none was given
  std::optional<GenomeFile> genome;
  std::optional<ChromosomeOrder> chromosomes;
  bool stable = false;
  std::optional<std::string> random_source;
  bool shuffle = false;
  std::optional<std::string> shuffle_seed;
  std::optional<std::string> split_by;  ///< the word of a key in front of all others
  std::optional<int> year;
  std::optional<std::string> zones;  ///< as set_zones() takes them
  std::vector<std::string> missing_words;

  /// Whether there is an option that says how lines or records are ordered.
  bool orders() const;
  /// Whether there is an option that only lines can be ordered by.
  bool asks_for_lines() const;
};

/// Takes an option of the group kOrder. Throws Error, UsageError.
void apply_order_option(OrderRequest& request, const Argument& argument);

/// Takes "+POS1 -POS2".
void apply_obsolete_key(OrderRequest& request, const Argument& argument);

/// The format, with a shuffle as the options ask for it. Reads the random source. Throws Error if they ask for an
/// order, too.
Format make_shuffled(Format format, const OrderRequest& request);

/// The order that the options ask for, in the C library's current locale. Reads the random source if a key is random.
/// `unique`, `is_grouped`: of lines with equal keys one is kept, or a group is made. Throws Error.
TextOrder make_order(const OrderRequest& request, bool unique, bool is_grouped);

}  // namespace sortie::cli
