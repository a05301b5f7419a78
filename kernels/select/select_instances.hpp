// The types of keys, codecs and positions that items are selected of. radix_select.cu and sample_select.cu end with
// what they instantiate for each.
#pragma once

#include <cstdint>

#include "kernels/common/key_codec.hpp"
#include "kernels/common/lane_codec.hpp"
#include "kernels/floats/value_codec.hpp"

/// Expands use(Bits, Position) for all keys.
#define SORTIE_EACH_SELECT_SIZE(use)                                                                        \
  use(std::uint8_t, std::uint32_t) use(std::uint8_t, std::uint64_t) use(std::uint16_t, std::uint32_t)       \
      use(std::uint16_t, std::uint64_t) use(std::uint32_t, std::uint32_t) use(std::uint32_t, std::uint64_t) \
          use(std::uint64_t, std::uint32_t) use(std::uint64_t, std::uint64_t)

/// Expands use(Bits, Codec, Position) for all keys and their codecs, which are templates.
#define SORTIE_EACH_SELECT_CODEC(use)                                                                             \
  use(std::uint8_t, ShortCodec, std::uint32_t) use(std::uint8_t, ShortCodec, std::uint64_t)                       \
      use(std::uint16_t, ShortCodec, std::uint32_t) use(std::uint16_t, ShortCodec, std::uint64_t)                 \
          use(std::uint32_t, KeyCodec, std::uint32_t) use(std::uint32_t, KeyCodec, std::uint64_t)                 \
              use(std::uint64_t, KeyCodec, std::uint32_t) use(std::uint64_t, KeyCodec, std::uint64_t)             \
                  use(std::uint16_t, ValueCodec, std::uint32_t) use(std::uint16_t, ValueCodec, std::uint64_t)     \
                      use(std::uint32_t, ValueCodec, std::uint32_t) use(std::uint32_t, ValueCodec, std::uint64_t) \
                          use(std::uint64_t, ValueCodec, std::uint32_t) use(std::uint64_t, ValueCodec, std::uint64_t)
