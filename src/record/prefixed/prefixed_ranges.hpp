// Finds length-prefixed records with all threads, although each one shows only where the next begins: every thread
// guesses where a record begins in its section, walks on from there, and the walks are joined. Used where a whole piece
// of input, or a mapped one, is walked over for the first time: that costs a page fault or a miss for each record.
//
//   bytes      | record | record | record | record | record | record | rest
//   sections   |               |                |              |
//   walks      |───────▶|─────▶|  ?────▶|──────▶|  ?──▶|──────▶|
//   joined     |────────|──────|────────|───────|──────|───────|       a wrong guess: walked from where the walk before
//                                                                      it ended, until the two meet
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace sortie {

/// All whole records of `bytes`, which begin with one, in ranges of about `range_bytes`, one behind the other.
/// Parallel.
std::vector<std::span<const std::byte>> find_prefixed_records(std::span<const std::byte> bytes,
                                                              std::size_t range_bytes);

/// The first end of a record at or after `position`. Parallel. Precondition: bytes are whole records, position <=
/// bytes.size().
std::size_t prefixed_boundary_at_or_after(std::span<const std::byte> bytes, std::size_t position);

}  // namespace sortie
