// The order of an array in memory, as the indexes of its numbers or records: the array itself stays as it is. On the
// CPU.
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

/// What argsort() calls: numbers of `number_bytes`, 1, 2, 4 or 8, of this kind; floats have 2 at least. `row_length`:
/// so many numbers are ordered by themselves, with indexes from 0 on, and the next ones after them; 0: all are one row.
void argsort_bytes(std::span<const std::byte> numbers, std::span<std::int64_t> indexes, FieldKind kind,
                   unsigned number_bytes, const ArgsortOptions& options, std::size_t row_length = 0);

/// The same for records of fixed length in memory, one for each index, in the order of `format`, which has their length
/// and fields; options.descending and options.threads have no meaning. Meant for records that the caches hold: for
/// many, sort() is faster. Takes 16 bytes for each record of a row. Throws Error.
void argsort_records(std::span<const std::byte> records, std::span<std::int64_t> indexes, const Format& format,
                     const ArgsortOptions& options, std::size_t row_length = 0);

/// Fills `indexes`, which is as long as `numbers`, so that numbers[indexes[0]], numbers[indexes[1]], ... are in order.
/// Stable: of equal numbers the first in the array comes first, also in descending order. Floats follow IEEE 754
/// totalOrder, as in sortie::Field. Both must be aligned to the size of their numbers, and must not overlap. Takes as
/// much memory again as `numbers`, or as `indexes` if numbers have two bytes, and some MB for each thread. Blocks until
/// done. Throws Error; `indexes` may then hold anything.
template <SortableNumber Number>
void argsort(std::span<const Number> numbers, std::span<std::int64_t> indexes, const ArgsortOptions& options = {}) {
  argsort_bytes(std::as_bytes(numbers), indexes, field_kind_of<Number>(), sizeof(Number), options);
}

}  // namespace sortie
