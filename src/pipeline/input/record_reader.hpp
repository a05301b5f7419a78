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

/// An input that is mapped is large enough to gain by it.
inline constexpr std::uint64_t kLeastMappedBytes = 32 << 20;

class RecordReader final : public PieceSource {
 public:
  /// Looks at every input at once, so that a missing one is found before work begins; each is opened when it is read.
  /// Throws Error if one cannot be read or if the length of a plain file is no multiple of the record.
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

  /// Records from the beginning of what is left, or from all over what is mapped, which stay there; nothing if they
  /// cannot be had without reading on.
  std::vector<std::byte> sample(std::size_t most_bytes) const;

  /// Takes the place of read(), before it was called: all lines, where the input is one plain file that lies in memory
  /// anyway. They are not copied, belong to this, and must be tended while they are used. Empty if that cannot be had.
  std::span<const std::byte> map_lines();
  /// The next of them, at least one, in about as many bytes; counted and checksummed. Parallel.
  std::span<const std::byte> next_mapped(std::size_t bytes);
  /// Reading begins anew. Precondition: nothing was taken of what was mapped.
  void unmap();
  std::span<const std::byte> mapped_lines() const { return mapped_lines_; }

  /// Inputs of fewer bytes are not mapped: for tests.
  void map_from(std::uint64_t least_bytes) { least_mapped_bytes_ = least_bytes; }

  bool at_end() const override;
  bool may_wait() const override { return takes_what_is_there_ && !total_bytes(); }

  /// read() does not wait for a pipe to fill a piece: it gives what is there as soon as that is a whole record. Before
  /// anything is read. CSV is not looked at so closely, and waits.
  void take_what_is_there() { takes_what_is_there_ = !layout_.quoted; }

  /// Totals of all pieces so far.
  const RecordTotals& totals() const { return totals_; }

  /// Totals of whole records, counted as those that are read.
  RecordTotals totals_of_records(std::span<const std::byte> records) const;

  /// Behind all pieces so far but for the last records of them, which `kept_back` is of.
  InputMark mark(const RecordTotals& kept_back = {}) const;

  /// Goes on behind records that have been read before, as if they had been handed out. Before anything is read.
  /// Throws Error if an input ends sooner.
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
  std::uint64_t input_bytes_read_ = 0;  // of the current input
  /// Where each input that has been read ends, in all records with their last lines completed.
  std::vector<std::uint64_t> input_ends_;
  ReadAhead ahead_;
  std::vector<std::byte> carry_;  // read, but not handed out yet; comes behind all that was read ahead
  RecordTotals totals_;
  bool takes_what_is_there_ = false;
  bool may_map_ = true;
  std::uint64_t least_mapped_bytes_ = kLeastMappedBytes;
  MemoryRegion mapped_;                      // whose pages are the input's
  std::span<const std::byte> mapped_lines_;  // all whole lines there
  std::size_t mapped_taken_ = 0;             // bytes of them
};

}  // namespace sortie
