// Numbers of one or two bytes: there are so few different ones that counting them sorts an array. Used by sort() and
// argsort() of arrays. On the calling thread: it is as fast as memory is for long arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "record/key_plan.hpp"

namespace sortie {

/// Sorts `numbers` into `sorted`, which is as long: it is the same memory or lies apart. `field`: the one of a number.
/// Takes 64 KiB, and 256 KiB or 512 KiB for long arrays of two bytes. Looks at stops of the team.
void sort_counted(std::span<const std::byte> numbers, std::span<std::byte> sorted, const KeyPart& field);

/// Fills `indexes`, one for each number, with the positions of the numbers in order; equal ones keep theirs. Takes 8
/// bytes for each number of two bytes. There are fewer than 2^48.
void argsort_counted(std::span<const std::byte> numbers, std::span<std::uint64_t> indexes, const KeyPart& field);

}  // namespace sortie
