// Turns sorted parts into a run: cuts them into blocks, encodes the blocks in parallel, appends them.
// Fed by run formation, and by merge passes that are not the last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "record/record_order.hpp"
#include "run/block_codec.hpp"
#include "run/run.hpp"

namespace sortie {

struct RunWriterOptions {
  std::uint64_t block_bytes = 1 << 20;  ///< bytes of records in a block; a longer record gets its own
  /// kDeltaShuffleZstd is the better of the two that compress; records that it cannot serve (lines, long
  /// ones) get kZstd. A block that does not shrink is stored raw.
  BlockCodec codec = BlockCodec::kRaw;
  int zstd_level = 1;
  /// Length of records as they are written in the end. Empty: blocks do not say. Thread-safe.
  std::function<std::uint64_t(std::span<const std::byte> records)> output_bytes = {};
  std::uint64_t options_hash = 0;  ///< see RunHeader
};

class RunWriter {
 public:
  /// Writes the header if the storage is a file. `order` must outlive the writer.
  RunWriter(const RecordOrder& order, RunIdentity identity, std::shared_ptr<RunStorage> storage,
            const RunWriterOptions& options);

  /// Takes the next records in order: whole ones. Returns when they are encoded and appended. Besides
  /// the storage it uses at most 2 * threads blocks of memory, 3 * threads while it shuffles.
  void append(std::span<const std::byte> part);

  /// Memory of the run's file for records of at most `bytes`, which begin `position` bytes behind the run's first
  /// record: append() does not copy them then. Empty if there is none, which may change. All records of the run must be
  /// stored as they are, at their positions.
  std::span<std::byte> room(std::uint64_t position, std::uint64_t bytes) const {
    return run_.storage->room(records_begin_ + position, bytes);
  }

  struct Trial {
    std::uint64_t record_bytes = 0;
    std::uint64_t encoded_bytes = 0;
  };
  /// Encodes the first blocks of `part`, as many as append() does at once, and reports the sizes. Nothing is stored.
  Trial try_codec(std::span<const std::byte> part, BlockCodec codec, int zstd_level) const;

  /// Sets the codec from the next append() on.
  void set_codec(BlockCodec codec, int zstd_level);

  /// Sets the length of blocks from the next append() on.
  void set_block_bytes(std::uint64_t bytes) { options_.block_bytes = bytes; }

  /// Memory that the index of the blocks takes so far.
  std::uint64_t index_bytes() const { return index_bytes_; }
  /// Bytes stored so far, a file's header included.
  std::uint64_t stored_bytes() const { return run_.stored_bytes; }

  /// Appends the footer (files only) and returns the run. Call once.
  Run finish();

 private:
  using Encoded = std::vector<std::optional<EncodedBlock>>;
  /// Encodes the blocks; nothing for blocks that stay raw. Parallel.
  Encoded encode(BlockCodec codec, int zstd_level, std::span<const std::span<const std::byte>> blocks) const;
  /// Encodes and stores as many blocks as may be in flight at once.
  void append_group(std::span<const std::span<const std::byte>> blocks);
  /// Stores all blocks of `part` as they are, one behind the other.
  void append_stretch(std::span<const std::byte> part, std::span<const std::span<const std::byte>> blocks);
  struct StoredBlock {
    std::uint64_t offset;
    std::span<const std::byte> bytes;
    BlockCodec codec;
  };
  /// What the run's list says of block `index`, which holds these records: with its checksum, if it is checked.
  BlockInfo make_block_info(std::size_t index, std::span<const std::byte> records, const StoredBlock& stored) const;
  void count_from(std::size_t first_block);

  const RecordOrder& order_;
  RunWriterOptions options_;
  Run run_;
  std::uint64_t records_begin_ = 0;  // in a file of the run's own
  std::uint64_t index_bytes_ = 0;
};

}  // namespace sortie
