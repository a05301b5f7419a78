// What a sort of a table is, as soon as its columns are known. Who takes its rows makes it first, so that whatever
// cannot be sorted is refused before a thread starts.
#pragma once

#include <cstdint>

#include <sortie/arrow_c_data.hpp>
#include <sortie/options.hpp>
#include <sortie/table_sorter.hpp>

#include "table/row_layout.hpp"
#include "table/table_type.hpp"

namespace sortie::table {

/// How many rows a sorted batch may have: as many as are asked for, by default as many as take little memory, and no
/// more than the types of its columns allow.
struct BatchLimit {
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;  ///< of its rows, as records or as columns; a batch holds one row in any case
};

/// Memory that rows may take which stay where they are while only their places are sorted (HeldRows).
struct HeldMemory {
  std::uint64_t most = 0;    ///< 0: none stay
  std::uint64_t surely = 0;  ///< more than that needs a look at what is available
};

/// Parts point into the schema: plans are moved, and not copied.
struct TablePlan {
  TableSchema schema;
  RowLayout layout;
  SortOptions sort;                   ///< of the rows as records
  BatchLimit batch;                   ///< of sorted rows
  std::uint64_t least_row_bytes = 0;  ///< of a row in columns, all of which is null: records do not hold what is null
  bool has_lists = false;             ///< of which a record does not tell how large they are in columns
  HeldMemory held;
  std::size_t kept_bytes = 0;  ///< memory of sorted batches that is kept for the next ones
};

/// Throws Error that names the column or option.
TablePlan make_table_plan(const ArrowSchema& schema, const TableOptions& options);

/// `available_bytes`: memory that other programs do not use.
std::uint64_t held_memory(const HeldMemory& held, std::uint64_t available_bytes);

/// For a table whose number of rows is not known: as many as may be.
unsigned most_threads(const SortOptions& options);

}  // namespace sortie::table
