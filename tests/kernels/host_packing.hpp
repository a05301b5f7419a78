// Packs codes as the device does, number by number. Unpackers are tested with it where there is no GPU.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "kernels/packing/packed_format.hpp"

namespace sortie::kernels {

template <class Code>
class HostPackedPiece {
 public:
  /// Blocks take their lines in the order of `positions`, or in their own order if it is empty. Thread blocks do so in
  /// any order.
  explicit HostPackedPiece(std::span<const Code> codes, std::span<const std::size_t> positions = {}) {
    const std::uint64_t blocks = packed_blocks(codes.size());
    memory_.resize(packed_lines_offset<Code>(codes.size()) / kLineBytes);
    for (std::uint64_t i = 0; i < blocks; ++i) pack_block(codes, positions.empty() ? i : positions[i]);
  }

  const std::byte* data() const { return memory_[0].bytes; }
  std::uint32_t lines() const { return lines_; }

 private:
  struct alignas(kLineBytes) Line {
    std::byte bytes[kLineBytes] = {};
  };

  void pack_block(std::span<const Code> codes, std::uint64_t block) {
    std::vector<Code> padded(kPackedBlockCodes, codes.back());
    const std::uint64_t begin = block * kPackedBlockCodes;
    std::ranges::copy(codes.subspan(begin, std::min<std::uint64_t>(kPackedBlockCodes, codes.size() - begin)),
                      padded.begin());
    PackedBlockHeader<Code> header{};
    header.first_code = padded[0];
    header.first_line = lines_;
    std::vector<Code> differences(kPackedBlockCodes);
    for (unsigned i = 0; i < kPackedBlockCodes; ++i) {
      differences[i] = padded[i] - (i < kLineWords<Code> ? padded[0] : padded[i - kLineWords<Code>]);
      header.width = std::max(header.width, static_cast<std::uint32_t>(std::bit_width(differences[i])));
    }
    std::memcpy(reinterpret_cast<std::byte*>(memory_.data()) + block * sizeof header, &header, sizeof header);
    const std::size_t first = memory_.size();
    memory_.resize(first + header.width);
    for (unsigned i = 0; i < kPackedBlockCodes; ++i) {
      for (unsigned bit = 0; bit < header.width; ++bit) {
        const unsigned at = i / kLineWords<Code> * header.width + bit;
        if ((differences[i] >> bit & 1) == 0) continue;
        Code word = 0;
        std::byte* const position = memory_[first + at / kCodeBits<Code>].bytes + i % kLineWords<Code> * sizeof(Code);
        std::memcpy(&word, position, sizeof word);
        word |= Code{1} << at % kCodeBits<Code>;
        std::memcpy(position, &word, sizeof word);
      }
    }
    lines_ += header.width;
  }

  std::vector<Line> memory_;
  std::uint32_t lines_ = 0;
};

}  // namespace sortie::kernels
