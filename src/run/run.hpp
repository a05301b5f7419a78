// A run at rest: its blocks, and where their bytes are. FORMAT.md has the layout of a run file.
// Written by RunWriter, read block by block by the final merge.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/quote.hpp"

namespace sortie {

/// Names a block for its checksum, so that a block can never stand in for another.
struct RunIdentity {
  std::uint64_t job_id = 0;
  std::uint64_t run_number = 0;

  friend bool operator==(const RunIdentity&, const RunIdentity&) = default;
};

enum class BlockCodec : std::uint8_t { kRaw = 0, kZstd = 1, kDeltaShuffleZstd = 2 };

/// Most bytes kept of a first key; a longer key is marked as cut.
inline constexpr std::size_t kIndexKeyBytes = 256;
/// Bytes that a rank among equal ones adds to a cut key.
inline constexpr std::size_t kRankBytes = 8;

struct BlockInfo {
  std::uint64_t offset = 0;  ///< where the stored bytes begin in the run's storage
  std::uint64_t stored_bytes = 0;
  std::uint64_t record_bytes = 0;  ///< size once decoded
  /// 0 for a raw block in RAM: nobody asks for it there, and counting lines would read the whole run once more.
  std::uint64_t record_count = 0;
  std::uint64_t output_bytes = 0;  ///< size of its records as they are written in the end; 0: not known
  std::uint64_t checksum = 0;      ///< XXH3-64 of the stored bytes, identity and block number; 0: raw in RAM
  BlockCodec codec = BlockCodec::kRaw;
  bool key_is_cut = false;
  std::vector<std::byte> first_key;  ///< normalised, at most kIndexKeyBytes; behind them a rank, where one is needed

  /// With memory for its rank.
  void set_first_key(std::span<const std::byte> key, bool is_cut) {
    key_is_cut = is_cut;
    first_key.reserve(key.size() + (is_cut ? kRankBytes : 0));
    first_key.assign(key.begin(), key.end());
  }

  friend bool operator==(const BlockInfo&, const BlockInfo&) = default;
};

/// Memory that a block takes in the index of its run: what is known of it, its first key, and what the system keeps
/// beside an allocation.
constexpr std::uint64_t index_entry_bytes(std::uint64_t key_bytes) {
  constexpr std::uint64_t kBesideAllocation = 16;
  return sizeof(BlockInfo) + kBesideAllocation + key_bytes;
}

/// Told by the storage of a run file what becomes of its bytes, so that they are counted and timed. Handed in beside
/// the file. Thread-safe.
class RunMeter {
 public:
  enum class Transfer : std::uint8_t { kRead, kWrite, kSync };

  virtual ~RunMeter() = default;

  /// The file has grown by `bytes`.
  virtual void grow(std::uint64_t bytes) = 0;
  /// Disk space for `bytes` has gone back to the system.
  virtual void shrink(std::uint64_t bytes) noexcept = 0;
  /// Runs `transfer`, which moves `bytes`.
  virtual void time(Transfer kind, std::uint64_t bytes, const std::function<void()>& transfer) = 0;
};

/// Bytes of one run, in RAM or in a file. reserve() is called by one thread at a time, write() by
/// several; read() and release() by several once the run is finished.
class RunStorage {
 public:
  virtual ~RunStorage() = default;

  /// Makes room at the end. Returns its offset.
  virtual std::uint64_t reserve(std::uint64_t bytes) = 0;
  /// Fills (a part of) what one reserve() returned.
  virtual void write(std::uint64_t offset, std::span<const std::byte> bytes) = 0;
  /// The same for much at once, by all threads where that is faster. Nothing else may be written meanwhile.
  virtual void write_stretch(std::uint64_t offset, std::span<const std::byte> bytes) { write(offset, bytes); }
  /// Memory of the file where `bytes` that are to be written at `offset` by write_stretch() may be made: they are not
  /// copied then. Empty if there is none, which may change. Valid until they are written.
  virtual std::span<std::byte> room([[maybe_unused]] std::uint64_t offset, [[maybe_unused]] std::uint64_t bytes) {
    return {};
  }
  /// Reads what lies within one reserved range, or in a file within several, one behind the other. Throws Error if it
  /// is not there.
  virtual void read(std::uint64_t offset, std::span<std::byte> target) const = 0;
  /// Reports that the range will be read soon: the system may begin. Never throws.
  virtual void expect_read([[maybe_unused]] std::uint64_t offset, [[maybe_unused]] std::uint64_t bytes) const noexcept {
  }
  /// A view of the range if it lies in memory as a whole, valid until it is released. Else empty.
  virtual std::span<const std::byte> view([[maybe_unused]] std::uint64_t offset,
                                          [[maybe_unused]] std::uint64_t bytes) const {
    return {};
  }
  /// Whether bytes read through view() were the stored ones: a page of the file may have been lost.
  virtual bool view_is_intact() const { return true; }
  /// The range will not be read again: its memory or disk space goes back to the system. Never throws.
  virtual void release(std::uint64_t offset, std::uint64_t bytes) noexcept = 0;
  /// Whether the bytes are in a file, even if that file lies in memory: blocks get checksums, and the run an index.
  virtual bool in_file() const = 0;
  /// Whether bytes are to be written in the order of their offsets, one write() at a time, and are best read in that
  /// order.
  virtual bool is_sequential() const { return false; }
  /// Ends writing. Call once, before anything is read. A run that is to outlive the process is durable then.
  virtual void complete() {}
  /// That of the file, as it is; empty for memory.
  virtual std::string path() const = 0;
  /// For messages: the file's name, or "memory".
  std::string name() const { return path().empty() ? "memory" : quote_word(path()); }
  /// For messages: what to do if what is stored is damaged.
  virtual std::string remedy() const { return "check disk and memory, then sort again"; }

  /// Returns the offset at which `bytes` now lie.
  std::uint64_t append(std::span<const std::byte> bytes) {
    const std::uint64_t offset = reserve(bytes.size());
    write(offset, bytes);
    return offset;
  }
};

/// A run may be a slice of what a run file holds: some of its blocks, the first and the last of which may have records
/// that do not belong to it. Lengths are those of decoded records.
struct RunSlice {
  std::uint64_t first_block = 0;   ///< number of the first block in the file
  std::uint64_t bytes_before = 0;  ///< in the first block, in front of the slice
  std::uint64_t bytes_behind = 0;  ///< in the last block, behind the slice
};

struct Run {
  RunIdentity identity;
  std::uint64_t record_count = 0;  ///< of the blocks that have one
  std::uint64_t record_bytes = 0;
  std::uint64_t stored_bytes = 0;  ///< in storage; a file's header and footer included
  std::vector<BlockInfo> blocks;
  RunSlice slice;
  std::shared_ptr<RunStorage> storage;
  std::shared_ptr<RunMeter> meter;  ///< counts what the run takes for as long as it exists; may be null
};

/// Length of the records of block `index` that belong to the run, and of those in front of them in the block.
std::uint64_t own_bytes(const Run& run, std::size_t index);
inline std::uint64_t bytes_before(const Run& run, std::size_t index) { return index == 0 ? run.slice.bytes_before : 0; }

/// Checks block `index` of the run where it lies. Throws as read_block(). Precondition: its storage has a view of it.
/// Thread-safe.
void check_block(const Run& run, std::size_t index);

/// Decodes block `index` of the run into `target` (its record_bytes long), after checking its checksum.
/// Throws Error that names run, block and storage on any mismatch. Thread-safe.
void read_block(const Run& run, std::size_t index, std::span<std::byte> target);

/// The records of a block in memory of their own, which is asked for when the block agrees with the index on its size:
/// that of a damaged or forged file may say anything.
class BlockRecords {
 public:
  /// As read_block().
  BlockRecords(const Run& run, std::size_t index);

  std::span<const std::byte> bytes() const { return {memory_.get(), size_}; }

 private:
  std::size_t size_;
  std::unique_ptr<std::byte[]> memory_;
};

/// Blocks [begin, end) of a run, to be read to `target` one after another.
struct BlockRange {
  const Run* run = nullptr;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::span<std::byte> target;
};
/// Reads the blocks of all ranges as read_block() does. Parallel.
void read_blocks(std::span<const BlockRange> ranges);

/// Reports to the storage of the run that blocks [begin, end) will be read soon.
void expect_blocks(const Run& run, std::size_t begin, std::size_t end) noexcept;

/// Releases the stored bytes of blocks [begin, end).
void release_blocks(const Run& run, std::size_t begin, std::size_t end) noexcept;

}  // namespace sortie
