#include "pipeline/shard/shard_samples.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
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

class Sampler {
 public:
  Sampler(const ResolvedOptions& resolved, const RecordOrder& order)
      : resolved_(resolved), order_(order), divides_(divides_equal_keys(resolved)) {}

  ShardSample sample(const Run& run, std::size_t block) const {
    Key key = key_of(run, block);
    if (!divides_) shorten(key.bytes);
    ShardSample sample;
    sample.block = block;
    sample.key = sortable_key(order_.plan(), key.bytes);
    sample.record = order_.layout().delimited() ? line(order_, key.bytes) : fixed_record(order_, std::move(key.bytes));
    sample.is_whole = divides_ && !key.is_cut;
    return sample;
  }

 private:
  struct Key {
    std::vector<std::byte> bytes;
    bool is_cut = false;
  };

  Key key_of(const Run& run, std::size_t block) const {
    const BlockInfo& info = run.blocks[block];
    if (!info.key_is_cut) return {info.first_key, false};
    const BlockRecords records(run, block);
    const Record first = first_record(order_.layout(), records.bytes());
    return {order_.normalised_key(first, kMostKeyBytes), order_.key_bytes(first) > kMostKeyBytes};
  }

  // Leaves of a decorated line what all lines that must stay together begin with.
  void shorten(std::vector<std::byte>& key) const {
    if (!resolved_.decorator) return;
    const std::string text = line(order_, key);
    key.resize(std::min(key.size(), resolved_.decorator->bytes_alike(std::as_bytes(std::span(text)))));
  }

  const ResolvedOptions& resolved_;
  const RecordOrder& order_;
  bool divides_;
};

}  // namespace

bool divides_equal_keys(const ResolvedOptions& resolved) {
  const bool collates = resolved.decorator && resolved.decorator->collates();
  return !resolved.options.unique && !resolved.options.count && !collates;
}

std::vector<ShardSample> sample_runs(const ResolvedOptions& resolved, const RecordOrder& order,
                                     std::span<const Run> runs, std::uint64_t most, std::uint64_t place) {
  std::uint64_t blocks = 0;
  for (const Run& run : runs) blocks += run.blocks.size();
  const std::uint64_t step = std::max<std::uint64_t>(divide_up(blocks, std::max<std::uint64_t>(most, 1)), 1);
  const Sampler sampler(resolved, order);
  std::vector<ShardSample> samples;
  std::uint64_t number = hash_record(std::as_bytes(std::span(&place, 1))).low % step;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    std::uint64_t output_bytes = 0;
    for (std::size_t b = 0; b < runs[r].blocks.size(); ++b) {
      if (number++ % step == 0) {
        ShardSample& sample = samples.emplace_back(sampler.sample(runs[r], b));
        sample.run = r;
        sample.output_bytes = output_bytes;
      }
      output_bytes += runs[r].blocks[b].output_bytes;
    }
  }
  return samples;
}

}  // namespace sortie
