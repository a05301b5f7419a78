// The records of all inputs, counted and checksummed on the way. Nearly always they are copied. Where the only input is
// a file that lies in memory anyway, it can be mapped instead.
//
//   read()         inputs ──copy──▶ piece by piece; the first pieces may have been read ahead
//   read_whole()   input ──map──▶ one piece in the memory of an engine, for run formation; copies if that fails
//   map_lines()    input ──map──▶ lines that are referred to until they are written; decided by reference_input.hpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "observe/observer.hpp"
#include "pipeline/input/input_mark.hpp"
#include "pipeline/input/input_opener.hpp"
#include "pipeline/input/input_sequence.hpp"
#include "pipeline/input/mapped_lines.hpp"
#include "pipeline/input/piece_source.hpp"
#include "pipeline/input/read_ahead.hpp"
#include "record/record_totals.hpp"

namespace sortie {

/// Smaller inputs gain nothing by being mapped.
inline constexpr std::uint64_t kLeastMappedBytes = 32 << 20;

class RecordReader final : public PieceSource {
 public:
  /// Throws Error as InputSequence does.
  RecordReader(InputOpener& opener, const std::vector<std::string>& paths, const Format& format, bool checksum,
               Observer& observer, Waiting waiting = Waiting::kUntilFull);

  /// Length of the first input's header.
  std::uint64_t header_bytes() const { return inputs_.header_bytes(); }

  /// Bytes in all inputs if all are plain files. Otherwise bytes of all records, known only when all have been read.
  std::optional<std::uint64_t> total_bytes() const;

  /// Completes a last line that lacks its delimiter. Throws Error for a stray tail, with its offset.
  Piece read(std::span<std::byte> target, std::uint64_t max_records) override;

  /// Allows mapping the input if it has `least_bytes` or more. For callers that will call check() in time.
  void allow_mapping(std::uint64_t least_bytes) { least_mapped_bytes_ = least_bytes; }

  WholeInput whole_input() const override;
  Piece read_whole(std::span<std::byte> target, std::uint64_t max_records) override;

  /// Throws Error if a mapped input is damaged: then all that was read may be wrong. Must be called every few seconds
  /// while its bytes are used, because whoever wants to write to the file waits for that.
  void check();

  /// Checks what read_whole() has mapped for the last time, and lets go of it. Must be called before its memory is
  /// unmapped, or check() never again.
  void finish_whole();

  /// Reads a piece of at most `piece_bytes` into memory of its own, from which read() takes it later. Returns false if
  /// no record is left or if the next one is longer. Throws as read() does.
  bool read_ahead(std::size_t piece_bytes);

  /// Memory that holds what was read ahead and not taken yet.
  std::uint64_t ahead_memory_bytes() const { return ahead_.memory_bytes(); }

  /// A sample of the records that are left: from their beginning, or from all over a mapped input. Consumes nothing.
  /// Empty if a sample would need further reading.
  std::vector<std::byte> sample(std::size_t most_bytes) const;

  /// Maps all lines if that is possible. Replaces read(), and must be called before it. Returns them; empty if not.
  std::span<const std::byte> map_lines();
  /// Undoes map_lines(), so that reading begins anew. Precondition: no mapped line was taken.
  void unmap();
  std::span<const std::byte> mapped_lines() const { return mapped_ ? mapped_->all() : std::span<const std::byte>(); }
  /// The next mapped lines (MappedLines::take()). Counts and checksums them. Parallel.
  std::span<const std::byte> next_mapped(std::size_t bytes);

  bool at_end() const override;
  bool may_wait() const override { return inputs_.gives_what_is_there() && !total_bytes(); }

  /// Totals of all pieces so far.
  const RecordTotals& totals() const { return totals_; }

  /// Totals of whole records, counted as read() counts them.
  RecordTotals totals_of_records(std::span<const std::byte> records) const;

  /// The place in the inputs behind all pieces so far, without their last records, whose totals are `kept_back`.
  InputMark mark(const RecordTotals& kept_back = {}) const { return inputs_.mark(totals_ - kept_back); }

  /// Continues behind records that an earlier attempt has read, as if they had been handed out. Call before anything is
  /// read. Throws Error if an input ends sooner.
  void go_on_at(const InputMark& mark);

  std::string position() const override;

 private:
  struct Read {
    Piece piece;
    RecordTotals totals;
  };
  Input::SliceSink slice_counter();
  Read read_records(std::span<std::byte> target, std::uint64_t max_records);
  Read take_ahead(std::span<std::byte> target, std::uint64_t max_records);
  std::optional<std::uint64_t> mappable_bytes() const;
  std::size_t fill(std::span<std::byte> target);
  std::size_t known_bytes(std::size_t filled) const;
  RecordTotals count_piece(std::span<const std::byte> piece, std::size_t& whole, std::uint64_t max_records);

  Format format_;
  Layout layout_;
  bool checksum_;
  SliceTotals piece_totals_;
  Observer& observer_;
  InputSequence inputs_;
  ReadAhead ahead_;
  std::vector<std::byte> carry_;  // read but not handed out yet; follows all that was read ahead
  RecordTotals totals_;
  std::optional<std::uint64_t> least_mapped_bytes_;  // nothing: no input may be mapped
  std::unique_ptr<InputMapping> whole_;              // of read_whole(); null otherwise
  std::unique_ptr<MappedLines> mapped_;              // of map_lines(); null otherwise
};

}  // namespace sortie
