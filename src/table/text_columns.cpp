#include "table/text_columns.hpp"

#include <cstring>
#include <string_view>
#include <vector>

#include "table/array_parts.hpp"
#include "table/nested_form.hpp"

namespace sortie::table {
namespace {

/// Adds all offsets and all bytes at once. `texts`: where they lie, of `sizes`.
void append_all(const TableType& type, std::span<const std::byte* const> texts, std::span<const std::uint64_t> sizes,
                std::uint64_t all_bytes, ColumnData& column) {
  std::uint64_t end = column.bytes.size();
  if (type.width != sizeof(std::uint64_t) && end + all_bytes > INT32_MAX) refuse_size(type);
  std::byte* out = column.bytes.extend(all_bytes);
  std::byte* offset = column.values.extend(sizes.size() * type.width);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] > 0) std::memcpy(out, texts[i], sizes[i]);
    out += sizes[i];
    end += sizes[i];
    if (type.width == sizeof(std::uint64_t)) {
      store_as(offset, end);
    } else {
      store_as(offset, static_cast<std::uint32_t>(end));
    }
    offset += type.width;
  }
}

}  // namespace

bool holds_texts(const TableType& type) {
  return type.storage == Storage::kBinary || type.storage == Storage::kLargeBinary ||
         type.storage == Storage::kBinaryView;
}

void measure_text_column(const TableType& type, const ArrowArray& array, std::int64_t first, const ColumnRows& column,
                         std::span<std::uint64_t> sizes) {
  visit_texts(type, array, [&](const auto& texts) {
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (!column.is_valid(i)) continue;
      const std::size_t bytes = texts(array.offset + first + static_cast<std::int64_t>(i)).size();
      sizes[i] += count_bytes(bytes) + bytes;
    }
  });
}

void write_text_column(const TableType& type, const ArrowArray& array, std::int64_t first, const ColumnRows& column,
                       std::span<std::byte*> cursors) {
  visit_texts(type, array, [&](const auto& texts) {
    for (std::size_t i = 0; i < cursors.size(); ++i) {
      if (!column.is_valid(i)) continue;
      const std::string_view text = texts(array.offset + first + static_cast<std::int64_t>(i));
      std::byte* const out = store_count(cursors[i], text.size());
      if (!text.empty()) std::memcpy(out, text.data(), text.size());
      cursors[i] = out + text.size();
    }
  });
}

void read_text_column(const TableType& type, std::span<const std::uint8_t> valid, std::span<const std::byte*> cursors,
                      ColumnData& column) {
  std::vector<const std::byte*> texts(cursors.size());
  std::vector<std::uint64_t> sizes(cursors.size(), 0);
  std::uint64_t all_bytes = 0;
  for (std::size_t i = 0; i < cursors.size(); ++i) {
    if (!valid.empty() && valid[i] == 0) continue;
    sizes[i] = load_count(cursors[i]);
    texts[i] = cursors[i];
    cursors[i] += sizes[i];
    all_bytes += sizes[i];
  }
  if (type.storage == Storage::kBinaryView) {
    for (std::size_t i = 0; i < cursors.size(); ++i) append_text(type, column, texts[i], sizes[i]);
  } else {
    append_all(type, texts, sizes, all_bytes, column);
  }
  column.length += static_cast<std::int64_t>(cursors.size());
}

}  // namespace sortie::table
