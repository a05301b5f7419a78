#include "run/run_format.hpp"

#include <algorithm>
#include <optional>

#include <sortie/error.hpp>
#include <sortie/run_error.hpp>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/quote.hpp"

namespace sortie {
namespace {

constexpr std::uint64_t kHeaderMagic = 0x0a4e555254525389;   // 89 'S' 'R' 'T' 'R' 'U' 'N' '\n'
constexpr std::uint64_t kTrailerMagic = 0x0a444e4554525389;  // 89 'S' 'R' 'T' 'E' 'N' 'D' '\n'
constexpr std::size_t kHeaderChecksumAt = kRunHeaderBytes - 8;
constexpr std::size_t kFooterHeadBytes = 24;
constexpr std::size_t kSmallestEntryBytes = 52;

/// A zstd block unpacks to 128 KiB at most and takes 4 bytes at least.
constexpr std::uint64_t kLargestZstdRatio = 32768;

std::uint64_t hash(std::span<const std::byte> bytes, std::uint64_t seed = 0) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

std::uint64_t seed_of(const RunIdentity& identity, std::uint64_t number) {
  ByteBuilder position;
  position.number(identity.job_id);
  position.number(identity.run_number);
  position.number(number);
  return hash(position.view());
}

std::uint64_t hash_order(const KeyPlan& plan) {
  ByteBuilder order;
  order.number(std::uint8_t{plan.whole_line});
  order.number(std::uint8_t{plan.descending_line});
  order.number(plan.part_count);
  for (std::uint32_t i = 0; i < plan.part_count; ++i) {
    const KeyPart& part = plan.parts[i];
    order.number(part.source_offset);
    order.number(part.bytes);
    order.number(static_cast<std::uint8_t>(part.kind));
    order.number(static_cast<std::uint8_t>(part.byte_order));
    order.number(std::uint8_t{part.descending});
  }
  return hash(order.view());
}

[[noreturn]] void refuse(const std::string& file, const std::string& reason) {
  throw DamagedFile(file, "run file " + quote_word(file) + " cannot be used: " + reason);
}

BlockInfo decode_entry(ByteCursor& cursor, const std::string& file) {
  BlockInfo block;
  block.offset = cursor.number<std::uint64_t>();
  block.stored_bytes = cursor.number<std::uint64_t>();
  block.record_bytes = cursor.number<std::uint64_t>();
  block.record_count = cursor.number<std::uint64_t>();
  block.output_bytes = cursor.number<std::uint64_t>();
  block.checksum = cursor.number<std::uint64_t>();
  const auto codec = cursor.number<std::uint8_t>();
  const auto key_is_cut = cursor.number<std::uint8_t>();
  const auto key_bytes = cursor.number<std::uint16_t>();
  const std::span<const std::byte> key = cursor.bytes(key_bytes);
  const bool is_known = codec <= static_cast<std::uint8_t>(BlockCodec::kDeltaShuffleZstd) && key_is_cut <= 1;
  if (cursor.overrun() || !is_known || key_bytes > kIndexKeyBytes) refuse(file, "its index is malformed");
  block.codec = BlockCodec{codec};
  block.set_first_key(key, key_is_cut != 0);
  return block;
}

/// Whether sizes and counts of a block can belong together.
bool is_consistent(const BlockInfo& block, const Layout& layout) {
  if (block.record_count == 0 || block.record_bytes < block.record_count) return false;
  if (block.record_count > 1 && block.record_bytes > kMostBlockBytes) return false;
  if (!layout.delimited() && (block.record_bytes % layout.record_bytes != 0 ||
                              block.record_bytes / layout.record_bytes != block.record_count)) {
    return false;
  }
  if (block.codec == BlockCodec::kRaw) return block.stored_bytes == block.record_bytes;
  if (block.record_bytes > kMostPackedBytes) return false;
  return block.stored_bytes < block.record_bytes && block.record_bytes / kLargestZstdRatio <= block.stored_bytes;
}

}  // namespace

RunHeader make_run_header(const RecordOrder& order, const RunIdentity& identity, std::uint64_t options_hash) {
  return {kRunFormatVersion, identity, order.layout(), hash_order(order.plan()), options_hash};
}

std::vector<std::byte> encode_run_header(const RunHeader& header) {
  ByteBuilder bytes;
  bytes.number(kHeaderMagic);
  bytes.number(header.version);
  bytes.number(static_cast<std::uint32_t>(static_cast<unsigned char>(header.layout.delimiter)));
  bytes.number(header.identity.job_id);
  bytes.number(header.identity.run_number);
  bytes.number(header.layout.record_bytes);
  bytes.number(header.order_hash);
  bytes.number(header.options_hash);
  bytes.number(hash(bytes.view()));
  return std::move(bytes).take();
}

bool may_begin_run_file(std::span<const std::byte> bytes, const RunIdentity& identity) {
  constexpr std::size_t kDelimiterAt = 12;
  constexpr std::size_t kIdentityAt = 16;
  RunHeader header;
  header.identity = identity;
  const std::vector<std::byte> expected = encode_run_header(header);
  const auto known = std::span(expected).first(kIdentityAt + sizeof identity);
  bytes = bytes.first(std::min(bytes.size(), known.size()));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const bool varies = i >= kDelimiterAt && i < kIdentityAt;
    if (varies || bytes[i] == known[i]) continue;
    return std::ranges::all_of(bytes.subspan(i), [](std::byte byte) { return byte == std::byte{}; });
  }
  return true;
}

RunHeader decode_run_header(std::span<const std::byte> bytes, const std::string& file) {
  ByteCursor cursor(bytes);
  RunHeader header;
  if (cursor.number<std::uint64_t>() != kHeaderMagic) refuse(file, "it does not begin like a run file");
  header.version = cursor.number<std::uint32_t>();
  if (header.version != kRunFormatVersion) {
    refuse(file, "it has format version " + std::to_string(header.version) + ", this program reads version " +
                     std::to_string(kRunFormatVersion));
  }
  const auto delimiter = cursor.number<std::uint32_t>();
  header.identity.job_id = cursor.number<std::uint64_t>();
  header.identity.run_number = cursor.number<std::uint64_t>();
  header.layout.record_bytes = cursor.number<std::uint64_t>();
  header.order_hash = cursor.number<std::uint64_t>();
  header.options_hash = cursor.number<std::uint64_t>();
  const auto checksum = cursor.number<std::uint64_t>();
  if (checksum != hash(bytes.first(kHeaderChecksumAt)) || delimiter > 0xff || !cursor.complete()) {
    refuse(file, "its header is damaged");
  }
  header.layout.delimiter = static_cast<char>(delimiter);
  return header;
}

std::vector<std::byte> encode_run_footer(const Run& run) {
  ByteBuilder bytes;
  std::size_t most_bytes = sizeof run.record_count * 3;
  for (const BlockInfo& block : run.blocks) most_bytes += sizeof block + block.first_key.size();
  bytes.reserve(most_bytes);
  bytes.number(std::uint64_t{run.blocks.size()});
  bytes.number(run.record_count);
  bytes.number(run.record_bytes);
  for (const BlockInfo& block : run.blocks) {
    bytes.number(block.offset);
    bytes.number(block.stored_bytes);
    bytes.number(block.record_bytes);
    bytes.number(block.record_count);
    bytes.number(block.output_bytes);
    bytes.number(block.checksum);
    bytes.number(static_cast<std::uint8_t>(block.codec));
    bytes.number(std::uint8_t{block.key_is_cut});
    bytes.number(static_cast<std::uint16_t>(block.first_key.size()));
    bytes.bytes(block.first_key);
  }
  return std::move(bytes).take();
}

std::vector<std::byte> encode_run_trailer(std::span<const std::byte> footer, std::uint64_t footer_offset,
                                          const RunIdentity& identity) {
  ByteBuilder bytes;
  bytes.number(footer_offset);
  bytes.number(std::uint64_t{footer.size()});
  bytes.number(hash(footer, seed_of(identity, footer_offset)));
  bytes.number(kTrailerMagic);
  return std::move(bytes).take();
}

RunTrailer decode_run_trailer(std::span<const std::byte> bytes, std::uint64_t file_bytes, const std::string& file) {
  ByteCursor cursor(bytes);
  RunTrailer trailer;
  trailer.footer_offset = cursor.number<std::uint64_t>();
  trailer.footer_bytes = cursor.number<std::uint64_t>();
  trailer.footer_checksum = cursor.number<std::uint64_t>();
  const auto magic = cursor.number<std::uint64_t>();
  if (magic != kTrailerMagic || !cursor.complete())
    refuse(file, "it does not end like a run file; it is cut short or damaged");
  const std::uint64_t body_bytes = file_bytes - kRunTrailerBytes;
  if (trailer.footer_offset < kRunHeaderBytes || trailer.footer_offset > body_bytes ||
      trailer.footer_bytes != body_bytes - trailer.footer_offset) {
    refuse(file, "its trailer does not fit its size; it is damaged");
  }
  return trailer;
}

Run decode_run_footer(std::span<const std::byte> footer, const RunTrailer& trailer, const RunHeader& header,
                      const std::string& file) {
  if (hash(footer, seed_of(header.identity, trailer.footer_offset)) != trailer.footer_checksum) {
    refuse(file, "its index is damaged or belongs to another run");
  }
  ByteCursor cursor(footer);
  Run run;
  run.identity = header.identity;
  const auto block_count = cursor.number<std::uint64_t>();
  run.record_count = cursor.number<std::uint64_t>();
  run.record_bytes = cursor.number<std::uint64_t>();
  if (cursor.overrun() || block_count > (footer.size() - kFooterHeadBytes) / kSmallestEntryBytes) {
    refuse(file, "its index is malformed");
  }
  run.blocks.reserve(static_cast<std::size_t>(block_count));
  std::uint64_t offset = kRunHeaderBytes;
  std::uint64_t record_count = 0;
  std::uint64_t record_bytes = 0;
  for (std::uint64_t i = 0; i < block_count; ++i) {
    const BlockInfo& block = run.blocks.emplace_back(decode_entry(cursor, file));
    const bool fits = block.offset == offset && block.stored_bytes <= trailer.footer_offset - offset;
    if (!fits || !is_consistent(block, header.layout)) refuse(file, "its index contradicts itself");
    offset += block.stored_bytes;
    record_count += block.record_count;
    record_bytes += block.record_bytes;
  }
  const bool sums_agree = record_count == run.record_count && record_bytes == run.record_bytes;
  if (!cursor.complete() || offset != trailer.footer_offset || !sums_agree)
    refuse(file, "its index contradicts itself");
  return run;
}

std::uint64_t index_begin(std::uint64_t footer_offset) { return footer_offset + kFooterHeadBytes; }

std::uint64_t index_entry_size(const BlockInfo& block) { return kSmallestEntryBytes + block.first_key.size(); }

std::uint64_t index_checksum(std::span<const std::byte> entries, const RunIdentity& identity, std::uint64_t offset) {
  return hash(entries, seed_of(identity, offset));
}

std::vector<BlockInfo> decode_index_entries(std::span<const std::byte> entries, std::uint64_t offset,
                                            const RunHeader& header, const std::string& file) {
  ByteCursor cursor(entries);
  std::vector<BlockInfo> blocks;
  std::optional<std::uint64_t> begin;
  while (!cursor.complete()) {
    const BlockInfo& block = blocks.emplace_back(decode_entry(cursor, file));
    const bool fits = block.offset >= kRunHeaderBytes && block.offset == begin.value_or(block.offset) &&
                      block.offset <= offset && block.stored_bytes <= offset - block.offset;
    if (!fits || !is_consistent(block, header.layout)) refuse(file, "its index contradicts itself");
    begin = block.offset + block.stored_bytes;
  }
  return blocks;
}

std::uint64_t block_checksum(std::span<const std::byte> stored, const RunIdentity& identity, std::uint64_t block) {
  return hash(stored, seed_of(identity, block));
}

}  // namespace sortie
