#include "entries/key_sample.hpp"

#include <algorithm>
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
  const Splitters splitters = splitters_by_word(order, sample, in_common.size(), wanted);
  return {std::move(in_common), splitters};
}

Splitters sample_first_words(const ChunkRecords& records, std::uint64_t expected_records) {
  const std::size_t wanted = wanted_splitters(expected_records);
  return splitters_by_word(records.order(), sample_chunk(records, wanted), 0, wanted);
}

}  // namespace sortie
