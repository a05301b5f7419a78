#include "pipeline/top/top_candidates.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/size.hpp"
#include "base/thread_team.hpp"
#include "entries/parallel_quicksort.hpp"
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
void drop_repeats(const RecordCodec& codec, BoundFiltered& found) {
  std::vector<Record> recent(kRecentKeys);
  std::erase_if(found.records, [&](Record record) {
    Record& before = recent[codec.hash_of_keys(record) * kGoldenRatio >> kRecentShift];
    if (!before.empty() && codec.equal_keys(before, record)) {
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

/// Fewer candidates are not cut: they take little memory, and each cut costs a look at all of them.
constexpr std::uint64_t kLeastFullCount = 1024;

std::uint64_t twice(std::uint64_t count) { return count + std::min(count, ~count); }

}  // namespace

BoundFiltered filter_by_bound(const TopCandidates& candidates, const RecordOrder& order,
                              std::span<const std::byte> records) {
  const bool has_bound = !candidates.bound().empty();
  BoundFiltered found = has_bound && is_number_order(order) ? filter_numbers(order, candidates.bound(), records)
                                                            : filter_records(candidates, order, records);
  if (candidates.wants_first_of_key()) drop_repeats(candidates.codec(), found);
  return found;
}

TopCandidates::TopCandidates(const RecordCodec& codec, std::uint64_t wanted, TopCounts counts, std::size_t memory_bytes)
    : codec_(codec),
      order_(codec.order()),
      exact_order_(codec),
      wanted_(wanted),
      counts_(counts),
      memory_(round_down(memory_bytes, sizeof(Entry))),
      full_count_(std::max(kLeastFullCount, twice(wanted))) {}

// What follows the keys of an encoded line may reach into the prefix.
std::uint64_t TopCandidates::last_wanted_prefix() const {
  const bool prefix_decides = exact_order_.is_by_bytes() && !(codec_.makes_keys() && wants_equal_keys());
  return bound_.empty() || !prefix_decides ? ~std::uint64_t{0} : order_.prefix(bound_);
}

bool TopCandidates::may_be_wanted(Record record) const {
  if (bound_.empty()) return true;
  if (!exact_order_.is_by_bytes()) return exact_order_.compare(record, bound_) < (wants_equal_keys() ? 1 : 0);
  if (order_.compare(record, bound_) < 0) return true;
  return wants_equal_keys() && codec_.equal_keys(bound_, record);
}

void TopCandidates::add(Record record) {
  std::memcpy(memory_.data() + used_bytes_, record.data(), record.size());
  ++entry_count_;
  entries().front() = {make_location(used_bytes_, record.size()), order_.prefix(record)};
  used_bytes_ += record.size();
}

Entry* TopCandidates::entries_end() const { return reinterpret_cast<Entry*>(memory_.data() + memory_.size()); }

// Among equal keys, the record that came first is before the others.
bool TopCandidates::is_before(const Entry& a, const Entry& b) const {
  if (!exact_order_.is_by_bytes()) {
    const int order = exact_order_.compare(records()[a], records()[b]);
    return order != 0 ? order < 0 : a.location < b.location;
  }
  if (a.word != b.word) return a.word < b.word;
  const int order = order_.key_exceeds_prefix() ? order_.compare(records()[a], records()[b], 1) : 0;
  return order != 0 ? order < 0 : a.location < b.location;
}

// Puts the entries to be kept in front and returns how many there are: N, or all if there are fewer.
std::size_t TopCandidates::select_first() {
  const std::span<Entry> all = entries();
  if (all.size() < wanted_) return all.size();
  Entry* const last = all.data() + (wanted_ - 1);
  StopPoll ask_for_stop;
  std::nth_element(all.data(), last, all.data() + all.size(), [&](const Entry& a, const Entry& b) {
    ask_for_stop();
    return is_before(a, b);
  });
  set_bound(*last);
  return static_cast<std::size_t>(wanted_);
}

// The same if N counts keys.
std::size_t TopCandidates::select_distinct() {
  const std::span<Entry> all = entries();
  parallel_quicksort(all, [&](const Entry& a, const Entry& b) { return is_before(a, b); });
  std::size_t kept = 0;
  std::uint64_t keys = 0;
  StopPoll ask_for_stop;
  for (std::size_t i = 0; i < all.size(); ++i) {
    ask_for_stop();
    const bool is_first = i == 0 || !codec_.equal_keys(records()[all[kept - 1]], records()[all[i]]);
    if (is_first && keys == wanted_) break;
    keys += is_first ? 1 : 0;
    if (is_first || counts_ == TopCounts::kKeysWithEqual) {
      std::swap(all[kept++], all[i]);
    } else if (counts_ == TopCounts::kKeysLast) {
      std::swap(all[kept - 1], all[i]);
    }
  }
  if (keys == wanted_) set_bound(all[kept - 1]);
  return kept;
}

void TopCandidates::set_bound(const Entry& entry) {
  const Record last = records()[entry];
  bound_.assign(last.begin(), last.end());
}

// Moves the records of the kept entries together. In the order of their places, each record moves towards the front, so
// that none is overwritten.
void TopCandidates::keep(std::span<Entry> kept) {
  parallel_quicksort(kept, [](const Entry& a, const Entry& b) { return a.location < b.location; });
  std::size_t used = 0;
  StopPoll ask_for_stop;
  for (Entry& entry : kept) {
    ask_for_stop();
    const Record record = records()[entry];
    std::memmove(memory_.data() + used, record.data(), record.size());
    entry.location = make_location(used, record.size());
    used += record.size();
  }
  used_bytes_ = used;
  // Entries lie in reverse, the first of them at the end.
  std::ranges::reverse(kept);
  std::memmove(entries_end() - kept.size(), kept.data(), kept.size() * sizeof(Entry));
  entry_count_ = kept.size();
  full_count_ = std::max(full_count_, twice(entry_count_));
}

}  // namespace sortie
