#include "pipeline/shard/shard_samples.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/checksum.hpp"
#include "base/size.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

/// Longer keys are cut short.
constexpr std::size_t kMostKeyBytes = 4096;

/// Blocks are short if so many of them or more lie between two samples.
constexpr std::uint64_t kLeastShortBlocks = 16;

constexpr std::string_view kHexDigitsOfBytes = "0123456789abcdef";

/// Hexadecimal digits order as the bytes do. Where lines are descending, a longer one comes before the one that it
/// begins with: a letter behind all digits ends each.
std::string sortable_key(const KeyPlan& plan, std::span<const std::byte> key) {
  std::string text;
  for (const std::byte byte : key) {
    text += kHexDigitsOfBytes[std::to_integer<std::size_t>(byte >> 4)];
    text += kHexDigitsOfBytes[std::to_integer<std::size_t>(byte & std::byte{0xF})];
  }
  if (plan.descending_line) text += 'g';
  return text;
}

/// A record of fixed length with this normalised key, the rest zero. A key that is cut short counts as followed by the
/// least bytes.
std::string fixed_record(const RecordOrder& order, std::vector<std::byte> key) {
  const KeyPlan& plan = order.plan();
  key.resize(plan.key_bytes);
  std::string record(order.layout().record_bytes, '\0');
  auto* const bytes = reinterpret_cast<std::byte*>(record.data());
  for (std::uint32_t i = 0; i < plan.part_count; ++i) {
    const KeyPart& part = plan.parts[i];
    std::byte* const target = bytes + part.source_offset;
    const std::byte* const source = key.data() + part.key_offset;
    const std::byte flip = part.descending ? std::byte{0xFF} : std::byte{0};
    std::transform(source, source + part.bytes, target, [flip](std::byte byte) { return byte ^ flip; });
    if (part.kind == FieldKind::kBytes) continue;
    const unsigned unused_bits = 64 - 8 * part.bytes;
    const std::uint64_t code = load_big_padded(target, part.bytes) >> unused_bits;
    const std::uint64_t number = decode_number(part.kind, code, part.bytes);
    const std::uint64_t stored = part.byte_order == ByteOrder::kLittle ? number : byte_swap(number) >> unused_bits;
    std::memcpy(target, &stored, part.bytes);
  }
  return record;
}

/// A line with this normalised key.
std::string line(const RecordOrder& order, std::span<const std::byte> key) {
  const std::byte flip = order.plan().descending_line ? std::byte{0xFF} : std::byte{0};
  std::string text;
  for (const std::byte byte : key) text += static_cast<char>(byte ^ flip);
  return text + order.layout().delimiter;
}

/// Where the record begins that holds byte `at`. Precondition: whole records, `at` is in one of them; plain framing.
std::size_t begin_of_record(const Layout& layout, std::span<const std::byte> records, std::size_t at) {
  if (!layout.delimited()) return at / layout.record_bytes * layout.record_bytes;
  const void* const end = ::memrchr(records.data(), static_cast<unsigned char>(layout.delimiter), at);
  return end == nullptr ? 0 : static_cast<std::size_t>(static_cast<const std::byte*>(end) - records.data()) + 1;
}

/// Makes samples of one run, at positions that come in ascending order.
class Sampler {
 public:
  Sampler(const SortSpec& spec, const RecordOrder& order, const Run& run)
      : spec_(spec), order_(order), run_(run), divides_(divides_equal_keys(spec)) {}

  /// The first record of the block.
  ShardSample first_of(std::size_t block) {
    const BlockInfo& info = run_.blocks[block];
    if (!info.key_is_cut) return sample_of(block, 0, info.first_key, false);
    return record_at(block, 0);
  }

  /// The record of the block that holds byte `at` of its decoded ones.
  ShardSample record_at(std::size_t block, std::size_t at) {
    const std::span<const std::byte> records = read(block);
    const std::size_t begin = begin_of_record(order_.layout(), records, at);
    const Record record = first_record(order_.layout(), records.subspan(begin));
    ShardSample sample =
        sample_of(block, begin, order_.normalised_key(record, kMostKeyBytes), order_.key_bytes(record) > kMostKeyBytes);
    sample.output_bytes = spec_.group_text ? begin : spec_.codec->original_bytes_of_all(records.first(begin));
    return sample;
  }

 private:
  std::span<const std::byte> read(std::size_t block) {
    if (!records_ || block_ != block) {
      records_.reset();
      records_.emplace(run_, block);
      block_ = block;
    }
    return records_->bytes();
  }

  ShardSample sample_of(std::size_t block, std::size_t block_bytes, std::vector<std::byte> key, bool key_is_cut) const {
    if (!divides_) shorten(key);
    ShardSample sample;
    sample.block = block;
    sample.block_bytes = block_bytes;
    sample.key = sortable_key(order_.plan(), key);
    sample.record = order_.layout().delimited() ? line(order_, key) : fixed_record(order_, std::move(key));
    sample.is_whole = divides_ && !key_is_cut;
    return sample;
  }

  // Leaves of an encoded line what all lines that must stay together begin with.
  void shorten(std::vector<std::byte>& key) const {
    if (!spec_.codec->makes_keys()) return;
    const std::string text = line(order_, key);
    key.resize(std::min(key.size(), spec_.codec->bytes_alike(std::as_bytes(std::span(text)))));
  }

  const SortSpec& spec_;
  const RecordOrder& order_;
  const Run& run_;
  bool divides_;
  std::size_t block_ = 0;
  std::optional<BlockRecords> records_;
};

std::uint64_t bytes_of(const SortSpec& spec, const Run& run) {
  std::uint64_t bytes = 0;
  for (const BlockInfo& block : run.blocks) bytes += sampled_bytes(spec, block);
  return bytes;
}

/// Where the next sample is to be, and how far they lie apart, in the bytes of all runs.
struct Positions {
  std::uint64_t next = 0;
  std::uint64_t step = 1;
};

/// Samples of a block, which has `bytes` that samples are spread over, from `begin` on.
void sample_block(Sampler& sampler, const BlockInfo& info, std::size_t block, std::uint64_t begin, std::uint64_t bytes,
                  Positions& positions, std::vector<ShardSample>& samples) {
  const std::uint64_t end = begin + bytes;
  const bool is_short = bytes <= positions.step / kLeastShortBlocks;
  std::uint64_t last = 0;
  for (bool is_first = true; positions.next < end; positions.next += positions.step, is_first = false) {
    // Keys in front of records lengthen all of them more or less alike.
    const double share = static_cast<double>(positions.next - begin) / static_cast<double>(bytes);
    const auto at = static_cast<std::uint64_t>(share * static_cast<double>(info.record_bytes));
    ShardSample sample = is_short
                             ? sampler.first_of(block)
                             : sampler.record_at(block, static_cast<std::size_t>(std::min(at, info.record_bytes - 1)));
    if (!is_first && sample.block_bytes == last) continue;
    last = sample.block_bytes;
    sample.output_bytes += begin;
    samples.push_back(std::move(sample));
  }
}

}  // namespace

bool divides_equal_keys(const SortSpec& spec) {
  const bool is_side_of_join = spec.form == RecordForm::kKeyed;
  return !spec.options.unique && !spec.options.count && !is_side_of_join && !spec.codec->collates();
}

std::uint64_t sampled_bytes(const SortSpec& spec, const BlockInfo& block) {
  return spec.group_text ? block.record_bytes : block.output_bytes;
}

std::vector<ShardSample> sample_runs(const SortSpec& spec, const RecordOrder& order, std::span<const Run> runs,
                                     std::uint64_t most, std::uint64_t position) {
  std::uint64_t bytes = 0;
  for (const Run& run : runs) bytes += bytes_of(spec, run);
  Positions positions;
  positions.step = std::max<std::uint64_t>(divide_up(bytes, std::max<std::uint64_t>(most, 1)), 1);
  positions.next = hash_record(std::as_bytes(std::span(&position, 1))).low % positions.step;
  std::vector<ShardSample> samples;
  std::uint64_t begin = 0;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    Sampler sampler(spec, order, runs[r]);
    const std::uint64_t begin_of_run = begin;
    for (std::size_t b = 0; b < runs[r].blocks.size(); ++b) {
      const std::size_t known = samples.size();
      const std::uint64_t bytes_of_block = sampled_bytes(spec, runs[r].blocks[b]);
      sample_block(sampler, runs[r].blocks[b], b, begin, bytes_of_block, positions, samples);
      for (ShardSample& sample : std::span(samples).subspan(known)) {
        sample.run = r;
        sample.output_bytes -= begin_of_run;
      }
      begin += bytes_of_block;
    }
  }
  return samples;
}

std::optional<ShardFirst> first_of_runs(const SortSpec& spec, std::span<const Run> runs) {
  const RecordOrder& order = spec.codec->order();
  std::vector<std::byte> first;
  for (const Run& run : runs) {
    if (run.blocks.empty()) continue;
    const BlockRecords records(run, 0);
    const Record record = first_record(order.layout(), records.bytes());
    if (first.empty() || order.compare(record, first) < 0) first.assign(record.begin(), record.end());
  }
  if (first.empty()) return std::nullopt;
  std::vector<std::byte> scratch;
  const Record record = spec.codec->original(first, scratch);
  return ShardFirst{sortable_key(order.plan(), spec.codec->keys(first)), std::string(as_text(record))};
}

}  // namespace sortie
