#include "run/block_codec.hpp"

#include <algorithm>
#include <cstring>

#include <zstd.h>
#include <sortie/error.hpp>

#include "base/parallel.hpp"

namespace sortie {
namespace {

/// Bytes in front of the frame of a kDeltaShuffleZstd block: delta kind and element bytes.
constexpr std::size_t kShapeBytes = 2;

template <class Context, std::size_t (*free_context)(Context*)>
struct ContextDeleter {
  void operator()(Context* context) const { free_context(context); }
};
using CompressionContext = std::unique_ptr<ZSTD_CCtx, ContextDeleter<ZSTD_CCtx, ZSTD_freeCCtx>>;
using DecompressionContext = std::unique_ptr<ZSTD_DCtx, ContextDeleter<ZSTD_DCtx, ZSTD_freeDCtx>>;

template <class Context>
typename Context::pointer checked(const Context& context) {
  if (!context) throw Error("cannot allocate memory for zstd; use fewer threads, or leave runs uncompressed");
  return context.get();
}

/// Each thread keeps its context: making one costs more than compressing a small block.
ZSTD_CCtx* compression_context() {
  static OnePerThread<CompressionContext> contexts;
  CompressionContext& context = contexts.local();
  if (!context) context.reset(ZSTD_createCCtx());
  return checked(context);
}

ZSTD_DCtx* decompression_context() {
  static OnePerThread<DecompressionContext> contexts;
  DecompressionContext& context = contexts.local();
  if (!context) context.reset(ZSTD_createDCtx());
  return checked(context);
}

/// Bytes of the frame; nothing if it is larger than `target`.
std::optional<std::size_t> compress(int level, std::span<const std::byte> source, std::span<std::byte> target) {
  const std::size_t bytes =
      ZSTD_compressCCtx(compression_context(), target.data(), target.size(), source.data(), source.size(), level);
  if (ZSTD_isError(bytes)) return std::nullopt;
  return bytes;
}

bool decompress(std::span<const std::byte> frame, std::span<std::byte> target) {
  const std::size_t bytes =
      ZSTD_decompressDCtx(decompression_context(), target.data(), target.size(), frame.data(), frame.size());
  return !ZSTD_isError(bytes) && bytes == target.size();
}

bool decode_columns(std::span<const std::byte> stored, std::span<std::byte> records) {
  if (stored.size() < kShapeBytes) return false;
  const ElementShape shape{DeltaKind(stored[0]), std::to_integer<std::uint8_t>(stored[1])};
  if (!is_valid(shape) || records.size() % shape.bytes != 0) return false;
  const auto columns = std::make_unique_for_overwrite<std::byte[]>(records.size());
  const std::span<std::byte> target(columns.get(), records.size());
  if (!decompress(stored.subspan(kShapeBytes), target)) return false;
  undo_delta_shuffle(shape, target, records);
  return true;
}

}  // namespace

std::optional<ElementShape> element_shape(const RecordOrder& order) {
  const std::uint64_t bytes = order.layout().record_bytes;
  if (bytes == 0 || bytes > kMaxElementBytes) return std::nullopt;
  const KeyPart& part = order.plan().parts[0];
  const bool is_number = part.kind != FieldKind::kBytes && part.byte_order == ByteOrder::kLittle &&
                         part.bytes == bytes && (bytes == 4 || bytes == 8);
  return ElementShape{is_number ? DeltaKind::kNumber : DeltaKind::kByte, static_cast<std::uint8_t>(bytes)};
}

std::optional<EncodedBlock> encode_block(BlockCodec codec, int zstd_level, const std::optional<ElementShape>& shape,
                                         std::span<const std::byte> records) {
  if (codec == BlockCodec::kRaw || records.size() <= kShapeBytes) return std::nullopt;
  EncodedBlock block;
  // One byte short of the records: what does not fit has not shrunk.
  const std::size_t room = records.size() - 1;
  block.memory = std::make_unique_for_overwrite<std::byte[]>(room);
  const std::span<std::byte> target(block.memory.get(), room);
  std::optional<std::size_t> frame_bytes;
  if (codec == BlockCodec::kDeltaShuffleZstd && shape) {
    const auto columns = std::make_unique_for_overwrite<std::byte[]>(records.size());
    const std::span<std::byte> shuffled(columns.get(), records.size());
    delta_shuffle(*shape, records, shuffled);
    target[0] = std::byte(shape->delta);
    target[1] = std::byte{shape->bytes};
    frame_bytes = compress(zstd_level, shuffled, target.subspan(kShapeBytes));
    block.bytes = kShapeBytes;
    block.codec = BlockCodec::kDeltaShuffleZstd;
  } else {
    frame_bytes = compress(zstd_level, records, target);
    block.codec = BlockCodec::kZstd;
  }
  if (!frame_bytes) return std::nullopt;
  block.bytes += *frame_bytes;
  return block;
}

std::optional<std::uint64_t> unpacked_bytes(BlockCodec codec, std::span<const std::byte> stored) {
  if (codec == BlockCodec::kRaw) return std::nullopt;
  const std::span<const std::byte> frame =
      codec == BlockCodec::kZstd ? stored : stored.subspan(std::min(kShapeBytes, stored.size()));
  const unsigned long long bytes = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (bytes == ZSTD_CONTENTSIZE_UNKNOWN || bytes == ZSTD_CONTENTSIZE_ERROR) return std::nullopt;
  return bytes;
}

bool decode_block(BlockCodec codec, std::span<const std::byte> stored, std::span<std::byte> records) {
  switch (codec) {
    case BlockCodec::kRaw:
      if (stored.size() != records.size()) return false;
      if (!records.empty()) std::memcpy(records.data(), stored.data(), records.size());
      return true;
    case BlockCodec::kZstd:
      return decompress(stored, records);
    case BlockCodec::kDeltaShuffleZstd:
      return decode_columns(stored, records);
  }
  return false;
}

}  // namespace sortie
