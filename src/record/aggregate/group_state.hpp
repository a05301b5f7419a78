// The state of a group: what is known of the records with equal keys that have come so far. A line becomes the state of
// itself when it is read; states of neighbours are combined in runs and merges, and the last one is shown. A state is
// the body of an encoded line: stuffed, so that its delimiter does not occur within it.
//
//   | records | their bytes | length of the keys' texts | text of each key | state of each aggregate |
//
//   count         nothing: that of the records
//   sum, mean     how many values; if there are any, their exact sum
//   min, max      whether there is a value; if so, its text as it is written
//   first, last   the text
//
// Texts of aggregates are values (state_bytes.hpp): several aggregates of one column take the memory of one.
// Texts of JSON stand as in the line, strings with their quotes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/grouping.hpp>

#include "record/aggregate/exact_decimal.hpp"
#include "record/aggregate/state_bytes.hpp"
#include "record/text/missing_words.hpp"

namespace sortie {

/// Version of the form of states, which runs that are kept hold.
inline constexpr std::uint32_t kGroupStateVersion = 2;

/// What all states of a sort have in common.
struct GroupShape {
  std::vector<AggregateKind> aggregates;
  std::size_t key_count = 0;
  bool json = false;
  MissingWords missing_words = {};
};

/// A text that an aggregate cannot take.
struct RefusedValue {
  std::size_t text = 0;  ///< which of all texts
  ExactDecimal::Reading reading = ExactDecimal::Reading::kNoNumber;
};

/// Writes the state of one record of `bytes` bytes. `texts`: those of the keys, then one for each aggregate but
/// counts; of JSON as they stand in the line, "null" where there is none. Returns the first value that is none; the
/// state is one all the same.
std::optional<RefusedValue> write_line_state(const GroupShape& shape, std::span<const std::string_view> texts,
                                             std::uint64_t bytes, StateWriter& state);

/// The number of records in a state, and their bytes.
struct GroupSize {
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;
};
GroupSize size_of_group(std::string_view state);

/// The text of a key in a state. Precondition: key < GroupShape::key_count.
std::string_view key_text_of_group(std::string_view state, std::size_t key);

class GroupState {
 public:
  explicit GroupState(const GroupShape& shape);

  bool empty() const { return size_.records == 0; }
  /// Keeps the memory of short texts.
  void clear();

  /// Adds the records of a state that come behind those that are here. The first state that is added makes the texts of
  /// the keys. Throws Error if it is damaged.
  void add(std::string_view state);
  /// The same for a record, as write_line_state() takes it. A value that is refused is left out.
  std::optional<RefusedValue> add_line(std::span<const std::string_view> texts, std::uint64_t bytes);
  void write(StateWriter& state) const;

  const GroupSize& size() const { return size_; }
  /// Bytes of the texts of keys and aggregates, as often as they are shown; numbers are not among them.
  std::size_t text_bytes() const;
  /// Those of the longest of them.
  std::size_t longest_text_bytes() const;
  std::string_view key_text(std::size_t key) const;
  /// The texts of all keys, each behind its length, as StateReader::text() reads them.
  std::string_view key_texts() const { return key_texts_; }
  /// Appends what is shown of an aggregate. Returns false, and appends nothing, if there is no value.
  bool append_value(std::size_t aggregate, std::string& out) const;

 private:
  struct Value {
    std::uint64_t count = 0;                       // of values
    ExactDecimal number;                           // their sum, or the value of the text
    std::string text;                              // if it is short
    std::shared_ptr<const std::string> long_text;  // null if it is short

    std::string_view shown() const { return long_text ? *long_text : text; }
    void set_none() {
      count = 0;
      number.set_zero();
    }
  };

  void add_value(AggregateKind kind, StateReader& state, Value& value, bool is_first);
  void set_text(Value& value, std::string_view text) const;
  void take_number(AggregateKind kind, std::string_view text, Value& value);

  const GroupShape* shape_;
  GroupSize size_;
  std::string key_texts_;
  std::vector<Value> values_;
  ExactDecimal number_;  // scratch
  StateWriter texts_;    // scratch
};

}  // namespace sortie
