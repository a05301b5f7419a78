// Where bytes of an input lie, for formats whose records are too long to be carried through a sort: the sort moves
// places, and the bytes are copied once, from the input to the output. Payloads of records hold them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.hpp"

namespace sortie::formats {

struct Place {
  std::uint32_t input = 0;  ///< PlacedFiles::add() has given it
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;

  /// Bytes of a place as it is stored.
  static constexpr std::size_t kBytes = sizeof(input) + sizeof(offset) + sizeof(bytes);

  /// Precondition: kBytes.
  static Place load(std::span<const std::byte> stored) {
    return {load_as<std::uint32_t>(stored.data()), load_as<std::uint64_t>(stored.data() + sizeof(input)),
            load_as<std::uint64_t>(stored.data() + sizeof(input) + sizeof(offset))};
  }
  template <class Bytes>
  void append_to(Bytes& out) const {
    const std::size_t begin = out.size();
    out.resize(begin + kBytes);
    store_as(out.data() + begin, input);
    store_as(out.data() + begin + sizeof(input), offset);
    store_as(out.data() + begin + sizeof(input) + sizeof(offset), bytes);
  }
};

}  // namespace sortie::formats
