#include "pipeline/scan/unique_filter.hpp"

#include <cstring>

#include "base/bytes.hpp"
#include "pipeline/scan/key_comparison.hpp"

namespace sortie {
namespace {

// Moves numbers that differ from the one before them to the front, without branches. Returns the bytes they take.
// Numbers with equal keys have equal bits. `begins_with_repeat`: the first number is that of the range before.
template <class Word>
std::size_t keep_changes(std::span<std::byte> numbers, bool begins_with_repeat) {
  const auto first = load_as<Word>(numbers.data());
  auto previous = begins_with_repeat ? first : static_cast<Word>(~first);
  std::size_t kept = 0;
  for (std::size_t at = 0; at < numbers.size(); at += sizeof(Word)) {
    const auto number = load_as<Word>(numbers.data() + at);
    store_as(numbers.data() + kept, number);
    kept += number != previous ? sizeof(Word) : 0;
    previous = number;
  }
  return kept;
}

}  // namespace

RepeatFilter::Filtered UniqueFilter::filter_records(const SortedRange& range, std::span<std::byte> part) const {
  const std::span<std::byte> bytes = in_part(part, range);
  std::byte* target = bytes.data();
  RecordTotals dropped;
  scan().visit_in_place(range, part, [&](std::span<std::byte> record, bool repeats) {
    if (repeats) {
      dropped += totals_of_one(codec_.restore(record), checksum_);
      return;
    }
    if (target != record.data()) std::memmove(target, record.data(), record.size());
    target += record.size();
  });
  return {bytes.first(static_cast<std::size_t>(target - bytes.data())), dropped};
}

RepeatFilter::Filtered UniqueFilter::filter_numbers(const SortedRange& range, std::span<std::byte> part) const {
  const std::span<std::byte> bytes = in_part(part, range);
  if (!range.begins_with_repeat && !find_number_disorder(codec_.order(), bytes, true)) return {bytes, {}};
  const RecordTotals whole = range_totals(codec_.sorted_format(), bytes, checksum_);
  const std::size_t kept_bytes = scan().layout().record_bytes == 4
                                     ? keep_changes<std::uint32_t>(bytes, range.begins_with_repeat)
                                     : keep_changes<std::uint64_t>(bytes, range.begins_with_repeat);
  const std::span<std::byte> kept = bytes.first(kept_bytes);
  return {kept, whole - range_totals(codec_.sorted_format(), kept, checksum_)};
}

}  // namespace sortie
