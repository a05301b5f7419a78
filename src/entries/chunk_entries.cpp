#include "entries/chunk_entries.hpp"

#include <algorithm>
#include <utility>

#include <sortie/error.hpp>

#include "base/parallel.hpp"
#include "entries/refine_ties.hpp"
#include "entries/splitters.hpp"
#include "entries/vector_sort.hpp"
#include "record/record_scan.hpp"
#include "record/word_reader.hpp"

namespace sortie {
namespace {

/// Bytes that one thread makes entries of at a time.
constexpr std::size_t kSliceBytes = 1 << 20;

// Whether `b` may come after `a`. Words before `first_word` are taken as equal.
bool follows(const ChunkRecords& records, const Entry& a, const Entry& b, std::uint64_t first_word) {
  return records.order().compare(records[a], records[b], first_word) <= 0;
}

// Whether in_order() holds for each entry and the next. Entries in random order fail at once.
template <class InOrder>
bool all_in_order(std::span<const Entry> entries, const InOrder& in_order) {
  for (std::size_t i = 1; i < entries.size(); ++i) {
    if (!in_order(entries[i - 1], entries[i])) return false;
  }
  return true;
}

}  // namespace

// Makes the entries of one slice, batch by batch.
class ChunkEntries::BatchMaker {
 public:
  BatchMaker(ChunkEntries& owner, const ChunkRecords& records, std::span<Entry> target,
             std::atomic<std::size_t>& target_used)
      : owner_(owner),
        records_(records),
        read_word_(records.order(), records.bytes(), owner.first_word_),
        target_(target),
        target_used_(target_used),
        most_entries_(std::min(kBatchEntries, target.size())),
        made_(owner.made_.local().of(most_entries_)),
        sizes_(owner.scatter_->bucket_count()) {}

  void make(std::span<const std::byte> slice) {
    const Layout layout = records_.order().layout();
    const std::byte* const base = records_.bytes().data();
    Entry* const made = made_;
    std::size_t count = 0;
    for_each_record(layout, slice, [&](const std::byte* record, std::uint64_t stored) {
      const auto offset = static_cast<std::uint64_t>(record - base);
      if (stored >= kLongRecord) owner_.long_records_->add(offset, stored);
      made[count++] = {make_location(offset, stored), read_word_(record, key_length(layout, stored))};
      if (count == most_entries_) finish_batch(std::exchange(count, 0));
    });
    if (count > 0) finish_batch(count);
    const std::scoped_lock lock(owner_.mutex_);
    for (Batch& batch : batches_) owner_.batches_.push_back(std::move(batch));
    add_sizes(owner_.sizes_, sizes_);
  }

 private:
  // There are more records than were counted if somebody changes a file that is a chunk in memory.
  void finish_batch(std::size_t count) {
    const std::size_t used = target_used_.fetch_add(count);
    if (used + count > target_.size()) throw Error("there are more records than before; is the memory sound?");
    const std::span<Entry> target = target_.subspan(used, count);
    batches_.push_back(owner_.finish_batch(records_, std::span(made_, count), target, sizes_));
  }

  ChunkEntries& owner_;
  const ChunkRecords& records_;
  WordReader read_word_;
  std::span<Entry> target_;
  std::atomic<std::size_t>& target_used_;
  std::size_t most_entries_;  // of a batch
  Entry* made_;
  std::vector<BucketSize> sizes_;
  std::vector<Batch> batches_;
};

void ChunkEntries::add(std::span<const std::byte> chunk, std::span<const std::byte> piece, std::span<Entry> target,
                       std::uint64_t expected_records) {
  if (!scatter_) begin(ChunkRecords(order_, sample_.empty() ? piece : sample_), expected_records);
  const ChunkRecords records(order_, chunk, long_records_.get());
  const auto slices = split_records(order_.layout(), piece, piece.size() / kSliceBytes + 1);
  std::atomic<std::size_t> target_used{0};
  parallel_for(0, slices.size(),
               [&](std::size_t i) { BatchMaker(*this, records, target, target_used).make(slices[i]); });
}

void ChunkEntries::begin(const ChunkRecords& sampled, std::uint64_t expected_records) {
  KeySample sample = sample_keys(sampled, expected_records);
  first_word_ = sample.in_common.size();
  in_common_ = std::move(sample.in_common);
  words_differ_ = false;
  long_records_ = std::make_unique<LongRecords>();
  scatter_.emplace(sample.splitters);
  sizes_.assign(scatter_->bucket_count(), {});
}

ChunkEntries::Batch ChunkEntries::finish_batch(const ChunkRecords& records, std::span<Entry> made,
                                               std::span<Entry> target, std::span<BucketSize> sizes) {
  Batch batch;
  batch.first = made.front();
  batch.last = made.back();
  const bool shares_words = shares_first_words(records, made);
  if (!shares_words) words_differ_ = true;
  const auto is_after = [&](const Entry& a, const Entry& b) {
    if (!shares_words) return follows(records, a, b, 0);
    return a.word != b.word ? a.word < b.word : follows(records, a, b, first_word_ + 1);
  };
  batch.ascending = all_in_order(made, is_after);
  batch.descending = all_in_order(made, [&](const Entry& a, const Entry& b) { return !is_after(a, b); });
  if (batch.ascending) {
    std::ranges::copy(made, target.begin());
    batch.scattered.entries = target;
  } else {
    batch.scattered = scatter_->scatter(records, made, target, sizes);
  }
  return batch;
}

// Returns the buckets of all records.
BucketRow ChunkEntries::scatter_what_is_left(const ChunkRecords& records) {
  if (words_differ_) {
    scatter_all_by_first_word(records);
  } else {
    scatter_those_in_order(records);
  }
  BucketRow buckets;
  buckets.sizes = std::move(sizes_);
  buckets.word_index = first_word_;
  for (Batch& batch : batches_) buckets.batches.push_back(std::move(batch.scattered));
  return buckets;
}

bool ChunkEntries::shares_first_words(const ChunkRecords& records, std::span<const Entry> made) const {
  for (std::uint64_t index = 0; index < first_word_; ++index) {
    const WordReader read_word(order_, records.bytes(), index);
    for (const Entry& entry : made) {
      const Record record = records[entry];
      if (read_word(record.data(), key_length(order_.layout(), record.size())) != in_common_[index]) return false;
    }
  }
  return true;
}

ChunkEntries::Finished ChunkEntries::finish(std::span<const std::byte> chunk) {
  const ChunkRecords records(order_, chunk, long_records_.get());
  std::ranges::sort(batches_, {}, [](const Batch& batch) { return batch.first.location; });
  Finished finished;
  finished.sequence = sequence_of(records);
  if (finished.sequence != Sequence::kAscending) finished.buckets = scatter_what_is_left(records);
  finished.long_records = std::move(long_records_);
  batches_.clear();
  scatter_.reset();
  return finished;
}

ChunkEntries::Sequence ChunkEntries::sequence_of(const ChunkRecords& records) const {
  bool ascending = true;
  bool descending = true;
  for (std::size_t i = 0; i < batches_.size() && (ascending || descending); ++i) {
    ascending = ascending && batches_[i].ascending;
    descending = descending && batches_[i].descending;
    if (i == 0) continue;
    const bool in_order = follows(records, batches_[i - 1].last, batches_[i].first, 0);
    ascending = ascending && in_order;
    descending = descending && !in_order;
  }
  return ascending ? Sequence::kAscending : descending ? Sequence::kDescending : Sequence::kNone;
}

// Used if some records do not share the first words of the sample: gives the entries the first words of the keys.
void ChunkEntries::scatter_all_by_first_word(const ChunkRecords& records) {
  std::uint64_t count = 0;
  for (const Batch& batch : batches_) count += batch.scattered.entries.size();
  first_word_ = 0;
  scatter_.emplace(sample_first_words(records, count));
  sizes_.assign(scatter_->bucket_count(), {});
  scatter_again(
      records, [](const Batch&) { return true; },
      [&](std::span<Entry> entries) {
        for (Entry& entry : entries) entry.word = 0;
        vector_sort(entries);  // back to input order
        assign_words(records, entries, 0);
      });
}

void ChunkEntries::scatter_those_in_order(const ChunkRecords& records) {
  scatter_again(
      records, [](const Batch& batch) { return batch.ascending; }, [](std::span<Entry>) {});
}

// Scatters the batches that `is_selected` picks, each after prepare(entries).
template <class Selected, class Prepare>
void ChunkEntries::scatter_again(const ChunkRecords& records, const Selected& is_selected, const Prepare& prepare) {
  parallel_for(0, batches_.size(), [&](std::size_t i) {
    if (!is_selected(batches_[i])) return;
    const std::span<Entry> entries = batches_[i].scattered.entries;
    prepare(entries);
    const std::vector<Entry> made(entries.begin(), entries.end());
    std::vector<BucketSize> sizes(scatter_->bucket_count());
    batches_[i].scattered = scatter_->scatter(records, made, entries, sizes);
    const std::scoped_lock lock(mutex_);
    add_sizes(sizes_, sizes);
  });
}

}  // namespace sortie
