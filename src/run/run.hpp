// A run at rest: its blocks, and where their bytes are. FORMAT.md has the layout of a run file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace sortie {

/// Names a block for its checksum, so that a block can never stand in for another.
struct RunIdentity {
  std::uint64_t job_id = 0;
  std::uint64_t run_number = 0;
};

enum class BlockCodec : std::uint8_t { kRaw = 0, kZstd = 1, kDeltaShuffleZstd = 2 };

/// First keys are kept to this length; a longer one is marked as cut.
inline constexpr std::size_t kIndexKeyBytes = 256;

struct BlockInfo {
  std::uint64_t offset = 0;        ///< of the stored bytes in the run's storage
  std::uint64_t stored_bytes = 0;
  std::uint64_t record_bytes = 0;  ///< once decoded
  std::uint64_t record_count = 0;
  std::uint64_t checksum = 0;      ///< XXH3-64 of the stored bytes, identity and block number
  BlockCodec codec = BlockCodec::kRaw;
  bool key_is_cut = false;
  std::vector<std::byte> first_key;  ///< normalised, at most kIndexKeyBytes
};

/// Bytes of one run, in RAM or in a file. Appends come from one thread; reads from several.
class RunStorage {
 public:
  virtual ~RunStorage() = default;

  /// Returns the offset at which `bytes` now lie.
  virtual std::uint64_t append(std::span<const std::byte> bytes) = 0;
  virtual void read(std::uint64_t offset, std::span<std::byte> target) const = 0;
  /// The range will not be read again. Never throws.
  virtual void release(std::uint64_t offset, std::uint64_t bytes) noexcept = 0;
  virtual bool in_memory() const = 0;
};

struct Run {
  RunIdentity identity;
  std::uint64_t record_count = 0;
  std::uint64_t record_bytes = 0;
  std::uint64_t stored_bytes = 0;
  std::vector<BlockInfo> blocks;
  std::shared_ptr<RunStorage> storage;
};

}  // namespace sortie
