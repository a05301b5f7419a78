// What a sort of a table is, as soon as its columns are known. Who takes its rows makes it first, so that whatever
// cannot be sorted is refused before a thread starts.
#pragma once

#include <cstdint>

#include <sortie/arrow_c_data.hpp>
#include <sortie/options.hpp>
#include <sortie/table_sorter.hpp>

#include "table/batch_limit.hpp"
#include "table/row_layout.hpp"
#include "table/table_type.hpp"

namespace sortie::table {

/// Parts point into the schema: plans are moved, and not copied.
struct TablePlan {
  TableSchema schema;
  RowLayout layout;
  SortOptions sort;  ///< of the rows as records
  BatchLimit batch;  ///< of sorted rows
};

/// Throws Error that names the column or option.
TablePlan make_table_plan(const ArrowSchema& schema, const TableOptions& options);

/// For a table whose number of rows is not known: as many as may be.
unsigned most_threads(const SortOptions& options);

}  // namespace sortie::table
