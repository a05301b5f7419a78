// The arguments that say what records are and how they are ordered, until all of them are known and make a Format. They
// mean what the command's options of these names mean.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <sortie/format.hpp>
#include <sortie/genome_order.hpp>

namespace sortie::python {

struct OrderWords {
  std::string format = "lines";  ///< as parse_format() takes it, or "csv", "tsv", "jsonl", "bed" or "vcf"
  std::vector<std::string> fields;
  std::vector<std::string> keys;
  std::optional<std::string> split_by;  ///< a key in front of these
  std::string ordering;                 ///< letters of GNU sort, for keys that have none
  bool descending = false;
  bool stable = false;
  bool locale = false;
  bool shuffle = false;
  std::string separator;                       ///< of fields; empty: blanks, or that of the format
  std::optional<Quoting> quoting;              ///< of "csv" and "tsv"; none: that of the format
  std::optional<ChromosomeOrder> chromosomes;  ///< of "bed" and "vcf"; none: natural
  std::optional<char> delimiter;
  RecordStart entry_start;
  std::optional<std::array<std::byte, 16>> random_seed;  ///< none: one is made up
  std::optional<int> year;                               ///< of times without one
  std::optional<std::string> zones;                      ///< of times, as set_zones() takes them
  std::vector<std::string> missing_words;                ///< TextOrder::missing_words
};

/// Whether records are rows with columns: "csv" or "tsv".
bool has_columns(const OrderWords& words);

/// The file of a genome that `words.format` names; none: another format.
std::optional<GenomeFile> genome_file(const OrderWords& words);

/// The seed of a random order if none is given: another one each time.
std::array<std::byte, 16> made_up_seed();

/// `unique`, `is_grouped`: of equal keys one is kept, or a group is made, so that there is no last resort. Throws
/// Error.
Format make_format(const OrderWords& words, bool unique, bool is_grouped);

}  // namespace sortie::python
