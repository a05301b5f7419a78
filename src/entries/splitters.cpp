#include "entries/splitters.hpp"
#include "record/record_scan.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace sortie {
namespace {

// Buckets of about this many entries stay in the second-level cache while they are sorted and gathered.
constexpr std::size_t kBucketEntries = 1 << 13;

std::uint64_t word_of(const RecordOrder& order, Record record, std::uint64_t index) {
  return key_word(order.plan(), record.data(), key_length(order.layout(), record.size()), index);
}

// How many leading words all sampled keys have in common; 0 if all their words are equal.
std::uint64_t shared_words(const RecordOrder& order, const std::vector<Record>& sample) {
  const std::uint64_t first_words = key_words(order.plan(), key_length(order.layout(), sample[0].size()));
  std::uint64_t words = first_words;
  for (const Record& record : sample) {
    std::uint64_t same = 0;
    while (same < words && word_of(order, record, same) == word_of(order, sample[0], same)) ++same;
    words = same;
  }
  return words == first_words ? 0 : words;
}

Splitters splitters_by_word(const RecordOrder& order, const std::vector<Record>& sample, std::uint64_t index,
                            std::size_t wanted) {
  std::vector<std::uint64_t> words;
  words.reserve(sample.size());
  for (const Record& record : sample) words.push_back(word_of(order, record, index));
  return Splitters(std::move(words), wanted);
}

std::vector<Record> sample_chunk(const ChunkRecords& records, std::size_t wanted) {
  const std::size_t stride = Splitters::sample_stride(records.bytes().size(), wanted);
  return sample_records(records.order().layout(), records.bytes(), 0, stride);
}

}  // namespace

Splitters::Splitters(std::vector<std::uint64_t> sample, std::size_t wanted) {
  keys_.fill(0);
  std::sort(sample.begin(), sample.end());
  wanted = std::min(wanted, kMaxSplitters);
  for (std::size_t i = 0; i < wanted && !sample.empty(); ++i) {
    const std::uint64_t key = sample[(i + 1) * sample.size() / (wanted + 1)];
    if (count_ == 0 || keys_[count_ - 1] != key) keys_[count_++] = key;
  }
  fill_cells();
}

// Keys beyond the last splitter share the last cell with it.
void Splitters::fill_cells() {
  first_of_cell_.fill(static_cast<std::uint8_t>(count_));
  first_of_cell_[0] = 0;
  if (count_ == 0) return;
  least_ = keys_[0];
  const std::uint64_t range = keys_[count_ - 1] - least_;
  const auto range_bits = static_cast<unsigned>(std::bit_width(range));
  const auto cell_bits = static_cast<unsigned>(std::bit_width(kCells - 1));
  cell_shift_ = range_bits > cell_bits ? range_bits - cell_bits : 0;
  std::size_t splitter = 0;
  for (std::size_t cell = 0; cell < kCells; ++cell) {
    while (splitter < count_ && (keys_[splitter] - least_) >> cell_shift_ < cell) ++splitter;
    first_of_cell_[cell] = static_cast<std::uint8_t>(splitter);
  }
}

std::vector<std::size_t> turn_counts_into_positions(std::vector<std::vector<std::size_t>>& counts) {
  std::vector<std::size_t> begins;
  std::size_t next = 0;
  for (std::size_t bucket = 0; bucket < counts[0].size(); ++bucket) {
    begins.push_back(next);
    for (std::vector<std::size_t>& range : counts) next += std::exchange(range[bucket], next);
  }
  begins.push_back(next);
  return begins;
}

std::vector<Record> sample_records(const Layout& layout, std::span<const std::byte> bytes, std::size_t first,
                                   std::size_t stride) {
  std::vector<Record> sample;
  std::size_t offset = 0;
  for (std::size_t at = first; at < bytes.size(); at += stride) {
    if (at <= offset && offset > 0) continue;  // a long record reaches beyond it
    offset = boundary_at_or_after(layout, bytes, at);
    if (offset == bytes.size()) break;
    const std::byte* const record = bytes.data() + offset;
    sample.push_back({record, static_cast<std::size_t>(stored_length(layout, record, bytes.data() + bytes.size()))});
  }
  return sample;
}

std::size_t wanted_splitters(std::uint64_t entry_count) {
  return static_cast<std::size_t>(std::min<std::uint64_t>(Splitters::kMaxSplitters, entry_count / kBucketEntries));
}

KeySample sample_keys(const ChunkRecords& records, std::uint64_t expected_records) {
  const RecordOrder& order = records.order();
  const std::size_t wanted = wanted_splitters(expected_records);
  const std::vector<Record> sample = sample_chunk(records, wanted);
  std::vector<std::uint64_t> in_common(shared_words(order, sample));
  for (std::size_t i = 0; i < in_common.size(); ++i) in_common[i] = word_of(order, sample[0], i);
  const std::size_t first_word = in_common.size();
  return {std::move(in_common), splitters_by_word(order, sample, first_word, wanted)};  // made in place: it has 10 KB
}

Splitters sample_first_words(const ChunkRecords& records, std::uint64_t expected_records) {
  const std::size_t wanted = wanted_splitters(expected_records);
  return splitters_by_word(records.order(), sample_chunk(records, wanted), 0, wanted);
}

}  // namespace sortie
