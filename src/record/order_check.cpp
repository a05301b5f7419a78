#include "record/order_check.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "record/record_scan.hpp"
#include "record/word_reader.hpp"

namespace sortie {
namespace {

constexpr std::size_t kRangeBytes = 1 << 20;
constexpr std::size_t kInOrder = std::numeric_limits<std::size_t>::max();

// Checks one range, with the record that precedes it if there is one.
class RangeCheck {
 public:
  RangeCheck(const RecordOrder& order, std::span<const std::byte> bytes, bool unique)
      : order_(order), bytes_(bytes), read_word_(order, bytes, 0), limit_(unique ? -1 : 0) {}

  std::size_t operator()(std::span<const std::byte> range) const {
    std::size_t found = kInOrder;
    Record previous = record_before(range);
    std::uint64_t previous_word = previous.empty() ? 0 : word_of(previous);
    for_each_record(order_.layout(), range, [&](const std::byte* data, std::uint64_t stored) {
      const Record record(data, static_cast<std::size_t>(stored));
      const std::uint64_t word = word_of(record);
      if (!previous.empty() && found == kInOrder && !in_order(previous, previous_word, record, word)) {
        found = static_cast<std::size_t>(data - bytes_.data());
      }
      previous = record;
      previous_word = word;
    });
    return found;
  }

 private:
  std::uint64_t word_of(Record record) const {
    return read_word_(record.data(), key_length(order_.layout(), record.size()));
  }

  bool in_order(Record a, std::uint64_t a_word, Record b, std::uint64_t b_word) const {
    if (a_word != b_word) return a_word < b_word;
    return order_.compare(a, b, 1) <= limit_;
  }

  Record record_before(std::span<const std::byte> range) const {
    const auto begin = static_cast<std::size_t>(range.data() - bytes_.data());
    if (begin == 0) return {};
    if (!order_.layout().delimited())
      return bytes_.subspan(begin - order_.layout().record_bytes, order_.layout().record_bytes);
    const std::size_t start = whole_records(order_.layout(), bytes_.first(begin - 1));
    return bytes_.subspan(start, begin - start);
  }

  const RecordOrder& order_;
  std::span<const std::byte> bytes_;
  WordReader read_word_;
  int limit_;
};

}  // namespace

std::optional<std::size_t> find_disorder(const RecordOrder& order, std::span<const std::byte> bytes, bool unique) {
  const auto ranges = split_records(order.layout(), bytes, bytes.size() / kRangeBytes + 1);
  const RangeCheck check(order, bytes, unique);
  const std::size_t found = tbb::parallel_reduce(
      tbb::blocked_range<std::size_t>(0, ranges.size()), kInOrder,
      [&](const auto& part, std::size_t best) {
        for (std::size_t i = part.begin(); i < part.end(); ++i) best = std::min(best, check(ranges[i]));
        return best;
      },
      [](std::size_t a, std::size_t b) { return std::min(a, b); });
  return found == kInOrder ? std::nullopt : std::optional(found);
}

}  // namespace sortie
