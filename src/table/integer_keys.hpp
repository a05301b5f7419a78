// Keys of integers in rows of any length: a lead says the sign and how many bytes count, which follow. Small numbers
// are short, and few codes hold zeros, which would be escaped in a line.
#pragma once

#include <cstddef>
#include <cstdint>

#include "table/column_data.hpp"
#include "table/key_column.hpp"

namespace sortie::table {

void measure_integers(const KeyColumn& key, const KeySource& source, std::uint64_t* sizes);
void write_integers(const KeyColumn& key, const KeySource& source, std::byte** cursors);
void read_integers(const KeyColumn& key, std::size_t count, const std::byte** cursors, ColumnData& column);

}  // namespace sortie::table
