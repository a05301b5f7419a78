// Finds the first place where records are out of order.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "record/record_order.hpp"

namespace sortie {

/// Offset of the first record that is before the one that precedes it (or, if `unique`, has an equal
/// key). Nothing if all are in order. Parallel. Precondition: bytes are whole records.
std::optional<std::size_t> find_disorder(const RecordOrder& order, std::span<const std::byte> bytes, bool unique);

}  // namespace sortie
