// Copies the values of the items that a selection keeps, whatever their size.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/records/gather_plan.hpp"

namespace sortie::kernels {

/// Copies values of any size one by one, in the largest units that sizes and addresses allow.
struct ValueCopy {
  std::uint64_t bytes = 0;
  unsigned unit_bytes = 1;

  static ValueCopy of(std::uint64_t value_bytes, const void* source, const void* other_source, const void* target) {
    const auto address = [](const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); };
    return {value_bytes, copy_unit_bytes(value_bytes, address(source) | address(other_source), address(target))};
  }

  __device__ void operator()(const std::byte* source, std::byte* target) const {
    switch (unit_bytes) {
      case 16:
        return copy_units<uint4>(source, target);
      case 8:
        return copy_units<std::uint64_t>(source, target);
      case 4:
        return copy_units<std::uint32_t>(source, target);
      case 2:
        return copy_units<std::uint16_t>(source, target);
      default:
        return copy_units<std::uint8_t>(source, target);
    }
  }

 private:
  template <class Unit>
  __device__ void copy_units(const std::byte* source, std::byte* target) const {
    for (std::uint64_t at = 0; at < bytes; at += sizeof(Unit)) {
      *reinterpret_cast<Unit*>(target + at) = *reinterpret_cast<const Unit*>(source + at);
    }
  }
};

}  // namespace sortie::kernels
