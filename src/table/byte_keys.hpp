// Keys of bytes of any length, in the form of text_code.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "table/column_data.hpp"
#include "table/key_column.hpp"

namespace sortie::table {

void measure_texts(const KeyColumn& key, const KeySource& source, std::uint64_t* sizes);
void write_texts(const KeyColumn& key, const KeySource& source, std::byte** cursors);
/// `ends`: where the keys of each row end.
void read_texts(const KeyColumn& key, std::size_t count, const std::byte** cursors, const std::byte* const* ends,
                ColumnData& column);

}  // namespace sortie::table
