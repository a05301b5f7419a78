#include "engine/cpu/refine_ties.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "record/word_reader.hpp"

namespace sortie {
namespace {

// Groups up to this size are sorted by comparing records: loading words costs more.
constexpr std::size_t kComparisonSortSize = 12;
// Deeper recursion would need keys that differ by one word at a time; comparing whole records then is as good.
constexpr unsigned kMaxLevels = 100;
constexpr std::uint64_t kNoWord = std::numeric_limits<std::uint64_t>::max();
// Smaller arrays are not worth a task of their own.
constexpr std::size_t kTaskSize = 1 << 15;

std::uint64_t length_of(const ChunkRecords& records, const Entry& entry) {
  return key_length(records.order().layout(), records[entry].size());
}

// Quicksort with a three-way choice of pivot whose halves run in parallel, and vector code at the leaves.
void parallel_quicksort(std::span<Entry> entries) {
  if (entries.size() <= kTaskSize) {
    vector_sort(entries);
    return;
  }
  Entry sample[31];
  for (std::size_t i = 0; i < std::size(sample); ++i) sample[i] = entries[entries.size() / 32 * (i + 1)];
  std::nth_element(sample, sample + 15, sample + 31);
  const Entry pivot = sample[15];
  const auto middle = std::partition(entries.begin(), entries.end(), [&](const Entry& e) { return e < pivot; });
  const auto below = static_cast<std::size_t>(middle - entries.begin());
  tbb::parallel_invoke([&] { parallel_quicksort(entries.first(below)); },
                       [&] { parallel_quicksort(entries.subspan(below)); });
}

void comparison_sort(const ChunkRecords& records, std::span<Entry> group, std::uint64_t first_word) {
  std::sort(group.begin(), group.end(), [&](const Entry& a, const Entry& b) {
    const int order = records.order().compare(records[a], records[b], first_word);
    return order != 0 ? order < 0 : a.location < b.location;
  });
}

// The first word at or after `first_word` in which some key of the group differs from the first key, or
// kNoWord.
std::uint64_t common_words(const ChunkRecords& records, std::span<const Entry> group, std::uint64_t first_word) {
  const KeyPlan& plan = records.order().plan();
  const Record first = records[group[0]];
  const std::uint64_t first_length = key_length(records.order().layout(), first.size());
  const auto common_with_first = [&](const tbb::blocked_range<std::size_t>& range, std::uint64_t best) {
    for (std::size_t i = range.begin(); i < range.end() && best > first_word; ++i) {
      const Record other = records[group[i]];
      const std::uint64_t length = key_length(records.order().layout(), other.size());
      const std::uint64_t words = std::max(key_words(plan, first_length), key_words(plan, length));
      std::uint64_t word = first_word;
      while (word < words && word < best &&
             key_word(plan, first.data(), first_length, word) == key_word(plan, other.data(), length, word)) {
        ++word;
      }
      if (word < words) best = std::min(best, word);
    }
    return best;
  };
  return tbb::parallel_reduce(tbb::blocked_range<std::size_t>(1, group.size(), kTaskSize), kNoWord, common_with_first,
                              [](std::uint64_t a, std::uint64_t b) { return std::min(a, b); });
}

template <class WordOf>
void assign_words(std::span<Entry> group, const WordOf& word_of) {
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, group.size(), kTaskSize), [&](const auto& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i) group[i].word = word_of(group[i]);
  });
}

void order_by_length(const ChunkRecords& records, std::span<Entry> group) {
  const std::uint64_t flip = records.order().plan().descending_line ? ~std::uint64_t{0} : 0;
  assign_words(group, [&](const Entry& entry) { return length_of(records, entry) ^ flip; });
  parallel_quicksort(group);
}

// Whether the key has nothing after this word.
bool key_ends_with(const ChunkRecords& records, std::uint64_t word_index) {
  const KeyPlan& plan = records.order().plan();
  return !plan.whole_line && 8 * (word_index + 1) >= plan.key_bytes;
}

std::size_t group_end(std::span<const Entry> entries, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < entries.size() && entries[end].word == entries[begin].word) ++end;
  return end;
}

// Task boundaries that separate no group. Found before any group is touched, because refinement
// overwrites the words.
std::vector<std::size_t> cut_between_groups(std::span<const Entry> entries) {
  std::vector<std::size_t> cuts{0};
  while (cuts.back() < entries.size()) {
    const std::size_t last = std::min(cuts.back() + kTaskSize, entries.size()) - 1;
    cuts.push_back(group_end(entries, last));
  }
  return cuts;
}

}  // namespace

void refine_group(const ChunkRecords& records, std::span<Entry> group, std::uint64_t word_index, unsigned level) {
  if (group.size() < 2 || key_ends_with(records, word_index)) return;
  if (group.size() <= kComparisonSortSize || level == kMaxLevels) {
    comparison_sort(records, group, word_index + 1);
    return;
  }
  const std::uint64_t next = common_words(records, group, word_index + 1);
  if (next == kNoWord) {  // no word tells them apart
    if (records.order().plan().whole_line) order_by_length(records, group);
    return;
  }
  const WordReader read_word(records.order(), records.bytes(), next);
  assign_words(group, [&](const Entry& entry) { return read_word(records[entry].data(), length_of(records, entry)); });
  sort_and_refine(records, group, next, level + 1);
}

void sort_and_refine(const ChunkRecords& records, std::span<Entry> entries, std::uint64_t word_index, unsigned level) {
  parallel_quicksort(entries);
  if (key_ends_with(records, word_index)) return;
  const std::vector<std::size_t> cuts = cut_between_groups(entries);
  tbb::parallel_for(std::size_t{1}, cuts.size(), [&](std::size_t task) {
    for (std::size_t begin = cuts[task - 1]; begin < cuts[task];) {
      const std::size_t end = group_end(entries, begin);
      refine_group(records, entries.subspan(begin, end - begin), word_index, level);
      begin = end;
    }
  });
}

}  // namespace sortie
