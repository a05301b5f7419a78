// The order of arrays of numbers, checked at the speed of memory: no key is interpreted, no branch is taken
// per number. Used by the check of the output's order, and to select numbers.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "record/record_order.hpp"

namespace sortie {

/// Whether every record is one number of 4 or 8 bytes in the machine's own byte order, and nothing else.
bool is_number_order(const RecordOrder& order);

/// Offset of the first number that is before the one that precedes it (or, if `unique`, equal to it). Nothing if all
/// are in order. Runs on the calling thread. Precondition: is_number_order(order).
std::optional<std::size_t> find_number_disorder(const RecordOrder& order, std::span<const std::byte> numbers,
                                                bool unique);

/// Offset of the first number that is before `bound`, which is one number. Nothing if there is none. Runs on the
/// calling thread. Precondition: is_number_order(order).
std::optional<std::size_t> find_number_before(const RecordOrder& order, std::span<const std::byte> numbers,
                                              Record bound);

}  // namespace sortie
