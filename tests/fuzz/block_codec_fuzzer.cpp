// Unpacks any bytes as a stored block, to any size. Packs any bytes as records and unpacks them, with every codec.
//
//   | codec | delta kind | element bytes | bytes to unpack to (2 bytes) | bytes |
#include <string>

#include "fuzz/fuzz_target.hpp"
#include "run/block_codec.hpp"

namespace sortie {
namespace {

constexpr std::size_t kCodecs = 3;

void unpack_anything(BlockCodec codec, std::string_view stored, std::size_t bytes) {
  std::string records(bytes, '\0');
  decode_block(codec, fuzz::as_bytes(stored), std::as_writable_bytes(std::span(records)));
}

void pack_and_unpack(BlockCodec codec, const ElementShape& shape, std::string_view bytes) {
  if (!is_valid(shape)) return;
  const std::string_view records = bytes.substr(0, bytes.size() / shape.bytes * shape.bytes);
  const auto block = encode_block(codec, 1, shape, fuzz::as_bytes(records));
  if (!block) return;
  fuzz::require(block->bytes < records.size(), "a block that is stored packed has shrunk");
  std::string unpacked(records.size(), '?');
  fuzz::require(decode_block(block->codec, block->stored(), std::as_writable_bytes(std::span(unpacked))),
                "what was packed can be unpacked");
  fuzz::require(unpacked == records, "what is unpacked is what was packed");
}

void shuffle_and_undo(const ElementShape& shape, std::string_view bytes) {
  if (!is_valid(shape)) return;
  const auto elements = fuzz::as_bytes(bytes.substr(0, bytes.size() / shape.bytes * shape.bytes));
  std::vector<std::byte> columns(elements.size());
  std::vector<std::byte> undone(elements.size());
  delta_shuffle(shape, elements, columns);
  undo_delta_shuffle(shape, columns, undone);
  fuzz::require(std::equal(undone.begin(), undone.end(), elements.begin()), "shuffling is undone");
}

}  // namespace
}  // namespace sortie

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sortie::fuzz::InputReader input(data, size);
  const auto codec = sortie::BlockCodec(input.byte() % sortie::kCodecs);
  const auto delta = sortie::DeltaKind(input.byte());
  const sortie::ElementShape shape{delta, input.byte()};
  const std::size_t bytes = input.number();
  sortie::unpack_anything(codec, input.rest(), bytes);
  sortie::pack_and_unpack(codec, shape, input.rest());
  sortie::shuffle_and_undo(shape, input.rest());
  return 0;
}
