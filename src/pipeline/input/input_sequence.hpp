// The bytes of all inputs, one input after another. RecordReader reads them and cuts them into records. At the end of
// an input it is checked, and its last line is completed. Messages ask this where in the inputs a byte came from.
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

/// How long a read of a pipe waits.
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

  /// Lets up to `threads` threads unpack packed files before their turn, each into its share of `memory_bytes`. Call
  /// before anything is read.
  void unpack_ahead(std::uint64_t memory_bytes, unsigned threads);
  /// Upper bound on the memory for that, in bytes.
  std::uint64_t ahead_bytes() const { return ahead_.count * ahead_.bytes; }
  /// Lets read() stop where an input ends. Call before anything is read.
  void end_pieces() { ends_pieces_ = true; }

  /// Length of the first input's header.
  std::uint64_t header_bytes() const { return inputs_.front()->begin(); }
  /// Number of records in the first input's header.
  std::uint64_t header_records() const { return inputs_.front()->numbering().in_front; }

  /// Bytes in all inputs if all are plain files.
  std::optional<std::uint64_t> size() const;

  /// Whether all inputs have been read to their end.
  bool has_ended() const { return current_ == inputs_.size(); }
  /// True if read() stops where an input ends: because that ends a record, or because callers must know which input a
  /// record is from.
  bool ends_pieces() const { return ends_pieces_; }
  /// True if the input that was read last has been read to its end.
  bool is_between_inputs() const { return bytes_read_ == 0; }
  /// True if no bytes are known to be left. The end of a pipe is known only after a read.
  bool at_end() const;
  /// Whether reading a pipe returns before the target is full.
  bool gives_what_is_there() const { return waiting_ == Waiting::kUntilRecordThere; }

  /// Reads behind the first `filled` bytes of `target` until it is full or the inputs end; with ends_pieces(), until
  /// one input ends. Returns how many bytes of `target` are used then. Throws Error for a stray tail, with its offset.
  /// `sink`: see Input::read_slices().
  std::size_t read(std::span<std::byte> target, std::size_t filled, const Input::SliceSink& sink);

  /// Fills `target` with bytes that come `distance` bytes later in the current input, without consuming anything.
  /// Returns how many bytes there are.
  std::size_t peek(std::uint64_t distance, std::span<std::byte> target) const {
    return has_ended() ? 0 : inputs_[current_]->peek(distance, target);
  }

  /// Opens an input once more, without its header, to look at it. Precondition: it is no pipe.
  std::unique_ptr<Input> opened_anew(std::size_t input) const { return inputs_[input]->opened_anew(); }

  /// The size of the only input; nothing if there are several, if the size is unknown, or if something has been read.
  std::optional<std::uint64_t> size_of_only() const;
  struct Mapped {
    std::unique_ptr<InputMapping> mapping;  ///< null if it cannot be mapped
    std::size_t bytes = 0;                  ///< the last line completed
  };
  /// Maps the only input to `target`, which has room for one byte more than its size. The caller walks over
  /// length-prefixed records and calls check_mapped_end(). Precondition: size_of_only() has a value.
  Mapped map_only(std::span<std::byte> target, const Input::SliceSink& sink);
  /// Throws Error if the record at `whole` of the only input, which is mapped to `bytes`, reaches beyond the input.
  void check_mapped_end(std::span<const std::byte> bytes, std::size_t whole) const;
  /// Begins anew with the first input.
  void rewind();

  /// Throws Error if the length-prefixed record that begins with `begin`, the last bytes read, claims to be longer than
  /// what is left of its input: so no memory is taken for it. Does nothing for other records.
  void check_unfinished_record(std::span<const std::byte> begin) const;

  /// Throws Error that names the first position in `bytes` where text follows a closing quote, or with `at_end` an
  /// opening quote that no other closes. Does nothing if there is neither. `bytes`: the last that were read; they begin
  /// with a record.
  void refuse_quotes(std::span<const std::byte> bytes, bool at_end) const;
  /// Counts the lines of CSV in the first `given` of `bytes`, the last that were read: they are handed out. So an Error
  /// can name the line.
  void count_lines(std::span<const std::byte> bytes, std::size_t given);

  /// For messages: the input and offset of the byte that is `back` bytes before the end of what was read.
  std::string position(std::size_t back) const;

  /// The position of a line of the input that was read last. `number`: from 1, behind the header.
  LinePosition position_of_line(std::uint64_t number) const;
  /// Counts the lines in the first `bytes` of that input, behind its header. Opens and reads the input once more.
  std::uint64_t lines_in_first(std::uint64_t bytes) const;
  /// The same for records, which may have several lines. Precondition: the bytes are whole records.
  std::uint64_t records_in_first(std::uint64_t bytes) const;

  /// For messages: the only input and an offset in it, counted without a header.
  std::string position_in_only(std::uint64_t offset) const;

  /// The position in the inputs behind the first records, whose totals are `totals`.
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
