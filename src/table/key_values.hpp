// The values of keys, one by one: what all kinds of keys share when they are written and read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <sortie/arrow_c_data.hpp>

#include "table/array_parts.hpp"
#include "table/column_data.hpp"
#include "table/key_column.hpp"
#include "table/number_codes.hpp"
#include "table/table_type.hpp"

namespace sortie::table {

inline constexpr std::byte kNullFirst{0x30};
inline constexpr std::byte kValue{0x80};
inline constexpr std::byte kNullLast{0xC0};

inline std::uint64_t complement_of(const KeyColumn& key) { return key.descending ? ~std::uint64_t{0} : 0; }
inline std::byte null_lead(const KeyColumn& key) { return key.nulls_first ? kNullFirst : kNullLast; }

/// Calls visit(row, position) for every value that is not null, null(row) for every other.
template <class Visit, class Null>
void for_each_value(const KeySource& source, const Visit& visit, const Null& null) {
  const std::int64_t offset = source.values->offset;
  for (std::size_t i = 0; i < source.count; ++i) {
    if (source.valid != nullptr && source.valid[i] == 0) {
      null(i);
    } else if (source.indexes != nullptr) {
      visit(i, offset + source.indexes[i]);
    } else {
      visit(i, offset + source.first + static_cast<std::int64_t>(i));
    }
  }
}

/// Finds values of fixed width by their position.
struct WideValues {
  const std::byte* buffer;
  std::size_t width;

  const std::byte* operator()(std::int64_t position) const {
    return buffer + static_cast<std::size_t>(position) * width;
  }
};

/// Finds bits, as bytes.
struct BitValues {
  const std::byte* buffer;

  const std::byte* operator()(std::int64_t position) const {
    static constexpr std::byte kBit[2] = {std::byte{0}, std::byte{1}};
    return &kBit[bit_at(buffer, position) ? 1 : 0];
  }
};

/// Calls use() with the code for a type of fixed width, and with what finds the values of an array.
template <class Use>
void visit_values(const TableType& type, const ArrowArray& array, const Use& use) {
  const std::byte* const buffer = buffer_of(array, 1);
  if (type.storage == Storage::kBits) return use(NumberCode<1, Order::kUnsigned>(), BitValues{buffer});
  visit_code(type, [&](const auto& code) { use(code, WideValues{buffer, type.width}); });
}

/// Makes of bytes, one for each value, what the column has: the same, or bits.
class FixedValues {
 public:
  FixedValues(const TableType& type, std::size_t count, ColumnData& column)
      : type_(type), count_(count), column_(column) {
    if (type.storage == Storage::kBits) {
      booleans_.resize(count);
      out_ = reinterpret_cast<std::byte*>(booleans_.data());
    } else {
      out_ = column.values.extend(count * type.width);
    }
  }
  FixedValues(const FixedValues&) = delete;
  FixedValues& operator=(const FixedValues&) = delete;

  std::byte* at(std::size_t row) { return out_ + row * type_.width; }

  /// `valid`: by row. The column counts its values.
  void finish(std::span<const std::uint8_t> valid) {
    append_validity(column_, valid);
    if (type_.storage == Storage::kBits) append_bytes_as_bits(column_.values, column_.length, booleans_);
    column_.length += static_cast<std::int64_t>(count_);
  }

 private:
  const TableType& type_;
  const std::size_t count_;
  ColumnData& column_;
  std::vector<std::uint8_t> booleans_;
  std::byte* out_ = nullptr;
};

}  // namespace sortie::table
