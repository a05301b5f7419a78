#include <cassert>
#include <memory>
#include <string>

#include <sortie/error.hpp>

#include "io/filter_program.hpp"
#include "run/block_codec.hpp"
#include "run/run.hpp"
#include "run/run_format.hpp"

namespace sortie {
namespace {

[[noreturn]] void refuse(const Run& run, std::size_t index, const char* reason) {
  throw Error("block " + std::to_string(index) + " of run " + std::to_string(run.identity.run_number) + " in " +
              run.storage->name() + " " + reason + "; " + run.storage->remedy());
}

void check(const Run& run, std::size_t index, std::span<const std::byte> stored) {
  if (!is_checked(run.blocks[index], *run.storage)) return;
  if (block_checksum(stored, run.identity, index) == run.blocks[index].checksum) return;
  refuse(run, index, "is damaged (its checksum differs)");
}

}  // namespace

void check_block(const Run& run, std::size_t index) {
  const BlockInfo& block = run.blocks.at(index);
  check(run, index, run.storage->view(block.offset, block.stored_bytes));
}

void read_block(const Run& run, std::size_t index, std::span<std::byte> target) {
  const BlockInfo& block = run.blocks.at(index);
  assert(target.size() == block.record_bytes);
  if (block.codec == BlockCodec::kRaw) {
    run.storage->read(block.offset, target);
    check(run, index, target);
    return;
  }
  const auto bytes = static_cast<std::size_t>(block.stored_bytes);
  const auto memory = std::make_unique_for_overwrite<std::byte[]>(bytes);
  const std::span<std::byte> stored(memory.get(), bytes);
  run.storage->read(block.offset, stored);
  check(run, index, stored);
  if (block.codec == BlockCodec::kProgram && run.program) {
    if (!run.program->decompress(stored, target)) refuse(run, index, "cannot be unpacked by the compress program");
  } else if (!decode_block(block.codec, stored, target)) {
    refuse(run, index, "cannot be unpacked");
  }
}

}  // namespace sortie
