// The values of one dictionary-encoded column in all batches. Each batch may have a dictionary of its own; rows hold
// the number of the value among all that have come, and sorted batches share one dictionary of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <sortie/arrow_c_data.hpp>

#include "table/array_bytes.hpp"
#include "table/column_data.hpp"
#include "table/table_type.hpp"

namespace sortie::table {

class DictionaryValues {
 public:
  /// The index in the batch's own dictionary that stands at a position of an array. Throws Error if it leads out of it.
  std::uint64_t index_at(const TableType& type, const ArrowArray& array, std::int64_t position) const;
  /// The number of the value at that index.
  std::uint32_t number_of(std::uint64_t index) const { return numbers_[index]; }
  std::uint32_t number_at(const TableType& type, const ArrowArray& array, std::int64_t position) const {
    return number_of(index_at(type, array, position));
  }
  std::uint64_t all_values() const { return values_.size(); }
  /// Whether the numbers of the batch's values are in the order of its own dictionary, and so are those of all batches.
  bool keeps_order() const { return rises_ && (!has_new_values_ || numbers_.size() == values_.size()); }

  /// Whether the batch's own dictionary has a value twice. Takes longer with more values.
  bool repeats_values() const;

  /// Whether the batch before had the same dictionary, so that its values need not be taken again. If not, forgets that
  /// one, but keeps its values.
  bool begin_batch(const TableType& type, const ArrowArray& values);
  /// Adds the next value of the batch's dictionary.
  void take(std::string_view encoded);

  const std::vector<std::string_view>& values() const { return values_; }

 private:
  std::string_view keep(std::string_view encoded);
  void add_number(std::uint32_t number);

  ArrayBytes bytes_;                    // of the batch's dictionary
  std::vector<std::uint32_t> numbers_;  // by the index in the batch's dictionary
  bool rises_ = true;                   // each of them is greater than the one before
  bool has_new_values_ = false;         // some are not in the dictionaries before
  std::vector<std::string_view> values_;
  std::unordered_map<std::string_view, std::uint32_t> number_by_value_;
  std::deque<std::vector<char>> blocks_;
  std::size_t block_left_ = 0;
};

/// The dictionaries of a table, by their numbers.
class DictionarySet {
 public:
  explicit DictionarySet(const TableSchema& schema) : dictionaries_(schema.dictionary_count) {}

  const DictionaryValues& of(const TableType& type) const { return dictionaries_[type.dictionary]; }

 protected:
  std::vector<DictionaryValues> dictionaries_;
};

}  // namespace sortie::table
