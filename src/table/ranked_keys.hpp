// Short keys of held rows as numbers, so that their places can be sorted and their order be checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/bytes.hpp"
#include "table/column_data.hpp"
#include "table/number_codes.hpp"
#include "table/table_type.hpp"

namespace sortie::table {

/// A key as numbers: rank 1 is a value; a null has 0 or 2.
struct RankedKey {
  std::uint8_t rank = 0;
  std::uint64_t code = 0;

  friend bool operator==(const RankedKey&, const RankedKey&) = default;
  friend bool operator<(const RankedKey& a, const RankedKey& b) {
    return a.rank != b.rank ? a.rank < b.rank : a.code < b.code;
  }
};

/// Whether values of the type are such keys: all of a value is in its code.
inline bool has_ranked_keys(const TableType& type) {
  return type.storage == Storage::kFixed && type.order != Order::kNone && type.width <= sizeof(std::uint64_t);
}

/// Calls use(key_at), where key_at(i) is the key of value `i` of `column`. Precondition: has_ranked_keys(*key.type).
template <class Use>
void visit_ranked_keys(const KeyColumn& key, const ColumnData& column, const Use& use) {
  const std::byte* const values = column.values.data();
  const std::byte* const validity = column.validity.empty() ? nullptr : column.validity.data();
  const std::uint8_t null_rank = key.nulls_first ? 0 : 2;
  const std::uint64_t complement = key.descending ? ~std::uint64_t{0} : 0;
  visit_code(*key.type, [&](const auto& code) {
    use([=, width = code.bytes()](std::int64_t i) {
      if (validity != nullptr && !bit_at(validity, i)) return RankedKey{null_rank, 0};
      // Wider codes are not asked for.
      std::byte bytes[32] = {};
      code.encode(values + static_cast<std::size_t>(i) * width, bytes, complement);
      return RankedKey{1, byte_swap(load_as<std::uint64_t>(bytes))};
    });
  });
}

}  // namespace sortie::table
