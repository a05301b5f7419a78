#include "run/run_writer.hpp"

#include <algorithm>
#include <utility>

#include "base/parallel.hpp"
#include "base/thread_team.hpp"
#include "record/record_scan.hpp"
#include "run/run_format.hpp"

namespace sortie {
namespace {

/// A block of more than this many times the usual size is one long record. It is stored raw, since compressing it would
/// take as much memory again.
constexpr std::uint64_t kLongestEncodedBlocks = 4;

std::vector<std::span<const std::byte>> cut_into_blocks(const Layout& layout, std::uint64_t block_bytes,
                                                        std::span<const std::byte> part) {
  std::vector<std::span<const std::byte>> blocks;
  while (!part.empty()) {
    const std::size_t bytes = records_within(layout, part, block_bytes);
    blocks.push_back(part.first(bytes));
    part = part.subspan(bytes);
  }
  return blocks;
}

/// Whether header and footer are stored: not where nobody will look for them.
bool has_index(const RunStorage& storage) { return storage.in_file() && !storage.is_sequential(); }

std::size_t blocks_in_flight() { return 2 * parallel_threads(); }

}  // namespace

RunWriter::RunWriter(const RecordOrder& order, RunIdentity identity, std::shared_ptr<RunStorage> storage,
                     const RunWriterOptions& options)
    : order_(order), options_(options) {
  run_.identity = identity;
  run_.storage = std::move(storage);
  if (!has_index(*run_.storage)) return;
  const std::vector<std::byte> header = encode_run_header(make_run_header(order_, identity, options_.options_hash));
  run_.storage->append(header);
  run_.stored_bytes = records_begin_ = header.size();
}

void RunWriter::append(std::span<const std::byte> part) {
  const auto blocks = cut_into_blocks(order_.layout(), options_.block_bytes, part);
  const bool takes_stretches = run_.storage->in_file() && !run_.storage->is_sequential();
  if (takes_stretches && options_.codec == BlockCodec::kRaw) return append_stretch(part, blocks);
  const std::size_t group = blocks_in_flight();
  for (std::size_t begin = 0; begin < blocks.size(); begin += group) {
    append_group(std::span(blocks).subspan(begin, std::min(group, blocks.size() - begin)));
  }
}

RunWriter::Trial RunWriter::try_codec(std::span<const std::byte> part, BlockCodec codec, int zstd_level) const {
  const std::size_t most = blocks_in_flight() * options_.block_bytes;
  const auto blocks =
      cut_into_blocks(order_.layout(), options_.block_bytes,
                      part.first(boundary_at_or_after(order_.layout(), part, std::min(most, part.size()))));
  const Encoded encoded = encode(codec, zstd_level, blocks);
  Trial trial;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    trial.record_bytes += blocks[i].size();
    trial.encoded_bytes += encoded[i] ? encoded[i]->bytes : blocks[i].size();
  }
  return trial;
}

void RunWriter::set_codec(BlockCodec codec, int zstd_level) {
  options_.codec = codec;
  options_.zstd_level = zstd_level;
}

RunWriter::Encoded RunWriter::encode(BlockCodec codec, int zstd_level,
                                     std::span<const std::span<const std::byte>> blocks) const {
  Encoded encoded(blocks.size());
  if (codec == BlockCodec::kRaw) return encoded;
  const std::optional<ElementShape> shape = element_shape(order_);
  parallel_for(0, blocks.size(), [&](std::size_t i) {
    if (blocks[i].size() > std::min(kLongestEncodedBlocks * options_.block_bytes, kMostPackedBytes)) return;
    encoded[i] = encode_block(codec, zstd_level, shape, blocks[i]);
  });
  return encoded;
}

void RunWriter::append_group(std::span<const std::span<const std::byte>> blocks) {
  const Encoded encoded = encode(options_.codec, options_.zstd_level, blocks);
  const std::size_t first = run_.blocks.size();
  run_.blocks.resize(first + blocks.size());
  std::vector<std::uint64_t> offsets(blocks.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    offsets[i] = run_.storage->reserve(encoded[i] ? encoded[i]->bytes : blocks[i].size());
  }
  parallel_for(0, blocks.size(), [&](std::size_t i) {
    const std::span<const std::byte> stored = encoded[i] ? encoded[i]->stored() : blocks[i];
    if (!run_.storage->is_sequential()) run_.storage->write(offsets[i], stored);
    const BlockCodec codec = encoded[i] ? encoded[i]->codec : BlockCodec::kRaw;
    run_.blocks[first + i] = make_block_info(first + i, blocks[i], {offsets[i], stored, codec});
  });
  for (std::size_t i = 0; i < blocks.size() && run_.storage->is_sequential(); ++i) {
    run_.storage->write(offsets[i], encoded[i] ? encoded[i]->stored() : blocks[i]);
  }
  count_from(first);
}

void RunWriter::append_stretch(std::span<const std::byte> part, std::span<const std::span<const std::byte>> blocks) {
  const std::size_t first = run_.blocks.size();
  run_.blocks.resize(first + blocks.size());
  const std::uint64_t offset = run_.storage->reserve(part.size());
  parallel_for(0, blocks.size(), [&](std::size_t i) {
    const auto begin = static_cast<std::uint64_t>(blocks[i].data() - part.data());
    run_.blocks[first + i] = make_block_info(first + i, blocks[i], {offset + begin, blocks[i], BlockCodec::kRaw});
  });
  run_.storage->write_stretch(offset, part);
  count_from(first);
}

BlockInfo RunWriter::make_block_info(std::size_t index, std::span<const std::byte> records,
                                     const StoredBlock& stored) const {
  const Layout& layout = order_.layout();
  const auto first_bytes = stored_length(layout, records.data(), records.data() + records.size());
  const Record first = records.first(static_cast<std::size_t>(first_bytes));
  BlockInfo block;
  block.offset = stored.offset;
  block.stored_bytes = stored.bytes.size();
  block.codec = stored.codec;
  block.record_bytes = records.size();
  if (options_.output_bytes) block.output_bytes = options_.output_bytes(records);
  block.set_first_key(order_.normalised_key(first, kIndexKeyBytes), order_.key_bytes(first) > kIndexKeyBytes);
  if (!is_checked(block, *run_.storage)) return block;
  block.record_count = count_records(layout, records);
  block.checksum = block_checksum(stored.bytes, run_.identity, index);
  return block;
}

void RunWriter::count_from(std::size_t first_block) {
  for (std::size_t i = first_block; i < run_.blocks.size(); ++i) {
    run_.record_count += run_.blocks[i].record_count;
    run_.record_bytes += run_.blocks[i].record_bytes;
    run_.stored_bytes += run_.blocks[i].stored_bytes;
    index_bytes_ += index_entry_bytes(run_.blocks[i].first_key.capacity());
  }
}

Run RunWriter::finish() {
  if (has_index(*run_.storage)) {
    const std::vector<std::byte> footer = encode_run_footer(run_);
    const std::uint64_t footer_offset = run_.storage->append(footer);
    const std::vector<std::byte> trailer = encode_run_trailer(footer, footer_offset, run_.identity);
    run_.storage->append(trailer);
    run_.stored_bytes += footer.size() + trailer.size();
  }
  run_.storage->complete();
  return std::move(run_);
}

}  // namespace sortie
