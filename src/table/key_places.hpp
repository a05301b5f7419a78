// The order of rows by one short key, as their places. Used by HeldRows.
#pragma once

#include <cstdint>
#include <span>

#include <sortie/argsort.hpp>

#include "table/column_data.hpp"
#include "table/table_type.hpp"

namespace sortie::table {

/// Bytes of memory for each row that sort_places() takes, and those of the places.
inline constexpr std::uint64_t kBytesOfPlace = 32;

/// Fills `places`, which is as long as the column, with the places of its values in the order of the key; those of
/// equal values rise. Starts threads of its own. Precondition: has_ranked_keys(*key.type).
void sort_places(const KeyColumn& key, const ColumnData& column, std::span<std::int64_t> places,
                 const ArgsortOptions& options);

}  // namespace sortie::table
