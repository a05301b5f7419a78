#include "table/key_places.hpp"

#include <algorithm>

#include "base/memory_region.hpp"
#include "table/ranked_keys.hpp"

namespace sortie::table {
namespace {

FieldKind kind_of(const TableType& type) {
  if (type.order == Order::kSigned) return FieldKind::kSigned;
  return type.order == Order::kFloat ? FieldKind::kFloat : FieldKind::kUnsigned;
}

bool are_numbers_of_arrays(const TableType& type) {
  return type.order != Order::kBytes && (type.width == 4 || type.width == 8);
}

/// Values that are not null, as codes, and their places.
struct ListedKeys {
  explicit ListedKeys(std::size_t count)
      : memory(2 * count * sizeof(std::uint64_t)),
        codes(reinterpret_cast<std::uint64_t*>(memory.data()), count),
        places(reinterpret_cast<std::int64_t*>(memory.data()) + count, count) {}

  MemoryRegion memory;
  std::span<std::uint64_t> codes;
  std::span<std::int64_t> places;
};

/// Lists the keys, and puts the places of nulls where they belong. Returns those that are left for the others.
std::span<std::int64_t> list_keys(const KeyColumn& key, const ColumnData& column, std::span<std::int64_t> places,
                                  ListedKeys& listed) {
  const auto nulls = static_cast<std::size_t>(column.null_count);
  const std::size_t others = places.size() - nulls;
  std::int64_t* null = places.data() + (key.nulls_first ? 0 : others);
  visit_ranked_keys(key, column, [&](const auto& key_at) {
    std::size_t count = 0;
    for (std::int64_t place = 0; place < column.length; ++place) {
      const RankedKey ranked = key_at(place);
      if (ranked.rank != 1) {
        *null++ = place;
        continue;
      }
      listed.codes[count] = ranked.code;
      listed.places[count++] = place;
    }
  });
  return places.subspan(key.nulls_first ? nulls : 0, others);
}

}  // namespace

void sort_places(const KeyColumn& key, const ColumnData& column, std::span<std::int64_t> places,
                 const ArgsortOptions& options) {
  const TableType& type = *key.type;
  if (column.null_count == 0 && are_numbers_of_arrays(type)) {
    ArgsortOptions directed = options;
    directed.descending = key.descending;
    const std::span<const std::byte> numbers(column.values.data(), places.size() * type.width);
    return argsort_bytes(numbers, places, kind_of(type), type.width, directed);
  }
  ListedKeys listed(places.size() - static_cast<std::size_t>(column.null_count));
  const std::span<std::int64_t> sorted = list_keys(key, column, places, listed);
  argsort(std::span<const std::uint64_t>(listed.codes), sorted, options);
  std::ranges::transform(sorted, sorted.begin(), [&](std::int64_t index) { return listed.places[index]; });
}

}  // namespace sortie::table
