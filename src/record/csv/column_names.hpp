// Finds columns by the names that the header of CSV gives them. The pipeline calls it once the header has been read.
#pragma once

#include <cstddef>
#include <string_view>

#include <sortie/text_order.hpp>

#include "record/csv/csv_syntax.hpp"
#include "record/csv/quoted_records.hpp"

namespace sortie {

/// Whether only a header can say where the key is.
inline bool needs_header(const TextKey& key) { return !key.column.empty() && !key.may_be_position; }

/// The names of columns, in one text: there may be millions.
class ColumnNames {
 public:
  ColumnNames() = default;
  /// `names`: the record of names.
  explicit ColumnNames(UnquotedRecord names);

  std::size_t size() const { return names_.ends.size(); }
  bool empty() const { return names_.ends.empty(); }
  std::string_view operator[](std::size_t number) const {
    const std::size_t begin = number == 0 ? 0 : names_.ends[number - 1] + 1;
    return std::string_view(names_.text).substr(begin, names_.ends[number] - begin);
  }
  /// The first column at `from` or behind it that has the name; size() if there is none.
  std::size_t find(std::string_view name, std::size_t from = 0) const;
  bool contains(std::string_view name) const { return find(name) < size(); }

 private:
  UnquotedRecord names_;  // ends: of every name
};

/// The names of all columns. `header`: the record of names, with or without its line end.
ColumnNames column_names(std::string_view header, CsvSyntax syntax);

/// The order with each key that may be a name or a position made one of these: see TextKey::column. `header`: whole
/// records, of which the first has the names; if it is empty there are no names, and positions are meant. Throws Error
/// if the header has both a column of that name and one at that position, or none; and for a position behind the last
/// column.
TextOrder with_words_decided(TextOrder order, std::string_view header);

/// The order with the number of the field in place of each column's name, if it is one of CSV. `header`: as above; if
/// it is empty there are no records, and any number will do. Throws Error as above, and one that lists the existing
/// names if a name is missing or occurs twice.
TextOrder with_columns_found(TextOrder order, std::string_view header);

}  // namespace sortie
