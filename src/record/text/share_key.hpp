// Shares of all records (TextKind::kShare): which one the hash of a text falls into, and how they are written. The key
// step writes the number, and parts are named by it. TextKey::shares says how others compute it.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <sortie/text_order.hpp>

namespace sortie {

/// The number of the share that `text` falls into. Precondition: the shares add up to kWholeOfShares. Thread-safe.
std::size_t share_of_text(std::string_view text, std::span<const Share> shares);

}  // namespace sortie
