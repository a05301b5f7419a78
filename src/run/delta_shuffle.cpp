#include "run/delta_shuffle.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include "base/bytes.hpp"

namespace sortie {
namespace {

/// Elements that are transposed at a time: their loops are short enough for vector registers and the cache.
constexpr std::size_t kTile = 64;

template <class Number>
void shuffle_numbers(std::span<const std::byte> elements, std::span<std::byte> columns) {
  const std::size_t count = elements.size() / sizeof(Number);
  Number previous = 0;
  for (std::size_t begin = 0; begin < count; begin += kTile) {
    const std::size_t tile = std::min(kTile, count - begin);
    std::array<Number, kTile> deltas;
    for (std::size_t i = 0; i < tile; ++i) {
      const auto number = load_as<Number>(elements.data() + (begin + i) * sizeof(Number));
      deltas[i] = number - previous;
      previous = number;
    }
    for (std::size_t column = 0; column < sizeof(Number); ++column) {
      std::byte* const target = columns.data() + column * count + begin;
      for (std::size_t i = 0; i < tile; ++i) target[i] = static_cast<std::byte>(deltas[i] >> (8 * column));
    }
  }
}

template <class Number>
void unshuffle_numbers(std::span<const std::byte> columns, std::span<std::byte> elements) {
  const std::size_t count = elements.size() / sizeof(Number);
  Number previous = 0;
  for (std::size_t begin = 0; begin < count; begin += kTile) {
    const std::size_t tile = std::min(kTile, count - begin);
    std::array<Number, kTile> deltas{};
    for (std::size_t column = 0; column < sizeof(Number); ++column) {
      const std::byte* const source = columns.data() + column * count + begin;
      for (std::size_t i = 0; i < tile; ++i) deltas[i] |= static_cast<Number>(source[i]) << (8 * column);
    }
    for (std::size_t i = 0; i < tile; ++i) {
      previous += deltas[i];
      store_as(elements.data() + (begin + i) * sizeof(Number), previous);
    }
  }
}

void shuffle_bytes(std::size_t width, std::span<const std::byte> elements, std::span<std::byte> columns) {
  const std::size_t count = elements.size() / width;
  for (std::size_t begin = 0; begin < count; begin += kTile) {
    const std::size_t tile = std::min(kTile, count - begin);
    for (std::size_t column = 0; column < width; ++column) {
      const std::byte* const source = elements.data() + begin * width + column;
      std::byte* const target = columns.data() + column * count + begin;
      auto previous = begin == 0 ? std::uint8_t{0} : std::to_integer<std::uint8_t>(*(source - width));
      for (std::size_t i = 0; i < tile; ++i) {
        const auto value = std::to_integer<std::uint8_t>(source[i * width]);
        target[i] = static_cast<std::byte>(value - previous);
        previous = value;
      }
    }
  }
}

void unshuffle_bytes(std::size_t width, std::span<const std::byte> columns, std::span<std::byte> elements) {
  const std::size_t count = elements.size() / width;
  for (std::size_t begin = 0; begin < count; begin += kTile) {
    const std::size_t tile = std::min(kTile, count - begin);
    for (std::size_t column = 0; column < width; ++column) {
      const std::byte* const source = columns.data() + column * count + begin;
      std::byte* const target = elements.data() + begin * width + column;
      unsigned previous = begin == 0 ? 0 : std::to_integer<unsigned>(*(target - width));
      for (std::size_t i = 0; i < tile; ++i) {
        previous += std::to_integer<unsigned>(source[i]);
        target[i * width] = static_cast<std::byte>(previous);
      }
    }
  }
}

}  // namespace

bool is_valid(const ElementShape& shape) {
  if (shape.delta == DeltaKind::kNumber) return shape.bytes == 4 || shape.bytes == 8;
  return shape.delta == DeltaKind::kByte && shape.bytes >= 1 && shape.bytes <= kMaxElementBytes;
}

void delta_shuffle(const ElementShape& shape, std::span<const std::byte> elements, std::span<std::byte> columns) {
  assert(is_valid(shape) && elements.size() == columns.size() && elements.size() % shape.bytes == 0);
  if (shape.delta == DeltaKind::kByte) return shuffle_bytes(shape.bytes, elements, columns);
  if (shape.bytes == 4) return shuffle_numbers<std::uint32_t>(elements, columns);
  shuffle_numbers<std::uint64_t>(elements, columns);
}

void undo_delta_shuffle(const ElementShape& shape, std::span<const std::byte> columns, std::span<std::byte> elements) {
  assert(is_valid(shape) && elements.size() == columns.size() && elements.size() % shape.bytes == 0);
  if (shape.delta == DeltaKind::kByte) return unshuffle_bytes(shape.bytes, columns, elements);
  if (shape.bytes == 4) return unshuffle_numbers<std::uint32_t>(columns, elements);
  unshuffle_numbers<std::uint64_t>(columns, elements);
}

}  // namespace sortie
