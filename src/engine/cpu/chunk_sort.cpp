#include "engine/cpu/chunk_sort.hpp"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <vector>

#include "engine/cpu/refine_ties.hpp"
#include "engine/cpu/splitters.hpp"
#include "record/record_scan.hpp"
#include "record/word_reader.hpp"

namespace sortie {
namespace {

constexpr std::size_t kSamplesPerSplitter = 16;
// Buckets of about this many entries stay in the second-level cache while they are sorted.
constexpr std::size_t kBucketEntries = 1 << 12;

using Ranges = std::vector<std::span<const std::byte>>;

std::vector<Record> sample_records(const ChunkRecords& records, std::size_t wanted) {
  const Layout& layout = records.order().layout();
  const std::span<const std::byte> bytes = records.bytes();
  std::vector<Record> sample;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < wanted; ++i) {
    const std::size_t position = bytes.size() / wanted * i;
    if (i > 0 && position <= begin) continue;  // a long record reaches beyond it
    begin = boundary_at_or_after(layout, bytes, position);
    if (begin == bytes.size()) break;
    const std::byte* record = bytes.data() + begin;
    sample.push_back({record, static_cast<std::size_t>(stored_length(layout, record, bytes.data() + bytes.size()))});
  }
  return sample;
}

std::uint64_t word_of(const RecordOrder& order, Record record, std::uint64_t index) {
  return key_word(order.plan(), record.data(), key_length(order.layout(), record.size()), index);
}

// How many leading words all sampled keys have in common.
std::uint64_t shared_words(const RecordOrder& order, const std::vector<Record>& sample) {
  std::uint64_t words = key_words(order.plan(), key_length(order.layout(), sample[0].size()));
  for (const Record& record : sample) {
    std::uint64_t same = 0;
    while (same < words && word_of(order, record, same) == word_of(order, sample[0], same)) ++same;
    words = same;
  }
  return words == key_words(order.plan(), key_length(order.layout(), sample[0].size())) ? 0 : words;
}

// Whether all records share the first `words` words with `first`.
bool share_words(const ChunkRecords& records, const Ranges& ranges, Record first, std::uint64_t words) {
  std::atomic<bool> same{true};
  const RecordOrder& order = records.order();
  tbb::parallel_for(std::size_t{0}, ranges.size(), [&](std::size_t r) {
    bool range_same = true;
    for (std::uint64_t index = 0; index < words && range_same && same; ++index) {
      const WordReader read_word(order, records.bytes(), index);
      const std::uint64_t expected = word_of(order, first, index);
      for_each_record(order.layout(), ranges[r], [&](const std::byte* record, std::uint64_t stored) {
        range_same = range_same && read_word(record, key_length(order.layout(), stored)) == expected;
      });
    }
    if (!range_same) same = false;
  });
  return same;
}

// One sample sort pass: entries are dealt out to buckets straight from the records.
class BucketPass {
 public:
  BucketPass(const ChunkRecords& records, const Ranges& ranges, const Splitters& splitters, std::uint64_t word_index)
      : records_(records),
        ranges_(ranges),
        splitters_(splitters),
        read_word_(records.order(), records.bytes(), word_index),
        positions_(ranges.size(), std::vector<std::size_t>(splitters.bucket_count())) {}

  // Returns the begin of every bucket, and the end of the last.
  std::vector<std::size_t> distribute(std::span<Entry> entries) {
    tbb::parallel_for(std::size_t{0}, ranges_.size(), [&](std::size_t r) {
      visit_range(r, [&](std::uint64_t word, std::uint64_t) { ++positions_[r][splitters_.bucket_of(word)]; });
    });
    std::vector<std::size_t> begins = turn_counts_into_positions(positions_);
    assert(begins.back() == entries.size());
    tbb::parallel_for(std::size_t{0}, ranges_.size(), [&](std::size_t r) {
      std::vector<std::size_t>& position = positions_[r];
      visit_range(r, [&](std::uint64_t word, std::uint64_t location) {
        entries[position[splitters_.bucket_of(word)]++] = Entry{location, word};
      });
    });
    return begins;
  }

 private:
  template <class Visit>
  void visit_range(std::size_t r, Visit&& visit) const {
    const Layout layout = records_.order().layout();
    const std::byte* base = records_.bytes().data();
    for_each_record(layout, ranges_[r], [&](const std::byte* record, std::uint64_t stored) {
      visit(read_word_(record, key_length(layout, stored)),
            make_location(static_cast<std::uint64_t>(record - base), stored));
    });
  }

  const ChunkRecords& records_;
  const Ranges& ranges_;
  const Splitters& splitters_;
  WordReader read_word_;
  std::vector<std::vector<std::size_t>> positions_;
};

}  // namespace

void sort_chunk(const ChunkRecords& records, std::span<Entry> entries) {
  if (entries.empty()) return;
  const RecordOrder& order = records.order();
  const auto threads = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
  const Ranges ranges =
      split_records(order.layout(), records.bytes(), entries.size() < kBucketEntries ? 1 : 4 * threads);
  const std::size_t wanted = std::min(Splitters::kMaxSplitters, entries.size() / kBucketEntries);

  const std::vector<Record> sample = sample_records(records, std::max<std::size_t>(1, wanted * kSamplesPerSplitter));
  std::uint64_t first_word = shared_words(order, sample);
  if (!share_words(records, ranges, sample[0], first_word)) first_word = 0;

  std::vector<std::uint64_t> sample_words;
  sample_words.reserve(sample.size());
  for (const Record& record : sample) sample_words.push_back(word_of(order, record, first_word));
  const Splitters splitters(std::move(sample_words), wanted);
  const std::vector<std::size_t> begins = BucketPass(records, ranges, splitters, first_word).distribute(entries);

  tbb::parallel_for(std::size_t{0}, begins.size() - 1, [&](std::size_t bucket) {
    const std::span<Entry> items = entries.subspan(begins[bucket], begins[bucket + 1] - begins[bucket]);
    if (Splitters::is_equality_bucket(bucket)) {
      refine_group(records, items, first_word);
    } else {
      sort_and_refine(records, items, first_word);
    }
  });
}

}  // namespace sortie
