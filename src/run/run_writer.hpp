// Turns sorted parts into a run: cuts them into blocks, encodes the blocks in parallel, appends them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "record/record_order.hpp"
#include "run/run.hpp"

namespace sortie {

struct RunWriterOptions {
  std::uint64_t block_bytes = 1 << 20;  ///< of records; a longer record gets a block of its own
  BlockCodec codec = BlockCodec::kRaw;
  int zstd_level = 1;
};

class RunWriter {
 public:
  RunWriter(const RecordOrder& order, RunIdentity identity, std::shared_ptr<RunStorage> storage,
            const RunWriterOptions& options);

  /// Takes the next records in order: whole ones. Returns when they are encoded and appended.
  void append(std::span<const std::byte> part);

  /// From the next append() on.
  void set_codec(BlockCodec codec, int zstd_level);

  /// Bytes stored so far.
  std::uint64_t stored_bytes() const;

  /// Appends the footer (files only) and returns the run. Call once.
  Run finish();

 private:
  const RecordOrder& order_;
  RunWriterOptions options_;
  Run run_;
};

/// Decodes block `index` of the run into `target` (its record_bytes long), after checking its checksum.
/// Throws Error that names run, block and storage on any mismatch. Thread-safe.
void read_block(const Run& run, std::size_t index, std::span<std::byte> target);

}  // namespace sortie
