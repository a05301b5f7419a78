// Gives back the memory of a vector or a string. To assign {} does not: it assigns an empty list, and the memory stays.
#pragma once

namespace sortie {

template <class Container>
void release_memory(Container& container) noexcept {
  Container().swap(container);
}

}  // namespace sortie
