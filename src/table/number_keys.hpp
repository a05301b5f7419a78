// Keys of values of fixed width: those in rows of fixed length, and in others those that have a lead and are no
// integers. Their forms are in key_column.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "table/column_data.hpp"
#include "table/key_column.hpp"

namespace sortie::table {

void write_fixed(const KeyColumn& key, const KeySource& source, std::byte** cursors);
void read_fixed(const KeyColumn& key, std::size_t count, const std::byte** cursors, ColumnData& column);

void measure_led(const KeyColumn& key, const KeySource& source, std::uint64_t* sizes);
void write_led(const KeyColumn& key, const KeySource& source, std::byte** cursors);
void read_led(const KeyColumn& key, std::size_t count, const std::byte** cursors, ColumnData& column);

}  // namespace sortie::table
