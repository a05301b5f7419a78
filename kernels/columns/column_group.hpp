// The columns that become one number, and how. Host and device code, so that it is tested without a GPU.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <sortie/format.hpp>

#include "base/host_device.hpp"
#include "kernels/common/key_codec.hpp"
#include "kernels/common/unroll.hpp"
#include "kernels/floats/float_format.hpp"

namespace sortie::kernels {

/// A key of each row, side by side.
struct KeyColumn {
  const void* keys = nullptr;
  unsigned bytes = 0;                   ///< of each key: 1, 2, 4 or 8
  KeyCodec<std::uint64_t> codec;        ///< of the key's bits in the upper end of 64
  bool is_by_value = false;             ///< floats whose equal values have equal codes
  FloatValues<std::uint64_t> values{};  ///< of these, as in `codec`

  SORTIE_HD unsigned bits() const { return 8 * bytes; }

  SORTIE_HD std::uint64_t key(std::uint64_t row) const {
    if (bytes == 8) return static_cast<const std::uint64_t*>(keys)[row];
    if (bytes == 4) return static_cast<const std::uint32_t*>(keys)[row];
    if (bytes == 2) return static_cast<const std::uint16_t*>(keys)[row];
    return static_cast<const std::uint8_t*>(keys)[row];
  }

  SORTIE_HD std::uint64_t code(std::uint64_t row) const {
    const unsigned unused_bits = 64 - bits();
    const std::uint64_t number = key(row) << unused_bits;
    return codec.encode(is_by_value ? values.canonical(number) : number) >> unused_bits;
  }
};

inline KeyColumn make_key_column(const void* keys, FieldKind kind, unsigned bytes, bool descending) {
  return {keys, bytes, make_key_codec<std::uint64_t>(kind, descending)};
}

/// Of floats in the order of their values.
inline KeyColumn make_value_column(const void* keys, const FloatFormat& format, bool descending) {
  KeyColumn column = make_key_column(keys, FieldKind::kFloat, format.bytes, descending);
  column.is_by_value = true;
  const FloatFormat in_upper_end{8, 64 - 8 * format.bytes + format.fraction_bits};
  column.values = values_of<std::uint64_t>(in_upper_end);
  return column;
}

/// Columns whose codes have up to 64 bits together. The first one decides first.
struct ColumnGroup {
  static constexpr unsigned kMostColumns = 8;
  static constexpr unsigned kMostBits = 64;

  KeyColumn columns[kMostColumns];
  unsigned column_count = 0;
  unsigned bits = 0;

  SORTIE_HD std::uint64_t number(std::uint64_t row) const {
    std::uint64_t number = 0;
    SORTIE_UNROLL
    for (unsigned c = 0; c < kMostColumns; ++c) {
      if (c == column_count) break;
      const unsigned column_bits = columns[c].bits();
      number = (column_bits == kMostBits ? 0 : number << column_bits) | columns[c].code(row);
    }
    return number;
  }
};

/// Neighbouring columns in as few groups as there can be, in their order.
inline std::vector<ColumnGroup> group_columns(std::span<const KeyColumn> columns) {
  std::vector<ColumnGroup> groups;
  for (const KeyColumn& column : columns) {
    if (groups.empty() || groups.back().bits + column.bits() > ColumnGroup::kMostBits) groups.emplace_back();
    ColumnGroup& group = groups.back();
    group.columns[group.column_count++] = column;
    group.bits += column.bits();
  }
  return groups;
}

}  // namespace sortie::kernels
