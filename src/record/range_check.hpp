// The order of one range of records, on one thread: what the parallel checks divide their work into.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "record/number_order.hpp"
#include "record/record_order.hpp"
#include "record/record_scan.hpp"
#include "record/word_reader.hpp"

namespace sortie {

class RangeCheck {
 public:
  static constexpr std::size_t kInOrder = std::numeric_limits<std::size_t>::max();

  /// Ranges will be taken from `bytes`, which are whole records.
  RangeCheck(const RecordOrder& order, std::span<const std::byte> bytes, bool unique)
      : order_(order), bytes_(bytes), read_word_(order, bytes, 0), unique_(unique), numbers_(is_number_order(order)) {}

  /// Whether first_disorder() need not look at each record by itself.
  bool takes_numbers() const { return numbers_; }

  /// Offset in `bytes` of the first record of `range` that must not follow the one before it, even if that
  /// one is in the range before; kInOrder if there is none.
  std::size_t first_disorder(std::span<const std::byte> range) const;

  /// The same, and calls visit(record) for every record of the range.
  template <class Visit>
  std::size_t first_disorder(std::span<const std::byte> range, const Visit& visit) const {
    std::size_t found = kInOrder;
    Record previous = record_before(range);
    std::uint64_t previous_word = previous.empty() ? 0 : word_of(previous);
    for_each_record(order_.layout(), range, [&](const std::byte* data, std::uint64_t stored) {
      const Record record(data, static_cast<std::size_t>(stored));
      const std::uint64_t word = word_of(record);
      if (word <= previous_word && found == kInOrder && !previous.empty() &&
          !in_order(previous, previous_word, record, word)) {
        found = offset_of(record);
      }
      visit(record);
      previous = record;
      previous_word = word;
    });
    return found;
  }

 private:
  std::size_t offset_of(Record record) const { return static_cast<std::size_t>(record.data() - bytes_.data()); }
  std::uint64_t word_of(Record record) const {
    return read_word_(record.data(), key_length(order_.layout(), record.size()));
  }
  bool in_order(Record a, std::uint64_t a_word, Record b, std::uint64_t b_word) const {
    if (a_word != b_word) return a_word < b_word;
    return order_.compare(a, b, 1) <= (unique_ ? -1 : 0);
  }
  Record record_before(std::span<const std::byte> range) const;

  const RecordOrder& order_;
  std::span<const std::byte> bytes_;
  WordReader read_word_;
  bool unique_;
  bool numbers_;
};

}  // namespace sortie
