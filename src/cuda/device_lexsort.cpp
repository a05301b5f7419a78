#include <sortie/cuda/device_lexsort.hpp>

#include <string>
#include <vector>

#include <sortie/cuda/device_radix_sort.hpp>

#include "cuda/device_call.hpp"
#include "cuda/float_order.hpp"
#include "kernels/columns.hpp"
#include "kernels/common/scratch_layout.hpp"
#include "kernels/positions.hpp"

namespace sortie::cuda {
namespace {

/// Whether some group's numbers need 64 bits.
bool exceeds_32_bits(std::span<const Column> columns) {
  std::size_t bytes = 0;
  for (const Column& column : columns) bytes += bytes_of(column.keys.type);
  return bytes > 4;
}

/// The numbers of rows, and scratch of their sort.
struct LexsortScratch {
  LexsortScratch(std::span<const Column> columns, std::size_t position_bytes, std::uint64_t count, void* area = nullptr)
      : layout(area) {
    const KeyType number_type = exceeds_32_bits(columns) ? KeyType::kUint64 : KeyType::kUint32;
    sort_bytes = radix_sort_scratch_bytes(number_type, position_bytes, count);
    numbers = layout.take<std::byte>(count * bytes_of(number_type));
    sort = layout.take<std::byte>(sort_bytes);
  }

  kernels::ScratchLayout layout;
  std::byte* numbers;
  std::byte* sort;
  std::uint64_t sort_bytes;
};

std::vector<kernels::ColumnGroup> groups_of(std::span<const Column> columns) {
  std::vector<kernels::KeyColumn> key_columns;
  for (const auto& [keys, order] : columns) {
    const bool descends = order == Order::kDescending;
    key_columns.push_back(is_by_value(keys.type)
                              ? kernels::make_value_column(keys.data, float_format(keys.type), descends)
                              : kernels::make_key_column(keys.data, field_kind(keys.type),
                                                         static_cast<unsigned>(bytes_of(keys.type)), descends));
  }
  return kernels::group_columns(key_columns);
}

/// Sorts positions by the numbers of their rows. `rows` are the positions, or null if they are in order yet.
template <class Number, class Position>
void sort_by_group(const kernels::ColumnGroup& group, const Position* rows, Position* positions, std::uint64_t count,
                   const LexsortScratch& scratch, cudaStream_t stream) {
  auto* const numbers = reinterpret_cast<Number*>(scratch.numbers);
  kernels::compose_columns(group, rows, count, numbers, stream);
  require_ok(radix_sort_by_bits(numbers, Values(positions), count, {0, group.bits},
                                Scratch(scratch.sort, scratch.sort_bytes), stream));
}

template <class Position>
void sort_rows(const std::vector<kernels::ColumnGroup>& groups, Position* positions, std::uint64_t count,
               const LexsortScratch& scratch, cudaStream_t stream) {
  kernels::fill_positions(positions, count, stream);
  const Position* rows = nullptr;
  for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
    if (group->bits <= 32) {
      sort_by_group<std::uint32_t>(*group, rows, positions, count, scratch, stream);
    } else {
      sort_by_group<std::uint64_t>(*group, rows, positions, count, scratch, stream);
    }
    rows = positions;
  }
}

void require_columns(std::span<const Column> columns) {
  require(!columns.empty(), "rows are ordered by at least one column");
  for (const auto& [keys, order] : columns) {
    require_any_order(keys.type);
    require_order(order);
  }
}

/// The arrays of a call, and what messages call its columns.
struct LexsortArguments {
  LexsortArguments(std::span<const Column> columns, const Positions& positions, std::uint64_t count) {
    for (std::size_t i = 0; i < columns.size(); ++i) names.push_back("columns[" + std::to_string(i) + "]");
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::uint64_t key_bytes = bytes_of(columns[i].keys.type);
      arrays.push_back(
          read_only(names[i].c_str(), columns[i].keys.data, count * key_bytes, static_cast<unsigned>(key_bytes)));
    }
    arrays.push_back({"positions", positions.data, count * positions.bytes});
  }

  std::vector<std::string> names;
  std::vector<ArrayArgument> arrays;
};

}  // namespace

std::size_t lexsort_scratch_bytes(std::span<const Column> columns, std::size_t position_bytes,
                                  std::uint64_t count) noexcept {
  return LexsortScratch(columns, position_bytes, count).layout.size_bytes();
}

Status lexsort(std::span<const Column> columns, Positions positions, std::uint64_t count, Scratch scratch,
               cudaStream_t stream) noexcept {
  return answer([&] {
    require_columns(columns);
    require_count(count);
    require_positions(positions, count);
    const LexsortArguments arguments(columns, positions, count);
    require_arrays(arguments.arrays);
    if (count == 0) return;
    const ScratchLease lease(scratch, lexsort_scratch_bytes(columns, positions.bytes, count),
                             std::span(arguments.arrays), stream);
    const LexsortScratch areas(columns, positions.bytes, count, lease.memory());
    const std::vector<kernels::ColumnGroup> groups = groups_of(columns);
    if (positions.bytes == 4) {
      sort_rows(groups, static_cast<std::uint32_t*>(positions.data), count, areas, stream);
    } else {
      sort_rows(groups, static_cast<std::uint64_t*>(positions.data), count, areas, stream);
    }
  });
}

}  // namespace sortie::cuda
