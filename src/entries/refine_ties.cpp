#include "entries/refine_ties.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <vector>

#include "base/parallel.hpp"
#include "entries/parallel_quicksort.hpp"
#include "entries/vector_sort.hpp"
#include "record/word_reader.hpp"

namespace sortie {
namespace {

// Groups up to this size are sorted by insertion: to find the word in which a key differs costs more.
constexpr std::size_t kComparisonSortSize = 12;
// Deeper recursion would need keys that differ by one word at a time; comparing whole records then is as good.
constexpr unsigned kMaxLevels = 100;
constexpr std::uint64_t kNoWord = std::numeric_limits<std::uint64_t>::max();
// Smaller arrays are not worth a task of their own.
constexpr std::size_t kTaskSize = 1 << 15;

std::uint64_t length_of(const ChunkRecords& records, const Entry& entry) {
  return key_length(records.order().layout(), records[entry].size());
}

// Insertion sort by the words, stable. Gives up after too many moves and returns false: then entries are permuted, and
// those with equal words are in order still. Lines of one second come in any order: to move each by a few positions
// takes half as long as sorting them in vectors.
bool insert_few(std::span<Entry> entries) {
  constexpr std::size_t kFreeMoves = 64;  // so that a few lines that are far away at the beginning do not count
  constexpr std::size_t kMovesPerEntry = 8;
  std::size_t moves = 0;
  for (std::size_t i = 1; i < entries.size(); ++i) {
    const Entry entry = entries[i];
    std::size_t position = i;
    for (; position > 0 && entry.word < entries[position - 1].word; --position)
      entries[position] = entries[position - 1];
    entries[position] = entry;
    moves += i - position;
    if (moves > kFreeMoves + kMovesPerEntry * i) return false;
  }
  return true;
}

// Most inputs that are nearly in order have words in order: only what follows these must be sorted then.
void sort_entries(std::span<Entry> entries) {
  if (std::ranges::is_sorted(entries, std::less<>())) return;
  parallel_quicksort(
      entries, std::less<>(), [](std::span<Entry> rest) { vector_sort(rest); }, quicksort_end(entries.size()));
}

// Loads all words before it compares any two: most groups differ in this word, and to compare two entries takes a tenth
// of what it takes to compare two records. Not std::sort(), which may leave the group if comparisons contradict one
// another: somebody may change a file that is a chunk in memory.
void comparison_sort(const ChunkRecords& records, std::span<Entry> group, std::uint64_t first_word) {
  const WordReader read_word(records.order(), records.bytes(), first_word);
  for (Entry& entry : group) entry.word = read_word(records[entry].data(), length_of(records, entry));
  const auto is_before = [&](const Entry& a, const Entry& b) {
    if (a.word != b.word) return a.word < b.word;
    const int order = records.order().compare(records[a], records[b], first_word + 1);
    return order != 0 ? order < 0 : a.location < b.location;
  };
  if (group.size() > kComparisonSortSize) {
    std::ranges::make_heap(group, is_before);
    std::ranges::sort_heap(group, is_before);
    return;
  }
  for (std::size_t i = 1; i < group.size(); ++i) {
    const Entry entry = group[i];
    std::size_t position = i;
    for (; position > 0 && is_before(entry, group[position - 1]); --position) group[position] = group[position - 1];
    group[position] = entry;
  }
}

// What is known of a group: the first word in which some key differs from the first key, and whether some length does.
struct Differences {
  std::uint64_t word = kNoWord;
  bool lengths = false;
};

Differences join(Differences a, const Differences& b) { return {std::min(a.word, b.word), a.lengths || b.lengths}; }

// Whether two lines of equal length have the same bytes in words first_word .. last_word - 1, as far as they go.
bool lines_agree(const Record& a, const Record& b, std::uint64_t length, std::uint64_t first_word,
                 std::uint64_t last_word) {
  const std::uint64_t begin = std::min(8 * first_word, length);
  const std::uint64_t end = last_word > length / 8 ? length : 8 * last_word;
  return std::memcmp(a.data() + begin, b.data() + begin, end - begin) == 0;
}

// Prefetches the beginning, middle and end of the compared part of a line, supposed to be as long as the first one; of
// other keys only the beginning.
void prefetch_key(const ChunkRecords& records, const Entry& entry, std::uint64_t first_word,
                  std::uint64_t first_length) {
  records.prefetch(entry, 8 * first_word);
  if (!records.order().plan().whole_line) return;
  records.prefetch(entry, (8 * first_word + first_length) / 2);
  records.prefetch(entry, first_length);
}

// Compares the keys of `group` with the key of `first`, from `first_word` on, and adds to what is known already.
Differences find_differences(const ChunkRecords& records, const Record& first, std::span<const Entry> group,
                             std::uint64_t first_word, Differences found) {
  const KeyPlan& plan = records.order().plan();
  const std::uint64_t first_length = key_length(records.order().layout(), first.size());
  for (std::size_t i = 0; i < group.size() && found.word > first_word; ++i) {
    const std::size_t ahead = i + kPrefetchDistance;
    if (ahead < group.size()) prefetch_key(records, group[ahead], first_word, first_length);
    const Record other = records[group[i]];
    const std::uint64_t length = key_length(records.order().layout(), other.size());
    found.lengths = found.lengths || length != first_length;
    const bool is_comparable = plan.whole_line && length == first_length;
    if (is_comparable && lines_agree(first, other, length, first_word, found.word)) continue;
    const std::uint64_t words = std::max(key_words(plan, first_length), key_words(plan, length));
    std::uint64_t word = first_word;
    while (word < words && word < found.word &&
           key_word(plan, first.data(), first_length, word) == key_word(plan, other.data(), length, word)) {
      ++word;
    }
    if (word < words) found.word = std::min(found.word, word);
  }
  return found;
}

// Whether the key has nothing after this word.
bool key_ends_with(const ChunkRecords& records, std::uint64_t word_index) {
  const KeyPlan& plan = records.order().plan();
  if (word_index == kLengthWord) return true;
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

// Goes ahead of the refinement of a task's groups and prefetches the records of entries that are not alone in their
// group.
class GroupPrefetch {
 public:
  GroupPrefetch(const ChunkRecords& records, std::span<const Entry> of_task, std::size_t begin, std::uint64_t at)
      : records_(records), entries_(of_task), next_(begin), at_(at) {}

  /// Prefetches up to kPrefetchDistance entries beyond `end`; all groups before `end` are refined.
  void follow(std::size_t end) {
    const std::size_t stop = std::min(end + kPrefetchDistance, entries_.size());
    for (next_ = std::max(next_, end); next_ + 1 < stop; ++next_) {
      if (entries_[next_].word != entries_[next_ + 1].word) continue;
      records_.prefetch(entries_[next_], at_);
      records_.prefetch(entries_[next_ + 1], at_);
    }
  }

 private:
  const ChunkRecords& records_;
  std::span<const Entry> entries_;
  std::size_t next_;
  std::uint64_t at_;
};

// Cuts entries into tasks where there are no boundaries to heed.
std::vector<std::span<Entry>> cut(std::span<Entry> entries) {
  std::vector<std::span<Entry>> stretches;
  for (std::size_t begin = 0; begin < entries.size(); begin += kTaskSize) {
    stretches.push_back(entries.subspan(begin, std::min(kTaskSize, entries.size() - begin)));
  }
  return stretches;
}

// How many bytes all lines begin with. Precondition: at least one line, whose key is the whole line.
std::size_t bytes_in_common(const ChunkRecords& records, std::span<const Entry> lines) {
  const Record first = records[lines[0]];
  std::size_t common = first.size();
  for (const Entry& line : lines) {
    const Record other = records[line];
    if (other.size() >= common && std::memcmp(first.data(), other.data(), common) == 0) continue;
    const std::size_t most = std::min(common, other.size());
    const auto differs = std::mismatch(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(most), other.begin());
    common = static_cast<std::size_t>(differs.first - first.begin());
  }
  return common;
}

// The eight bytes of a line from `offset` on, as words of keys are.
std::uint64_t word_at(const std::byte* line, std::uint64_t length, std::uint64_t offset) {
  if (offset + 8 <= length) return byte_swap(load_as<std::uint64_t>(line + offset));
  return offset < length ? load_big_padded(line + offset, length - offset) : 0;
}

// Sorts every group of entries with equal words by what follows word `word_index` of their keys.
void refine_groups(const ChunkRecords& records, std::span<Entry> entries, std::uint64_t word_index, unsigned level) {
  const std::vector<std::size_t> cuts = cut_between_groups(entries);
  parallel_for(1, cuts.size(), [&](std::size_t task) {
    // Does not look beyond the task: another task may be at work there.
    const std::span<const Entry> of_task = entries.first(cuts[task]);
    GroupPrefetch prefetch(records, of_task, cuts[task - 1], 8 * (word_index + 1));
    for (std::size_t begin = cuts[task - 1]; begin < cuts[task];) {
      prefetch.follow(begin);
      const std::size_t end = group_end(of_task, begin);
      if (end - begin > 1) refine_group(records, entries.subspan(begin, end - begin), word_index, level);
      begin = end;
    }
  });
}

}  // namespace

NextWord find_next_word(const ChunkRecords& records, std::span<const std::span<Entry>> stretches,
                        std::uint64_t word_index) {
  if (key_ends_with(records, word_index)) return {true, 0};
  const Record first = records[stretches[0][0]];
  const Differences found = parallel_reduce(
      stretches.size(), Differences{},
      [&](std::size_t i, const Differences& best) {
        return find_differences(records, first, stretches[i], word_index + 1, best);
      },
      join);
  if (found.word != kNoWord) return {false, found.word};
  return {!found.lengths || !records.order().plan().whole_line, kLengthWord};
}

void assign_words(const ChunkRecords& records, std::span<Entry> entries, std::uint64_t word_index) {
  if (word_index == kLengthWord) {
    const std::uint64_t flip = records.order().plan().descending_line ? ~std::uint64_t{0} : 0;
    for (Entry& entry : entries) entry.word = length_of(records, entry) ^ flip;
    return;
  }
  const WordReader read_word(records.order(), records.bytes(), word_index);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i + kPrefetchDistance < entries.size()) records.prefetch(entries[i + kPrefetchDistance], 8 * word_index);
    entries[i].word = read_word(records[entries[i]].data(), length_of(records, entries[i]));
  }
}

void refine_group(const ChunkRecords& records, std::span<Entry> group, std::uint64_t word_index, unsigned level) {
  if (group.size() < 2 || key_ends_with(records, word_index)) return;
  if (group.size() <= kComparisonSortSize || level == kMaxLevels) {
    comparison_sort(records, group, word_index + 1);
    return;
  }
  const std::vector<std::span<Entry>> stretches = cut(group);
  const NextWord next = find_next_word(records, stretches, word_index);
  if (next.none) return;
  parallel_for(0, stretches.size(), [&](std::size_t i) { assign_words(records, stretches[i], next.index); });
  sort_and_refine(records, group, next.index, level + 1);
}

void sort_and_refine(const ChunkRecords& records, std::span<Entry> entries, std::uint64_t word_index, unsigned level) {
  sort_entries(entries);
  if (!key_ends_with(records, word_index)) refine_groups(records, entries, word_index, level);
}

void sort_lines(const ChunkRecords& records, std::span<Entry> lines) {
  const std::size_t begin = bytes_in_common(records, lines);
  const std::uint64_t flip = records.order().plan().descending_line ? ~std::uint64_t{0} : 0;
  for (Entry& line : lines) line.word = word_at(records[line].data(), length_of(records, line), begin) ^ flip;
  if (!insert_few(lines)) sort_entries(lines);
  refine_groups(records, lines, (begin + 8) / 8 - 1, 0);
}

}  // namespace sortie
