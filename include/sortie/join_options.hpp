// What a join is asked for: which records it shows, by which keys, in which columns. join.hpp joins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/options.hpp>

namespace sortie {

/// Which records the output shows.
enum class JoinKind : std::uint8_t {
  kInner,  ///< pairs of a left and a right record with the same keys
  kLeft,   ///< these, and left records that pair with none
  kRight,  ///< pairs, and right records that pair with none
  kFull,   ///< pairs, and all records that pair with none
  kAnti,   ///< only left records that pair with none
};

enum class JoinSide : std::uint8_t { kLeft, kRight };

/// A column of the output.
struct JoinColumn {
  enum class From : std::uint8_t {
    kKeys,    ///< all fields of the keys in turn, those of the left record or, if there is none, of the right one
    kEither,  ///< CSV: the column of this name, which is a key of the left input, or which only one input has
    kLeft,
    kRight,
  };
  From from = From::kKeys;
  std::size_t field = 0;  ///< kLeft and kRight without a name: its number, counted from 0
  std::string name = {};  ///< CSV: what the header calls it

  friend bool operator==(const JoinColumn&, const JoinColumn&) = default;
};

struct JoinOptions {
  JoinKind kind = JoinKind::kInner;
  /// Inputs, which must be two, left and right; their format, which must be lines or CSV; the keys of the left; output,
  /// header, and resources. Keys compare as they do in a sort, but never by a locale; empty ones are equal, as in
  /// join(1). Without a separator, blanks in front of a key do not count. The output comes in the order of the keys,
  /// pairs with equal keys in that of the left input, then in that of the right one. With merge_only both inputs are
  /// sorted already, and it is an error if one is not. With header_lines, which is 1 at most, each input has a header
  /// of its own. Threads and memory are shared among the inputs as their sizes are. An engine of kAuto is the CPU. What
  /// chooses records (unique, top_records and their like), shuffles and checkpoints are refused.
  SortOptions sort;
  /// The keys of the right input, as many and of the same types and directions, but times may be written otherwise;
  /// none: those of the left.
  std::vector<TextKey> right_keys;
  /// None: fields of lines come as join(1) has them, those of keys once, then the others of the left, then those of the
  /// right, which needs keys that are whole fields; CSV has the left columns, then the right ones without the keys. The
  /// output of kAnti has no column of the right input.
  /// A name that a column before it has gets "_right" behind it, or "_left".
  std::vector<JoinColumn> columns;
  /// Stands for fields that are empty or missing.
  std::string empty;
};

/// Parses the columns of an output, separated by commas: 0 for the keys, 1.N for field N of the left input and 2.N of
/// the right one, counted from 1, and of CSV NAME, left.NAME or right.NAME. A NAME with a comma or quotes, or that
/// could be taken for something else, stands in double quotes, with those within it doubled. Throws Error.
std::vector<JoinColumn> parse_join_columns(std::string_view text);

/// Parses the keys of the right input: KEYDEF as text_keys.hpp has it or, with CSV, NAME[:TYPE][:desc]. One without a
/// type has that of the left key. Throws Error.
std::vector<TextKey> parse_right_keys(const std::vector<std::string>& words, const TextOrder& left);

}  // namespace sortie
