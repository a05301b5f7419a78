// The order of an array in memory, as the indexes of its numbers: the array itself stays as it is. On the CPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>

#include <sortie/error.hpp>
#include <sortie/format.hpp>
#include <sortie/sort_array.hpp>

namespace sortie {

struct ArgsortOptions {
  bool descending = false;
  /// CPU threads, as in SortOptions::threads.
  unsigned threads = 0;
  /// Once it asks for a stop, argsort() throws Stopped, usually within half a second.
  std::stop_token stop = {};
};

/// What argsort() calls: numbers of `number_bytes`, 4 or 8, of this kind.
void argsort_bytes(std::span<const std::byte> numbers, std::span<std::int64_t> indexes, FieldKind kind,
                   unsigned number_bytes, const ArgsortOptions& options);

/// Fills `indexes`, which is as long as `numbers`, so that numbers[indexes[0]], numbers[indexes[1]], ... are in order.
/// Stable: of equal numbers the first in the array comes first, also in descending order. Floats follow IEEE 754
/// totalOrder, as in sortie::Field. Both must be aligned to the size of their numbers, and must not overlap. Takes as
/// much memory again as `numbers`, and some MB for each thread. Blocks until done. Throws Error; `indexes` may then
/// hold anything.
template <SortableNumber Number>
void argsort(std::span<const Number> numbers, std::span<std::int64_t> indexes, const ArgsortOptions& options = {}) {
  argsort_bytes(std::as_bytes(numbers), indexes, field_kind_of<Number>(), sizeof(Number), options);
}

}  // namespace sortie
