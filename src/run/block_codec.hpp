// How the records of a block are stored: as they are, compressed by zstd, with or without turning them into delta
// columns first. Each block stands alone. Used by RunWriter and read_block().
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "record/record_order.hpp"
#include "run/delta_shuffle.hpp"
#include "run/run.hpp"

namespace sortie {

/// An encoded block, in a buffer that is not cleared before it is filled.
struct EncodedBlock {
  std::unique_ptr<std::byte[]> memory;
  std::size_t bytes = 0;
  BlockCodec codec = BlockCodec::kRaw;

  std::span<const std::byte> stored() const { return {memory.get(), bytes}; }
};

/// How kDeltaShuffleZstd sees the records; nothing for lines and records longer than kMaxElementBytes.
std::optional<ElementShape> element_shape(const RecordOrder& order);

/// Returns nothing if the records would not shrink (then they are stored raw). Without a shape, kDeltaShuffleZstd
/// becomes kZstd. Uses up to records.size() bytes for the result, and as many again while it shuffles. Thread-safe.
///
/// Measured at level 1 on sorted blocks of 1 MiB, one thread of an AMD EPYC; stored share and GB/s encoded:
///                                  kZstd        kDeltaShuffleZstd
///   u32, 16 M uniform              0.85  0.9    0.32  0.95
///   u64, 8 M uniform               0.94  0.9    0.67  1.2
///   f64, 8 M normal                0.88  0.9    0.54  1.4
///   16 bytes, 8 random key bytes   0.98  0.9    0.85  1.1
///   gensort, 1 M                   0.30  0.4    0.20  1.2
std::optional<EncodedBlock> encode_block(BlockCodec codec, int zstd_level, const std::optional<ElementShape>& shape,
                                         std::span<const std::byte> records);

/// How many bytes of records `stored` says that it unpacks to; nothing if it does not say so, or is raw. So that no
/// memory is asked for because of what an index says alone.
std::optional<std::uint64_t> unpacked_bytes(BlockCodec codec, std::span<const std::byte> stored);

/// Fills `records` from `stored`, which need not be trusted. False if it does not decode to exactly
/// records.size() bytes. Thread-safe.
bool decode_block(BlockCodec codec, std::span<const std::byte> stored, std::span<std::byte> records);

}  // namespace sortie
