// How many rows a sorted batch may have: as many as are asked for, by default as many as take little memory, and no
// more than the types of its columns allow. Run ends of 16 bits number no more than 32767 values. The table sorter asks
// before it takes a row.
#pragma once

#include <cstdint>
#include <optional>

#include "table/table_type.hpp"

namespace sortie::table {

struct BatchLimit {
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;  ///< of its rows as records; a batch holds one row in any case
};

/// `rows`: as TableOptions::batch_rows. Throws Error that names the column if any number of rows might be too many.
BatchLimit batch_limit(const TableSchema& schema, std::optional<std::uint64_t> rows);

}  // namespace sortie::table
