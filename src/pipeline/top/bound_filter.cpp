#include "pipeline/top/bound_filter.hpp"

#include <vector>

#include "record/number_order.hpp"
#include "record/record_scan.hpp"
#include "record/word_reader.hpp"

namespace sortie {
namespace {

/// As many recent keys as fit the first cache beside the records.
constexpr unsigned kRecentKeyBits = 10;
constexpr std::size_t kRecentKeys = std::size_t{1} << kRecentKeyBits;
constexpr unsigned kRecentShift = 64 - kRecentKeyBits;
constexpr std::uint64_t kGoldenRatio = 0x9E3779B97F4A7C15U;  // 2^64 / 1.618: spreads keys that are alike

BoundFiltered filter_numbers(const RecordOrder& order, Record bound, std::span<const std::byte> numbers) {
  BoundFiltered found;
  const auto number_bytes = static_cast<std::size_t>(order.layout().record_bytes);
  std::span<const std::byte> rest = numbers;
  while (const auto offset = find_number_before(order, rest, bound)) {
    found.records.push_back(rest.subspan(*offset, number_bytes));
    rest = rest.subspan(*offset + number_bytes);
  }
  found.others = numbers.size() / number_bytes - found.records.size();
  return found;
}

// Leaves out records whose key was seen a short while ago. If keys are few, that is nearly all records.
void drop_repeats(const KeyEquality& equal_keys, BoundFiltered& found) {
  std::vector<Record> recent(kRecentKeys);
  std::erase_if(found.records, [&](Record record) {
    Record& before = recent[equal_keys.hash(record) * kGoldenRatio >> kRecentShift];
    if (!before.empty() && equal_keys(before, record)) {
      ++found.others;
      return true;
    }
    before = record;
    return false;
  });
}

BoundFiltered filter_records(const TopCandidates& candidates, const RecordOrder& order,
                             std::span<const std::byte> records) {
  BoundFiltered found;
  const WordReader read_word(order, records, 0);
  const std::uint64_t last_word = candidates.last_wanted_prefix();
  for_each_record(order.layout(), records, [&](const std::byte* data, std::uint64_t stored) {
    const Record record(data, static_cast<std::size_t>(stored));
    const bool prefix_may_do = read_word(data, key_length(order.layout(), stored)) <= last_word;
    if (prefix_may_do && candidates.may_be_wanted(record)) {
      found.records.push_back(record);
    } else {
      ++found.others;
    }
  });
  return found;
}

}  // namespace

BoundFiltered filter_by_bound(const TopCandidates& candidates, const RecordOrder& order,
                              std::span<const std::byte> records) {
  const bool has_bound = !candidates.bound().empty();
  BoundFiltered found = has_bound && is_number_order(order) ? filter_numbers(order, candidates.bound(), records)
                                                            : filter_records(candidates, order, records);
  if (candidates.wants_first_of_key()) drop_repeats(candidates.equal_keys(), found);
  return found;
}

}  // namespace sortie
