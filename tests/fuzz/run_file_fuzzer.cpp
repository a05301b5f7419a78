// Takes any bytes as a run file. Header, index, trailer and blocks are refused by an Error or hold exactly what they
// claim.
//
//   | 0: as they are; else: checksums made good, as an attacker would | the file |
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <memory>
#include <string>
#include <vector>

#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "fuzz/fuzz_target.hpp"
#include "run/run_file.hpp"
#include "support/memory_file_system.hpp"

namespace sortie {
namespace {

constexpr std::size_t kHeaderChecksumAt = kRunHeaderBytes - 8;
constexpr std::size_t kFooterHeadBytes = 24;
constexpr std::size_t kEntryBytes = 44;
constexpr std::size_t kEntryChecksumAt = 32;
/// Larger blocks are not unpacked, because a reader has to choose the largest block that it accepts.
constexpr std::uint64_t kMostRecordBytes = 1 << 20;

template <class Number>
Number load(const std::string& file, std::size_t at) {
  return load_as<Number>(file.data() + at);
}

/// Makes valid the checksums of all blocks within the file, in the index that begins at `footer`.
void seal_blocks(std::string& file, const RunIdentity& identity, std::size_t footer) {
  const std::size_t end = file.size() - kRunTrailerBytes;
  std::uint64_t block = 0;
  for (std::size_t entry = footer + kFooterHeadBytes; entry + kEntryBytes <= end; ++block) {
    const auto offset = load<std::uint64_t>(file, entry);
    const auto bytes = load<std::uint64_t>(file, entry + 8);
    if (offset > file.size() || bytes > file.size() - offset) return;
    const std::string_view stored = std::string_view(file).substr(offset, bytes);
    store_as(file.data() + entry + kEntryChecksumAt, block_checksum(fuzz::as_bytes(stored), identity, block));
    entry += kEntryBytes + load<std::uint16_t>(file, entry + kEntryBytes - 2);
  }
}

void seal(std::string& file) {
  if (file.size() < kRunHeaderBytes + kRunTrailerBytes) return;
  store_as(file.data() + kHeaderChecksumAt, std::uint64_t{XXH3_64bits(file.data(), kHeaderChecksumAt)});
  const RunIdentity identity{load<std::uint64_t>(file, 16), load<std::uint64_t>(file, 24)};
  const std::size_t trailer = file.size() - kRunTrailerBytes;
  const auto footer = load<std::uint64_t>(file, trailer);
  if (footer > trailer) return;
  seal_blocks(file, identity, footer);
  const std::string_view index = std::string_view(file).substr(footer, trailer - footer);
  const std::vector<std::byte> sealed = encode_run_trailer(fuzz::as_bytes(index), footer, identity);
  std::copy(sealed.begin(), sealed.end(), reinterpret_cast<std::byte*>(file.data()) + trailer);
}

void read_all_blocks(const Run& run) {
  std::uint64_t records = 0;
  for (std::size_t i = 0; i < run.blocks.size(); ++i) {
    const BlockInfo& block = run.blocks[i];
    records += block.record_count;
    if (block.record_bytes > kMostRecordBytes) continue;
    std::vector<std::byte> target(static_cast<std::size_t>(block.record_bytes));
    try {
      read_block(run, i, target);
    } catch (const Error&) {
    }
  }
  fuzz::require(records == run.record_count, "the index counts the records of its blocks");
}

}  // namespace
}  // namespace sortie

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sortie::fuzz::InputReader input(data, size);
  const bool sealed = input.byte() != 0;
  sortie::test::MemoryFileSystem files;
  std::string& file = files.contents("run");
  file = input.rest();
  if (sealed) sortie::seal(file);
  try {
    sortie::read_all_blocks(sortie::open_run_file(files, "run").run);
  } catch (const sortie::Error&) {
  }
  return 0;
}
