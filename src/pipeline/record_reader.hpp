// The inputs as one stream of whole records, handed out in pieces, counted and checksummed on the way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/input.hpp"
#include "observe/observer.hpp"
#include "pipeline/input_opener.hpp"
#include "pipeline/piece_source.hpp"
#include "pipeline/read_ahead.hpp"
#include "record/record_order.hpp"
#include "record/record_totals.hpp"
#include "record/slice_totals.hpp"

namespace sortie {

class RecordReader final : public PieceSource {
 public:
  /// Opens every input at once, so that a missing one is found before work begins. Throws Error if one cannot be opened
  /// or if the length of a plain file is no multiple of the record.
  RecordReader(InputOpener& opener, const std::vector<std::string>& paths, const Format& format, bool checksum,
               Observer& observer);

  /// The same of inputs without a header.
  RecordReader(FileSystem& files, const std::vector<std::string>& paths, const Format& format, bool checksum,
               Observer& observer);

  /// Bytes of the header of the first input, in that input.
  std::uint64_t header_bytes() const { return inputs_.front()->begin(); }

  /// Bytes in all inputs, if all are plain files; else of all records, once all have been read.
  std::optional<std::uint64_t> total_bytes() const;

  /// An unfinished last line gets its delimiter. Throws Error for a stray tail, with its offset.
  Piece read(std::span<std::byte> target, std::uint64_t max_records) override;

  /// No read_whole(): where tend() might be called too late.
  void copy_only() { may_map_ = false; }

  WholeInput whole_input() const override;
  Piece read_whole(std::span<std::byte> target, std::uint64_t max_records) override;
  void tend() override;

  /// Reads a piece of at most `piece_bytes` into memory of its own, from which read() will take it, before there is
  /// memory to read it to. False if no record is left, or if the next one is longer. Throws as read() does.
  bool read_ahead(std::size_t piece_bytes);

  /// Memory in which there is what was read ahead and not yet taken.
  std::uint64_t ahead_memory_bytes() const { return ahead_.memory_bytes(); }

  /// Records from the beginning of what is left, which stay there; nothing if they cannot be had without reading on.
  std::vector<std::byte> sample(std::size_t most_bytes) const;

  bool at_end() const override;

  /// Of all pieces so far.
  const RecordTotals& totals() const { return totals_; }

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
  std::string read_position() const;
  std::size_t fill(std::span<std::byte> target);
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
  std::uint64_t input_bytes_read_ = 0;  // of the current input
  ReadAhead ahead_;
  std::vector<std::byte> carry_;  // read, but not handed out yet; comes behind all that was read ahead
  RecordTotals totals_;
  bool may_map_ = true;
};

}  // namespace sortie
