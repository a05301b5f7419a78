#include "pipeline/bound_filter.hpp"

#include "record/number_order.hpp"
#include "record/record_scan.hpp"
#include "record/word_reader.hpp"

namespace sortie {
namespace {

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

}  // namespace

BoundFiltered filter_by_bound(const TopCandidates& candidates, const RecordOrder& order,
                              std::span<const std::byte> records) {
  if (is_number_order(order)) return filter_numbers(order, candidates.bound(), records);
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

}  // namespace sortie
