// Answers "is it in order, does the key repeat?" for records that come in consecutive parts. A part is cut into ranges,
// which are visited in parallel. How a range follows what comes before it, in its part or in the one before, is judged
// once, when the part is cut: visitors may change bytes. Used by the finishers of the output, by the filter of
// duplicates and by the check of inputs.
//
//   parts    | range | range | range |  | range | range |
//   cut()            ^       ^          ^       ^           in order? does the key repeat?
//   visit()  |──────▶|──────▶|──────▶|  |──────▶|──────▶|   the same within ranges, in parallel
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <sortie/sort.hpp>

#include "base/release_memory.hpp"
#include "pipeline/scan/key_comparison.hpp"
#include "record/number_order.hpp"
#include "record/record_scan.hpp"
#include "record/word_reader.hpp"

namespace sortie {

/// Whole records, at least one.
struct SortedRange {
  std::span<const std::byte> bytes;
  bool follows_in_order = true;     ///< its first record may follow the record before it
  bool begins_with_repeat = false;  ///< its first record has the key of the record before it
};

class SortedScan {
 public:
  struct Options {
    bool verify = true;           ///< whether the order is looked at
    bool finds_repeats = false;   ///< whether visitors want to know of keys that repeat
    bool is_strict = false;       ///< equal keys are out of order, too
    bool has_open_ranks = false;  ///< strcoll() decides between collated lines
  };
  static constexpr std::size_t kInOrder = std::numeric_limits<std::size_t>::max();

  /// `codec`: of the records; it must outlive this.
  SortedScan(const RecordCodec& codec, const Options& options)
      : codec_(codec),
        order_(options.has_open_ranks ? ExactOrder(codec) : ExactOrder(codec.order())),
        options_(options),
        numbers_(is_number_order(codec.order())) {}

  const Layout& layout() const { return order_.layout(); }

  /// Cuts the next part, which must hold whole records, into ranges that stay in a core's cache. Parallel.
  std::vector<SortedRange> cut(std::span<const std::byte> part);
  /// The same for a part that has been cut into `pieces`, each of whole records, at least one.
  std::vector<SortedRange> join(std::span<const std::span<const std::byte>> pieces);

  /// Memory of the last record that has been cut.
  std::size_t held_bytes() const { return last_.capacity(); }
  /// Gives that memory back: the record is still somewhere else. Before the next part, set_last() must have it again.
  void give_back_last() { release_memory(last_); }
  void set_last(Record record) { last_.assign(record.begin(), record.end()); }

  /// Whether the first of `records` has the key of the last record that has been cut.
  bool repeats_key(std::span<const std::byte> records) const;

  /// Cuts the next part and returns the offset in it of the first record that is out of order, if any. Parallel.
  std::optional<std::size_t> find_disorder(std::span<const std::byte> part);

  /// Offset in the range of its first record that is out of order, or kInOrder. On the calling thread, as all below.
  std::size_t first_disorder(const SortedRange& range) const;
  /// Whether first_disorder() need not look at each record by itself, so that visiting them would be slower.
  bool takes_numbers() const { return numbers_; }

  /// Calls visit(record) for every record of the range. Returns whether the range is in order. Preconditions: not
  /// strict, unless lines are not encoded; no open ranks.
  template <class Visit>
  bool visit(const SortedRange& range, const Visit& visit) const {
    if (options_.verify) return walk(range.bytes, visit) == kInOrder && range.follows_in_order;
    for_each_record(layout(), range.bytes, [&](const std::byte* data, std::uint64_t stored) {
      visit(Record(data, static_cast<std::size_t>(stored)));
    });
    return true;
  }

  /// Calls visit(record, repeats), where `repeats` says whether the record has the key of the one before.
  template <class Visit>
  bool visit_repeats(const SortedRange& range, const Visit& visit) const {
    Record before;
    return this->visit(range, [&](Record record) {
      const bool repeats = before.empty() ? range.begins_with_repeat : is_repeat(before, record);
      before = record;
      visit(record, repeats);
    });
  }

  /// The same for visitors that may change the record, and what is in front of it in the range: a record is visited
  /// after the next one has been compared with it. `part` is the part that was cut.
  template <class Visit>
  bool visit_in_place(const SortedRange& range, std::span<std::byte> part, const Visit& visit) const {
    std::span<std::byte> last;
    bool last_repeats = false;
    const bool in_order = visit_repeats(range, [&](Record record, bool repeats) {
      if (!last.empty()) visit(last, last_repeats);
      last = part.subspan(static_cast<std::size_t>(record.data() - part.data()), record.size());
      last_repeats = repeats;
    });
    visit(last, last_repeats);
    return in_order;
  }

 private:
  bool may_follow(Record before, Record record) const;
  bool is_repeat(Record before, Record record) const {
    return options_.finds_repeats && codec_.equal_keys(before, record);
  }

  // Calls visit(record) for every record and returns the offset of the first one that is out of order, or kInOrder.
  template <class Visit>
  std::size_t walk(std::span<const std::byte> range, const Visit& visit) const {
    const RecordOrder& order = order_.by_bytes();
    const WordReader read_word(order, range, 0);
    std::size_t found = kInOrder;
    Record previous;
    std::uint64_t previous_word = 0;
    for_each_record(order.layout(), range, [&](const std::byte* data, std::uint64_t stored) {
      const Record record(data, static_cast<std::size_t>(stored));
      const std::uint64_t word = read_word(data, key_length(order.layout(), stored));
      if (word <= previous_word && found == kInOrder && !previous.empty() &&
          (word < previous_word || order.compare(previous, record, 1) > (options_.is_strict ? -1 : 0))) {
        found = static_cast<std::size_t>(data - range.data());
      }
      visit(record);
      previous = record;
      previous_word = word;
    });
    return found;
  }

  const RecordCodec& codec_;
  ExactOrder order_;
  Options options_;
  bool numbers_;
  std::vector<std::byte> last_;  // last record of the part before
};

/// Where a range that was cut from `part` lies in it.
inline std::span<std::byte> in_part(std::span<std::byte> part, const SortedRange& range) {
  return part.subspan(static_cast<std::size_t>(range.bytes.data() - part.data()), range.bytes.size());
}

/// Moves `kept`, consecutive stretches of `part`, together to its beginning and returns them.
std::span<std::byte> close_gaps(std::span<std::byte> part, std::span<const std::span<std::byte>> kept);

/// Says of which input which record is out of order.
std::string finding_of(const Disorder& disorder);

/// Follows the order of records through consecutive pieces of inputs, and describes the first record that is out of
/// order. Used by check() for all inputs in turn, and by merges for each of theirs.
class OrderScan {
 public:
  /// `codec`: of the records; it must outlive this.
  OrderScan(const RecordCodec& codec, bool unique)
      : codec_(codec), scan_(codec, {.is_strict = unique, .has_open_ranks = true}) {}

  /// Begins a new input, whose header has so many records and bytes. Its first record must still follow the last one of
  /// the input before.
  void begin_input(const std::string& path, std::uint64_t records_before = 0, std::uint64_t bytes_before = 0);

  /// Takes the next whole records, which take `input_bytes` in the input. Returns the first one that is out of order,
  /// if any.
  std::optional<Disorder> next(std::span<const std::byte> records, std::uint64_t input_bytes);

  /// Memory of the last record.
  std::size_t held_bytes() const { return scan_.held_bytes(); }
  /// As those of SortedScan.
  void give_back_last() { scan_.give_back_last(); }
  void set_last(Record record) { scan_.set_last(record); }

 private:
  Disorder describe(std::span<const std::byte> records, std::size_t offset) const;

  const RecordCodec& codec_;
  std::string path_;
  std::uint64_t records_before_ = 0;
  std::uint64_t bytes_before_ = 0;
  SortedScan scan_;
};

}  // namespace sortie
