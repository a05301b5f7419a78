// Compiled once for each set of vector instructions. At run time the best one that the machine supports is used.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/packing/unpack_sorted.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "kernels/common/key_codec.hpp"
#include "kernels/packing/packed_format.hpp"

HWY_BEFORE_NAMESPACE();
namespace sortie::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// A vector of codes, no longer than a line.
template <class Code>
using Codes = hn::CappedTag<Code, kLineWords<Code>>;

template <class Code>
using BlockNumbers = Code[kPackedBlockCodes];

/// Turns codes into numbers. Floats need two more instructions, because their sign decides which bits to flip.
template <class Code, bool kSignDecides>
struct VectorCodec {
  using Vector = hn::Vec<Codes<Code>>;

  explicit VectorCodec(const KeyCodec<Code>& codec)
      : flip_always(hn::Set(Codes<Code>(), codec.flip_always)),
        flip_if_negative(hn::Set(Codes<Code>(), codec.flip_if_negative)) {}

  Vector decode(Vector codes) const {
    const Vector numbers = hn::Xor(codes, flip_always);
    if constexpr (!kSignDecides) return numbers;
    const hn::RebindToSigned<Codes<Code>> as_signed;
    const auto negative = hn::BitCast(Codes<Code>(), hn::BroadcastSignBit(hn::BitCast(as_signed, numbers)));
    return hn::Xor(numbers, hn::And(negative, flip_if_negative));
  }

  Vector flip_always;
  Vector flip_if_negative;
};

/// Unpacks a block. Each column of its rows is a running sum of its own.
template <class Code, class Codec>
void unpack_block(const PackedBlockHeader<Code>& header, const Code* words, const Codec& codec,
                  BlockNumbers<Code>& numbers) {
  constexpr unsigned kRow = kLineWords<Code>;
  const Codes<Code> d;
  const unsigned width = header.width;
  const auto mask = hn::Set(d, width == 0 ? Code{0} : static_cast<Code>(~Code{0} >> (kCodeBits<Code> - width)));
  HWY_ALIGN Code sums[kRow];
  for (std::size_t l = 0; l < kRow; l += hn::Lanes(d)) hn::Store(hn::Set(d, header.first_code), d, sums + l);
  for (unsigned row = 0; row < kBlockRows<Code>; ++row) {
    const unsigned shift = row * width % kCodeBits<Code>;
    const Code* const low = words + row * width / kCodeBits<Code> * kRow;
    const bool crosses = shift + width > kCodeBits<Code>;
    for (std::size_t l = 0; l < kRow; l += hn::Lanes(d)) {
      auto difference = hn::Zero(d);
      if (width > 0) difference = hn::ShiftRightSame(hn::Load(d, low + l), static_cast<int>(shift));
      if (crosses) {
        const int rest = static_cast<int>(kCodeBits<Code> - shift);
        difference = hn::Or(difference, hn::ShiftLeftSame(hn::Load(d, low + kRow + l), rest));
      }
      const auto sum = hn::Add(hn::Load(d, sums + l), hn::And(difference, mask));
      hn::Store(sum, d, sums + l);
      hn::Store(codec.decode(sum), d, numbers + row * kRow + l);
    }
  }
}

/// Writes past the caches: nobody reads the output soon, and a line that is written whole is not fetched first.
template <class Code>
void stream_out(std::byte* target, const BlockNumbers<Code>& numbers, std::size_t bytes) {
  const hn::CappedTag<std::uint8_t, kLineBytes> d;
  const auto* const source = reinterpret_cast<const std::uint8_t*>(numbers);
  auto* const out = reinterpret_cast<std::uint8_t*>(target);
  const std::size_t phase = reinterpret_cast<std::uintptr_t>(target) % kLineBytes;
  const std::size_t head = std::min((kLineBytes - phase) % kLineBytes, bytes);
  std::memcpy(out, source, head);
  std::size_t at = head;
  for (; at + kLineBytes <= bytes; at += kLineBytes) {
    for (std::size_t l = 0; l < kLineBytes; l += hn::Lanes(d))
      hn::Stream(hn::LoadU(d, source + at + l), d, out + at + l);
  }
  std::memcpy(out + at, source + at, bytes - at);
}

template <class Code, bool kSignDecides>
void unpack_blocks(const KeyCodec<Code>& codec, const std::byte* piece, std::uint64_t count, std::uint64_t first_block,
                   std::uint64_t last_block, std::byte* target) {
  const VectorCodec<Code, kSignDecides> vector_codec(codec);
  const auto* const headers = reinterpret_cast<const PackedBlockHeader<Code>*>(piece);
  const auto* const words = reinterpret_cast<const Code*>(piece + packed_lines_offset<Code>(count));
  alignas(kLineBytes) BlockNumbers<Code> numbers;
  for (std::uint64_t b = first_block; b < last_block; ++b) {
    unpack_block(headers[b], words + std::uint64_t{headers[b].first_line} * kLineWords<Code>, vector_codec, numbers);
    const std::uint64_t block_codes = std::min<std::uint64_t>(kPackedBlockCodes, count - b * kPackedBlockCodes);
    stream_out<Code>(target, numbers, block_codes * sizeof(Code));
    target += block_codes * sizeof(Code);
  }
  hwy::FlushStream();
}

template <class Code>
void unpack_codes(const NumberOrder& order, const std::byte* piece, std::uint64_t count, std::uint64_t first_block,
                  std::uint64_t last_block, std::byte* target) {
  const auto codec = make_key_codec<Code>(order.kind, order.descending);
  if (codec.flip_if_negative != 0) {
    unpack_blocks<Code, true>(codec, piece, count, first_block, last_block, target);
  } else {
    unpack_blocks<Code, false>(codec, piece, count, first_block, last_block, target);
  }
}

void unpack_with_vectors(const NumberOrder& order, const std::byte* piece, std::uint64_t count,
                         std::uint64_t first_block, std::uint64_t last_block, std::byte* numbers) {
  if (order.bytes == 4) {
    unpack_codes<std::uint32_t>(order, piece, count, first_block, last_block, numbers);
  } else {
    unpack_codes<std::uint64_t>(order, piece, count, first_block, last_block, numbers);
  }
}

}  // namespace
}  // namespace sortie::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sortie::kernels {
namespace {

HWY_EXPORT(unpack_with_vectors);

template <class Code>
std::uint64_t piece_bytes(std::uint64_t count, std::uint32_t lines) {
  const std::uint64_t bytes = packed_lines_offset<Code>(count) + std::uint64_t{lines} * kLineBytes;
  return bytes <= most_packed_bytes<Code>(count) ? bytes : kNotWorthPacking;
}

}  // namespace

std::uint64_t packed_piece_bytes(std::uint64_t count, unsigned code_bytes, std::uint32_t lines) {
  return code_bytes == 4 ? piece_bytes<std::uint32_t>(count, lines) : piece_bytes<std::uint64_t>(count, lines);
}

void unpack_numbers(const NumberOrder& order, const std::byte* piece, std::uint64_t count, std::uint64_t first_block,
                    std::uint64_t last_block, std::byte* numbers) {
  HWY_DYNAMIC_DISPATCH(unpack_with_vectors)(order, piece, count, first_block, last_block, numbers);
}

}  // namespace sortie::kernels
#endif
