// Fetches lines from where they lie, in batches to be written. Lists of lines are cut into pieces, one of which a
// thread fetches. Used by the finisher that fetches lines.
//
//   piece   | line line line | line line |
//   batch   | piece piece piece | piece piece |     pieces in parallel, side by side
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/function_ref.hpp"
#include "base/memory_region.hpp"
#include "entries/entry.hpp"
#include "record/record_totals.hpp"

namespace sortie {

/// Lines that one thread fetches.
struct LinePiece {
  std::span<const Entry> lines;  ///< at least one
  std::uint64_t bytes = 0;       ///< length of the lines
  bool adjacent = false;         ///< they lie one after another in memory, in this order

  std::uint64_t first_offset() const { return offset_of(lines.front()); }
  /// Whether `next` lies directly behind this piece.
  bool adjoins(const LinePiece& next) const {
    return adjacent && next.adjacent && first_offset() + bytes == next.first_offset();
  }
};

/// Cuts `lines` into pieces of at most 256 KiB, or of one longer line, and appends them to `pieces`.
void cut_into_pieces(const ChunkRecords& records, std::span<const Entry> lines, std::vector<LinePiece>& pieces);

class LineBatches {
 public:
  /// Takes a batch. It stays unchanged until the call after the next one. `is_shown`: whether Show took all of it.
  using Consumer = std::function<void(std::span<const std::byte> lines, bool is_shown)>;
  /// Is shown lines by the thread that has just fetched them; `position`: how many bytes of all pieces lie in front of
  /// them. Returns whether it has taken them. Several threads call it at once.
  using Show = FunctionRef<bool(std::uint64_t position, std::span<const std::byte> lines)>;
  /// Memory of the output for `bytes` at `position`, as above, in place of a batch's own; empty if there is none.
  using Room = FunctionRef<std::span<std::byte>(std::uint64_t position, std::uint64_t bytes)>;

  /// Two batches of `batch_bytes` are in memory.
  LineBatches(const ChunkRecords& records, bool checksum, std::size_t batch_bytes)
      : records_(records), checksum_(checksum), batch_bytes_(batch_bytes) {}

  /// Fetches the lines of all pieces, batch by batch, and returns their totals. Parallel.
  RecordTotals fetch(std::span<const LinePiece> pieces, Room room, Show show, const Consumer& consumer);

 private:
  /// Totals of some pieces, and whether they were all taken.
  struct Fetched {
    RecordTotals totals;
    bool is_shown = true;

    Fetched operator+(const Fetched& other) const { return {totals + other.totals, is_shown && other.is_shown}; }
  };

  /// `room`: for all of these, or empty; `begin`: bytes of all pieces in front of them.
  RecordTotals fetch_batch(std::span<const LinePiece> pieces, std::span<std::byte> room, std::uint64_t begin, Show show,
                           const Consumer& consumer);
  RecordTotals totals_of_piece(const LinePiece& piece, std::span<const std::byte> bytes) const;

  ChunkRecords records_;
  bool checksum_;
  std::size_t batch_bytes_;
  std::array<MemoryRegion, 2> batches_;
  std::size_t next_batch_ = 0;
};

}  // namespace sortie
