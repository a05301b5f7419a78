// The bytes of all inputs, one input after another, each of them checked at its end and its last line completed. What
// is read here a record reader cuts into records. It also knows where in the inputs a byte came from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/input/input.hpp"
#include "observe/observer.hpp"
#include "pipeline/input/deferred_input.hpp"
#include "pipeline/input/input_mark.hpp"
#include "pipeline/input/input_opener.hpp"
#include "pipeline/input/refused_line.hpp"
#include "record/layout.hpp"

namespace sortie {

/// How long reading a pipe waits.
enum class Waiting : std::uint8_t {
  kUntilFull,         ///< until the target is full
  kUntilRecordThere,  ///< until a whole record is there. CSV, where that is costly to know, waits until it is full.
};

class InputSequence {
 public:
  /// Looks at every input at once, so that a missing one is found before work begins, and opens each when it is read.
  /// Throws Error if one cannot be read, or if the length of a plain file is no multiple of the record length.
  InputSequence(InputOpener& opener, const std::vector<std::string>& paths, const Format& format, Waiting waiting,
                Observer& observer);
  /// The same of inputs that `opener` has looked at.
  InputSequence(const InputOpener& opener, std::vector<std::unique_ptr<DeferredInput>> inputs, const Format& format,
                Waiting waiting, Observer& observer);

  /// From now on packed files are unpacked by up to `threads` threads, several at once: each but the first before its
  /// turn, as far as its share of `memory_bytes` goes. Call before anything is read.
  void unpack_ahead(std::uint64_t memory_bytes, unsigned threads);
  /// Memory that this takes, at most.
  std::uint64_t ahead_bytes() const { return ahead_.count * ahead_.bytes; }
  /// From now on read() stops where an input ends. Call before anything is read.
  void end_pieces() { ends_pieces_ = true; }

  /// Length of the first input's header.
  std::uint64_t header_bytes() const { return inputs_.front()->begin(); }
  /// Number of records in the first input's header.
  std::uint64_t header_records() const { return inputs_.front()->numbering().in_front; }

  /// Bytes in all inputs if all are plain files.
  std::optional<std::uint64_t> size() const;

  /// Whether all inputs have been read to their end.
  bool has_ended() const { return current_ == inputs_.size(); }
  /// Whether read() stops where an input ends: that ends a record, or it counts which input a record is of.
  bool ends_pieces() const { return ends_pieces_; }
  /// Whether all bytes that were read are of inputs that have been read to their end.
  bool is_between_inputs() const { return bytes_read_ == 0; }
  /// Whether it is known that no bytes are left. For a pipe, only reading says.
  bool at_end() const;
  /// Whether reading a pipe returns before the target is full.
  bool gives_what_is_there() const { return waiting_ == Waiting::kUntilRecordThere; }

  /// Reads on until `target`, of which `filled` bytes are used, is full or the inputs end; if
  /// ends_pieces(), until one of them does. Returns how many bytes are
  /// used then. Throws Error for a stray tail, with its offset. For `sink` see Input::read_slices().
  std::size_t read(std::span<std::byte> target, std::size_t filled, const Input::SliceSink& sink);

  /// Fills `target` with the bytes of the current input behind the next `distance` ones, without reading on. Returns
  /// how many there are.
  std::size_t peek(std::uint64_t distance, std::span<std::byte> target) const {
    return has_ended() ? 0 : inputs_[current_]->peek(distance, target);
  }

  /// One of the inputs, without its header, to be looked at by itself. Precondition: it is no pipe.
  std::unique_ptr<Input> opened_anew(std::size_t input) const { return inputs_[input]->opened_anew(); }

  /// The size of the only input, if there is but one, of known size, and nothing of it has been read.
  std::optional<std::uint64_t> size_of_only() const;
  struct Mapped {
    std::unique_ptr<InputMapping> mapping;  ///< null if it cannot be mapped
    std::size_t bytes = 0;                  ///< the last line completed
  };
  /// Maps the only input. `target` has room for one byte more than its size. Precondition: size_of_only(). Whoever
  /// maps length-prefixed records walks over them and asks check_mapped_end().
  Mapped map_only(std::span<std::byte> target, const Input::SliceSink& sink);
  /// Throws Error if the records of the only input, which is mapped to `bytes`, end at `whole` because the next one
  /// leaves it.
  void check_mapped_end(std::span<const std::byte> bytes, std::size_t whole) const;
  /// Begins anew with the first input.
  void rewind();

  /// Throws Error if the record that `begin` is the begin of, the last bytes read, says that it is longer than what is
  /// left of its input, so that no memory is taken for it. For length-prefixed records; others do not say.
  void check_unfinished_record(std::span<const std::byte> begin) const;

  /// Throws Error that names the first position in `bytes`, which are the last that were read and begin with a record,
  /// where something follows a closing quote of the current input that may not; if it ends with them, also the quote
  /// that no other closes. Does nothing if there is neither.
  void refuse_quotes(std::span<const std::byte> bytes, bool at_end) const;
  /// Counts the lines of CSV that are handed out, the first `given` of `bytes`, which are the last that were read, so
  /// that an Error can name the line.
  void count_lines(std::span<const std::byte> bytes, std::size_t given);

  /// Names the position of the byte that is `back` bytes before the end of what was read.
  std::string position(std::size_t back) const;

  /// The position of a line of the input that was read last. `number`: from 1, behind the header.
  LinePosition position_of_line(std::uint64_t number) const;
  /// Counts the lines in the first `bytes` of that input, behind its header. Opens
  /// and reads it anew.
  std::uint64_t lines_in_first(std::uint64_t bytes) const;
  /// The same for records, which may have several lines. Precondition: the bytes are whole records.
  std::uint64_t records_in_first(std::uint64_t bytes) const;

  /// Names a position of the only input, without a header.
  std::string position_in_only(std::uint64_t offset) const;

  /// The position in the inputs behind the records that have `totals`.
  InputMark mark(const RecordTotals& totals) const;
  /// Continues at a position that an earlier attempt has reached. Call before anything is read. Throws Error if an
  /// input ends sooner.
  void go_on_at(const InputMark& mark);

 private:
  /// How many inputs are unpacked before their turn, and how much memory each of them takes.
  struct Ahead {
    std::size_t count = 0;
    std::uint64_t bytes = 0;
  };

  std::string name(std::size_t index) const;
  std::size_t last_read() const { return current_ > 0 && is_between_inputs() ? current_ - 1 : current_; }
  std::size_t read_current(std::span<std::byte> target, const Input::SliceSink& sink);
  std::vector<DeferredInput*> inputs_to_unpack() const;
  std::size_t finish_input(std::span<std::byte> target, std::size_t begin, std::size_t filled, bool is_mapped = false);
  bool completes_last_record() const;
  [[noreturn]] void throw_unfinished(const std::string& position, std::span<const std::byte> begin,
                                     std::uint64_t left) const;
  void check_length(const Input& input, std::uint64_t bytes) const;
  bool counts_lines() const;
  void check_quotes(std::span<const std::byte> end_of_input) const;
  bool holds_record(std::span<const std::byte> filled, std::size_t got) const;

  Layout layout_;
  Waiting waiting_;
  bool ends_pieces_;
  Observer& observer_;
  std::vector<std::unique_ptr<DeferredInput>> inputs_;
  Ahead ahead_;
  std::size_t current_ = 0;
  std::uint64_t bytes_read_ = 0;     // bytes read of the current input
  std::uint64_t bytes_skipped_ = 0;  // of these, at its begin: an earlier attempt has read them
  std::uint64_t lines_given_ = 0;    // of CSV: lines of the current input behind those that were handed out
  /// For each input that has been read, the offset of its end in the sequence of all records, with last lines
  /// completed.
  std::vector<std::uint64_t> ends_;
};

}  // namespace sortie
