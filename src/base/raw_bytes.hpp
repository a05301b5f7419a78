// Bytes that grow as those of a vector do, but are not cleared first: for buffers that are filled at once, by many
// threads, which one thread would hold up by clearing them.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace sortie {

/// Leaves values that are made from nothing as the memory has them.
template <class Value>
class UnclearedAllocator : public std::allocator<Value> {
 public:
  template <class Other>
  struct rebind {  // NOLINT(readability-identifier-naming): the standard's name
    using other = UnclearedAllocator<Other>;
  };

  template <class Made>
  void construct(Made* place) noexcept {
    ::new (static_cast<void*>(place)) Made;
  }
  template <class Made, class... Arguments>
  void construct(Made* place, Arguments&&... arguments) {
    ::new (static_cast<void*>(place)) Made(std::forward<Arguments>(arguments)...);
  }
};

/// What resize() adds has any values.
using RawBytes = std::vector<std::byte, UnclearedAllocator<std::byte>>;

}  // namespace sortie
