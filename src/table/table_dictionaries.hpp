// The dictionaries of a table, united: their values come batch by batch, and go with the sorted rows. Used on both
// sides of a TableSorter.
#pragma once

#include <memory>
#include <vector>

#include <sortie/arrow_c_data.hpp>

#include "table/column_data.hpp"
#include "table/dictionary_values.hpp"
#include "table/table_type.hpp"

namespace sortie::table {

/// Takes the values of all batches' dictionaries, and gives them back as columns.
class TableDictionaries : public DictionarySet {
 public:
  explicit TableDictionaries(const TableSchema& schema) : DictionarySet(schema), schema_(schema) {}

  /// Takes the values of a batch's dictionaries, before its rows are encoded. Throws Error if indexes are too narrow.
  void begin_batch(const ArrowArray& batch);

  /// The values as columns, by the number of the dictionary: shared by all sorted batches.
  /// From then on only the types of dictionaries are known.
  std::vector<std::shared_ptr<const ColumnData>> finish();

 private:
  void begin_column(const TableType& type, const ArrowArray& array);
  void take_values(const TableType& type, const ArrowArray& values);
  void finish_type(const TableType& type, std::vector<std::shared_ptr<const ColumnData>>& columns) const;

  const TableSchema& schema_;
};

}  // namespace sortie::table
