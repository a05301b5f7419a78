// The values of a column or field in some rows of a batch: which are null, and where keys find them. Used by the row
// encoder.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <sortie/arrow_c_data.hpp>

#include "table/key_column.hpp"
#include "table/table_dictionaries.hpp"
#include "table/table_type.hpp"

namespace sortie::table {

/// Rows of a batch, from `first` on.
struct BatchRows {
  const ArrowArray* batch = nullptr;
  std::int64_t first = 0;
  std::size_t count = 0;

  const ArrowArray& column(std::size_t number) const { return *batch->children[number]; }
  /// The index of the first row's value in each column.
  std::int64_t first_index() const { return batch->offset + first; }
};

class ColumnRows {
 public:
  ColumnRows(const TableType& type, const BatchRows& rows, std::size_t column);
  /// What a key orders by: the values of a column, or of a field, which are null where a struct around them is.
  ColumnRows(const KeyColumn& key, const BatchRows& rows);

  bool has_nulls() const { return !valid_.empty(); }
  bool is_valid(std::size_t row) const { return valid_.empty() || valid_[row] != 0; }

  /// The values as a key has them. Lives as long as this. Throws Error if an index leads out of a dictionary, or if
  /// ordered dictionaries contradict each other.
  KeySource key_source(const TableDictionaries& dictionaries);

 private:
  template <class IndexOf>
  void find_values(const TableType& type, const ArrowArray& values, IndexOf index_of);
  void number_values(const DictionaryValues& dictionary);

  const TableType& type_;
  const BatchRows rows_;  // of a field: those of the struct that has it
  const ArrowArray& array_;
  std::vector<std::uint8_t> valid_;  // by row; none if nothing is null
  std::vector<std::int64_t> indexes_;
  // The number of each row's value in an ordered dictionary, as an array.
  std::vector<std::uint32_t> numbers_;
  std::array<const void*, 2> number_buffers_{};
  ArrowArray number_array_{};
};

}  // namespace sortie::table
