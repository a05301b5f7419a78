// The inputs as one stream of whole records, handed out in pieces, counted and checksummed on the way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/memory_region.hpp"
#include "io/input.hpp"
#include "observe/observer.hpp"
#include "pipeline/input/input_mark.hpp"
#include "pipeline/input/input_opener.hpp"
#include "pipeline/input/piece_source.hpp"
#include "pipeline/input/read_ahead.hpp"
#include "record/record_order.hpp"
#include "record/record_totals.hpp"
#include "record/slice_totals.hpp"

namespace sortie {

/// Smaller inputs gain nothing by being mapped.
inline constexpr std::uint64_t kLeastMappedBytes = 32 << 20;

class RecordReader final : public PieceSource {
 public:
  /// Looks at every input at once, so that a missing one is found before work begins, and opens each when it is read.
  /// Throws Error if one cannot be read, or if the length of a plain file is no multiple of the record length.
  RecordReader(InputOpener& opener, const std::vector<std::string>& paths, const Format& format, bool checksum,
               Observer& observer);

  /// The same for inputs without a header.
  RecordReader(FileSystem& files, const std::vector<std::string>& paths, const Format& format, bool checksum,
               Observer& observer);

  /// Length of the first input's header.
  std::uint64_t header_bytes() const { return inputs_.front()->begin(); }

  /// Bytes in all inputs if all are plain files. Otherwise bytes of all records, known only when all have been read.
  std::optional<std::uint64_t> total_bytes() const;

  /// Completes a last line that lacks its delimiter. Throws Error for a stray tail, with its offset.
  Piece read(std::span<std::byte> target, std::uint64_t max_records) override;

  /// Forbids mapping the input. For callers that might call tend() too late.
  void copy_only() { may_map_ = false; }

  WholeInput whole_input() const override;
  Piece read_whole(std::span<std::byte> target, std::uint64_t max_records) override;
  void tend() override;

  /// Reads a piece of at most `piece_bytes` into memory of its own, from which read() takes it later. Returns false if
  /// no record is left or if the next one is longer. Throws as read() does.
  bool read_ahead(std::size_t piece_bytes);

  /// Memory that holds what was read ahead and not taken yet.
  std::uint64_t ahead_memory_bytes() const { return ahead_.memory_bytes(); }

  /// A sample of the records that are left: from their beginning, or from all over a mapped input. Consumes nothing.
  /// Empty if a sample would need further reading.
  std::vector<std::byte> sample(std::size_t most_bytes) const;

  /// All lines, without copying them, if the input is one plain file that lies in memory anyway; empty otherwise.
  /// Replaces read(), and must be called before it. The lines belong to this object, and tend() must be called while
  /// they are used.
  std::span<const std::byte> map_lines();
  /// The next mapped lines: at least one line, about `bytes` bytes. Counts and checksums them. Parallel.
  std::span<const std::byte> next_mapped(std::size_t bytes);
  /// Undoes map_lines(), so that reading begins anew. Precondition: no mapped line was taken.
  void unmap();
  std::span<const std::byte> mapped_lines() const { return mapped_lines_; }

  /// Inputs of fewer bytes are not mapped. For tests.
  void map_from(std::uint64_t least_bytes) { least_mapped_bytes_ = least_bytes; }

  bool at_end() const override;
  bool may_wait() const override { return takes_what_is_there_ && !total_bytes(); }

  /// From now on read() does not wait for a pipe to fill a piece: it returns when a whole record is there. Has no
  /// effect on CSV, where whole records are not looked for so closely. Call before anything is read.
  void take_what_is_there() { takes_what_is_there_ = !layout_.quoted; }

  /// Totals of all pieces so far.
  const RecordTotals& totals() const { return totals_; }

  /// Totals of whole records, counted as read() counts them.
  RecordTotals totals_of_records(std::span<const std::byte> records) const;

  /// The place in the inputs behind all pieces so far, without their last records, whose totals are `kept_back`.
  InputMark mark(const RecordTotals& kept_back = {}) const;

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
  std::optional<std::uint64_t> bytes_read_in_all() const;
  bool can_be_mapped() const;
  std::vector<std::byte> sample_mapped(std::size_t most_bytes) const;
  std::string read_position() const;
  std::size_t fill(std::span<std::byte> target);
  bool may_stop_reading(std::span<const std::byte> filled, std::size_t got) const;
  std::size_t known_bytes(std::size_t filled) const;
  std::size_t finish_input(std::span<std::byte> target, std::size_t begin, std::size_t filled);
  void check_quotes(std::span<const std::byte> end_of_input) const;
  RecordTotals count_piece(std::span<const std::byte> piece, std::size_t& whole, std::uint64_t max_records);

  Format format_;
  Layout layout_;
  bool checksum_;
  SliceTotals piece_totals_;
  Observer& observer_;
  std::vector<std::unique_ptr<Input>> inputs_;
  std::size_t current_ = 0;
  std::uint64_t input_bytes_read_ = 0;  // bytes read of the current input
  /// For each input that has been read, the offset of its end in the sequence of all records, with last lines
  /// completed.
  std::vector<std::uint64_t> input_ends_;
  ReadAhead ahead_;
  std::vector<std::byte> carry_;  // read but not handed out yet; follows all that was read ahead
  RecordTotals totals_;
  bool takes_what_is_there_ = false;
  bool may_map_ = true;
  std::uint64_t least_mapped_bytes_ = kLeastMappedBytes;
  MemoryRegion mapped_;                      // its pages are those of the input
  std::span<const std::byte> mapped_lines_;  // all whole lines in it
  std::size_t mapped_taken_ = 0;             // bytes of them handed out so far
};

}  // namespace sortie
