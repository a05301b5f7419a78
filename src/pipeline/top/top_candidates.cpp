#include "pipeline/top/top_candidates.hpp"

#include <algorithm>
#include <cstring>

#include "base/size.hpp"
#include "entries/parallel_quicksort.hpp"

namespace sortie {
namespace {

/// Fewer candidates are not cut: they take little memory, and each cut costs a look at all of them.
constexpr std::uint64_t kLeastFullCount = 1024;

std::uint64_t twice(std::uint64_t count) { return count + std::min(count, ~count); }

}  // namespace

TopCandidates::TopCandidates(const RecordOrder& order, const LineDecorator* decorator, std::uint64_t wanted,
                             TopCounts counts, std::size_t memory_bytes)
    : order_(order),
      decorator_(decorator),
      exact_order_(order, decorator),
      equal_keys_(order, decorator),
      wanted_(wanted),
      counts_(counts),
      memory_(round_down(memory_bytes, sizeof(Entry))),
      full_count_(std::max(kLeastFullCount, twice(wanted))) {}

// What follows the keys of a decorated line may reach into the prefix.
std::uint64_t TopCandidates::last_wanted_prefix() const {
  const bool prefix_decides = exact_order_.is_by_bytes() && (decorator_ == nullptr || !wants_equal_keys());
  return bound_.empty() || !prefix_decides ? ~std::uint64_t{0} : order_.prefix(bound_);
}

bool TopCandidates::may_be_wanted(Record record) const {
  if (bound_.empty()) return true;
  if (!exact_order_.is_by_bytes()) return exact_order_.compare(record, bound_) < (wants_equal_keys() ? 1 : 0);
  if (order_.compare(record, bound_) < 0) return true;
  return wants_equal_keys() && equal_keys_(bound_, record);
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
  std::nth_element(all.data(), last, all.data() + all.size(),
                   [&](const Entry& a, const Entry& b) { return is_before(a, b); });
  set_bound(*last);
  return static_cast<std::size_t>(wanted_);
}

// The same if N counts keys.
std::size_t TopCandidates::select_distinct() {
  const std::span<Entry> all = entries();
  parallel_quicksort(all, [&](const Entry& a, const Entry& b) { return is_before(a, b); });
  std::size_t kept = 0;
  std::uint64_t keys = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_first = i == 0 || !equal_keys_(records()[all[kept - 1]], records()[all[i]]);
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
  for (Entry& entry : kept) {
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
