// How an array of the host is divided among GPUs by the memory that each has for it. Pure: numbers in, numbers out.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/function_ref.hpp"

namespace sortie::cuda {

/// The most items whose bytes fit into `room_bytes`, up to `limit`. More items never take fewer bytes.
std::uint64_t most_items(std::uint64_t room_bytes, std::uint64_t limit,
                         FunctionRef<std::uint64_t(std::uint64_t items)> bytes_of);

/// Divides `count` items among devices with room for so many each, as evenly as that allows; empty if there is too
/// little in all. Few items are not divided: each share but the last has `least_share`.
std::vector<std::uint64_t> share_by_room(std::uint64_t count, std::span<const std::uint64_t> rooms,
                                         std::uint64_t least_share);

/// Ranks at which pieces of `piece` items begin, and the end of the last one.
std::vector<std::uint64_t> ranks_of_pieces(std::uint64_t count, std::uint64_t piece);

}  // namespace sortie::cuda
