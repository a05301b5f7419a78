// What moves in the registers of those who sort a row: codes of keys, or codes with the place in the row behind them,
// as one number.
#pragma once

#include <cstdint>

#include "kernels/bitonic/bitonic_arrays.cuh"
#include "kernels/rows/cut_codes.hpp"
#include "kernels/rows/row_order.hpp"

namespace sortie::kernels {

/// One number: the code, and the place in the bits below if there are places.
template <class CodeType>
struct RowNumbers {
  using Code = CodeType;
  using Tile = BitonicKeys<Code>;
  using Item = typename Tile::Item;
  static constexpr unsigned kPlaceBits = 4 * sizeof(Code);

  unsigned place_bits;  ///< kPlaceBits, or 0

  __device__ Item item(Code code, unsigned place) const {
    return code << place_bits | (place & ((Code{1} << place_bits) - 1));
  }
  __device__ static bool is_cut() { return false; }
  __device__ Code code_of(Item item) const { return item >> place_bits; }
  __device__ unsigned place_of(Item item) const { return static_cast<unsigned>(item & ((Code{1} << place_bits) - 1)); }
};

/// Codes of 8 bytes with places, in one number. Where bits are cut off, items may be in the wrong order, and are put
/// right afterwards (row_cuts.cuh).
struct RowCuts : CutCodes {
  using Code = std::uint64_t;
  using Tile = BitonicKeys<Code>;
  using Item = Tile::Item;
};

/// The rows that a kernel sorts.
template <class ItemsType>
struct RowArrays {
  using Items = ItemsType;
  using Code = typename Items::Code;
  using Item = typename Items::Item;

  const void* source;
  void* keys;
  void* places;
  unsigned place_bytes;
  std::uint64_t row_count;
  unsigned row_items;
  unsigned key_bytes;
  RowCodec<Code> codec;
  Items form;

  /// How many of the thread's items there are, if each lies as far behind the one before as there are threads.
  __device__ unsigned left_of(std::uint64_t row, unsigned lane) const {
    return row < row_count && lane < row_items ? row_items - lane : 0;
  }

  /// The code of an item, which is there. Precondition: keys of 8 bytes.
  __device__ Code code_at(std::uint64_t row, unsigned place) const {
    return codec.encode(static_cast<const Code*>(source)[row * row_items + place]);
  }

  /// Loads item k * kThreads + lane into items[k]; behind the row's end what goes last.
  template <unsigned kThreads, unsigned kItems>
  __device__ void load(std::uint64_t row, unsigned lane, Item (&items)[kItems]) const {
    with_keys([&]<class Bits>(Bits) {
      const auto* const from = static_cast<const Bits*>(source) + row * row_items + lane;
      const unsigned left = left_of(row, lane);
#pragma unroll
      for (unsigned k = 0; k < kItems; ++k) {
        items[k] = k * kThreads < left ? form.item(codec.encode(from[k * kThreads]), k * kThreads + lane)
                                       : Items::Tile::infinity();
      }
    });
  }

  /// Where in its row the item was that has this rank; and what put_place() has put there, behind a barrier.
  __device__ void put_place(std::uint64_t row, unsigned rank, unsigned place) const {
    with_places([&](auto* all) { all[row * row_items + rank] = place; });
  }
  __device__ unsigned place_at(std::uint64_t row, unsigned rank) const {
    unsigned place = 0;
    with_places([&](const auto* all) { place = static_cast<unsigned>(all[row * row_items + rank]); });
    return place;
  }

  /// Stores them, which are of this form.
  template <unsigned kThreads, unsigned kItems>
  __device__ void store(std::uint64_t row, unsigned lane, const Items& of_row, const Item (&items)[kItems]) const {
    const std::uint64_t first = row * row_items;
    const unsigned left = left_of(row, lane);
    if (keys != nullptr) {
      with_keys([&]<class Bits>(Bits) {
        const auto* const from = static_cast<const Bits*>(source) + first;
        auto* const to = static_cast<Bits*>(keys) + first + lane;
#pragma unroll
        for (unsigned k = 0; k < kItems; ++k) {
          if (k * kThreads >= left) break;
          const auto bits = static_cast<Bits>(codec.decode(of_row.code_of(items[k])));
          const bool is_lost = of_row.is_cut() || codec.is_shared(bits);
          to[k * kThreads] = is_lost ? from[of_row.place_of(items[k])] : bits;
        }
      });
    }
    with_places([&](auto* all) { store_places<kThreads>(all + first + lane, left, items); });
  }

 private:
  /// Calls use(places) with the type that they have, if they are wanted.
  template <class Use>
  __device__ void with_places(const Use& use) const {
    if (place_bytes == 8) use(static_cast<std::uint64_t*>(places));
    if (place_bytes == 4) use(static_cast<std::uint32_t*>(places));
  }

  template <unsigned kThreads, class Place, unsigned kItems>
  __device__ void store_places(Place* to, unsigned left, const Item (&items)[kItems]) const {
#pragma unroll
    for (unsigned k = 0; k < kItems; ++k) {
      if (k * kThreads >= left) break;
      to[k * kThreads] = static_cast<Place>(form.place_of(items[k]));
    }
  }

  /// Calls use(Bits{}), the unsigned integer of the keys' size.
  template <class Use>
  __device__ void with_keys(const Use& use) const {
    if constexpr (sizeof(Code) == 8) {
      if (key_bytes == 8) return use(std::uint64_t{});
    }
    if constexpr (sizeof(Item) <= 8) {
      if (key_bytes == 4) return use(std::uint32_t{});
    }
    if constexpr (sizeof(Code) == 4) {
      if (key_bytes == 2) return use(std::uint16_t{});
      use(std::uint8_t{});
    }
  }
};

}  // namespace sortie::kernels
