#include "table/byte_keys.hpp"

#include <vector>

#include "table/key_values.hpp"
#include "table/text_code.hpp"

namespace sortie::table {
namespace {

/// The text that has just been put behind the column's bytes becomes its next value.
void count_text(const TableType& type, ColumnData& column, std::size_t begin) {
  const std::size_t bytes = column.bytes.size() - begin;
  if (type.storage != Storage::kBinaryView) return push_offset(type, column.values, column.bytes.size());
  if (column.bytes.size() > INT32_MAX) refuse_size(type);
  ByteView::make(column.values.extend(ByteView::kBytes),
                 {reinterpret_cast<const char*>(column.bytes.data()) + begin, bytes},
                 static_cast<std::uint32_t>(begin));
  if (bytes <= ByteView::kMostInline) column.bytes.shorten(bytes);
}

}  // namespace

void measure_texts(const KeyColumn& key, const KeySource& source, std::uint64_t* sizes) {
  const TextCode code(key.descending, key.nulls_first);
  visit_texts(*key.type, *source.values, [&](const auto& texts) {
    for_each_value(
        source, [&](std::size_t row, std::int64_t position) { sizes[row] += code.measure(texts(position)); },
        [&](std::size_t row) { ++sizes[row]; });
  });
}

void write_texts(const KeyColumn& key, const KeySource& source, std::byte** cursors) {
  const TextCode code(key.descending, key.nulls_first);
  visit_texts(*key.type, *source.values, [&](const auto& texts) {
    for_each_value(
        source,
        [&](std::size_t row, std::int64_t position) { cursors[row] = code.encode(texts(position), cursors[row]); },
        [&](std::size_t row) { *cursors[row]++ = code.null; });
  });
}

void read_texts(const KeyColumn& key, std::size_t count, const std::byte** cursors, const std::byte* const* ends,
                ColumnData& column) {
  const TextCode code(key.descending, key.nulls_first);
  std::vector<std::uint8_t> valid(count);
  for (std::size_t row = 0; row < count; ++row) {
    const std::size_t begin = column.bytes.size();
    valid[row] = *cursors[row] != code.null ? 1 : 0;
    if (valid[row] == 0) {
      ++cursors[row];
    } else {
      const auto room = static_cast<std::size_t>(ends[row] - cursors[row]);
      std::byte* const text = column.bytes.extend(room);
      std::byte* out = text;
      cursors[row] = code.decode(cursors[row], ends[row], out);
      column.bytes.shorten(room - static_cast<std::size_t>(out - text));
    }
    count_text(*key.type, column, begin);
  }
  append_validity(column, valid);
  column.length += static_cast<std::int64_t>(count);
}

}  // namespace sortie::table
