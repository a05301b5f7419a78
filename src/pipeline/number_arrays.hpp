// What the functions for arrays of numbers ask of the memory that they are given. Used by sort_array.cpp and
// argsort.cpp.
#pragma once

#include <cstddef>
#include <span>

#include <sortie/format.hpp>

#include "record/key_plan.hpp"

namespace sortie {

/// The one field of an array's numbers. Throws Error if there are no such numbers.
KeyPart number_field(FieldKind kind, unsigned number_bytes, bool descending);

/// Throws Error if the numbers do not lie at a multiple of their size. `name`: of the array, in the message.
void refuse_unaligned(const void* numbers, unsigned number_bytes, const char* name);

bool lie_apart(std::span<const std::byte> a, std::span<const std::byte> b);

}  // namespace sortie
