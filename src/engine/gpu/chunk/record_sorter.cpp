#include "engine/gpu/chunk/record_sorter.hpp"

#include <algorithm>

#include "device/copy.hpp"
#include "engine/gpu/chunk/device_chunk_sort.hpp"
#include "kernels/merge.hpp"
#include "kernels/records.hpp"
#include "kernels/refine.hpp"
#include "record/key_plan.hpp"

namespace sortie::gpu {
namespace {

/// H200, random numbers, bitonic and radix sort: 2^18 u32 42 and 56 µs, u64 55 and 97; 2^20 u32 104 and 65, u64 153
/// and 134.
constexpr std::uint64_t kBitonicMaxNumbers = 1 << 18;

/// H200, random u64 + u32 pairs: bitonic 83 µs and radix 104 µs for 2^18, 270 and 159 for 2^20.
constexpr std::uint64_t kBitonicMaxPairs = 1 << 18;

kernels::PrefixPairs pairs_from(const kernels::PrefixPairs& pairs, std::uint64_t first) {
  return {pairs.prefixes + first, pairs.indices + first};
}

/// The bits of the prefix in which the plan's keys can differ.
kernels::BitRange prefix_bits(const KeyPlan& plan) {
  const unsigned unused_bytes = plan.whole_line || plan.key_bytes >= 8 ? 0 : 8 - plan.key_bytes;
  return {8 * unused_bytes, 64};
}

}  // namespace

std::unique_ptr<RecordSorter> make_record_sorter(const Format& format, const RecordTraits& traits,
                                                 Algorithm algorithm) {
  if (traits.numbers()) return std::make_unique<NumberSorter>(format, algorithm);
  return std::make_unique<PairSorter>(format, algorithm);
}

NumberSorter::NumberSorter(const Format& format, Algorithm algorithm) : algorithm_(algorithm) {
  const KeyPart part = make_key_plan(format).parts[0];
  order_ = {part.kind, part.bytes, part.descending};
}

void NumberSorter::prepare(const DeviceSpace&, const RunSlot& slot, const Extent& extent, const CudaStream& stream) {
  kernels::encode_numbers(order_, slot.records + extent.first_byte, extent.record_count, stream.handle());
}

void NumberSorter::sort(const DeviceSpace& space, const RunSlot& slot, std::uint64_t first_record,
                        std::uint64_t record_count, const CudaStream& stream) {
  std::byte* numbers = slot.records + first_record * order_.bytes;
  std::byte* alternate = space.alternate_numbers + first_record * order_.bytes;
  const Algorithm algorithm = chosen_algorithm(algorithm_, record_count, kBitonicMaxNumbers);
  const auto sort_as = [&]<class Number>(Number*) {
    sort_chunk(algorithm, reinterpret_cast<Number*>(numbers), reinterpret_cast<Number*>(alternate), record_count,
               space.scratch, stream);
  };
  if (order_.bytes == 4) {
    sort_as(static_cast<std::uint32_t*>(nullptr));
  } else {
    sort_as(static_cast<std::uint64_t*>(nullptr));
  }
}

SortedSlot NumberSorter::merge(const DeviceSpace& space, const RunSlot& slot, std::span<const std::uint64_t> bounds,
                               std::uint64_t byte_count, const CudaStream& stream) {
  copy_to_device(space.sequence_offsets, bounds.data(), bounds.size_bytes(), stream);
  const kernels::SortedSequences sequences{space.sequence_offsets, static_cast<std::uint32_t>(bounds.size() - 1),
                                           bounds.back()};
  const auto merge_as = [&]<class Number>(Number*) {
    return kernels::merge_sequences(reinterpret_cast<Number*>(slot.records),
                                    reinterpret_cast<Number*>(space.alternate_numbers), sequences, space.scratch,
                                    stream.handle());
  };
  const kernels::MergeResult result = order_.bytes == 4 ? merge_as(static_cast<std::uint32_t*>(nullptr))
                                                        : merge_as(static_cast<std::uint64_t*>(nullptr));
  RunSlot sorted = slot;
  if (result == kernels::MergeResult::kAlternate) {
    // With several slots the alternate array belongs to whichever is being sorted.
    if (space.sizes.run_slots > 1) {
      copy_on_device(slot.records, space.alternate_numbers, byte_count, stream);
    } else {
      sorted.records = space.alternate_numbers;
    }
  }
  kernels::decode_numbers(order_, sorted.records, bounds.back(), stream.handle());
  return {sorted, nullptr, bounds.back(), byte_count, space.sizes.part_bytes};
}

std::vector<OutputPart> NumberSorter::parts(const SortedSlot& sorted, const CudaStream&) {
  return fixed_parts(sorted.byte_count, order_.bytes, sorted.part_bytes);
}

const std::byte* NumberSorter::gather(const SortedSlot& sorted, const OutputPart& range, std::byte*,
                                      const CudaStream&) {
  return sorted.slot.records + range.begin;
}

PairSorter::PairSorter(const Format& format, Algorithm algorithm)
    : plan_(make_key_plan(format)),
      record_bytes_(format.kind == RecordKind::kLines ? 0 : format.record_bytes),
      delimiter_(format.delimiter),
      algorithm_(algorithm),
      tied_count_(sizeof(std::uint64_t), 1) {}

kernels::RecordKeys PairSorter::keys(const RunSlot& slot) const {
  return {plan_, slot.records, record_bytes_, slot.line_offsets};
}

void PairSorter::prepare(const DeviceSpace& space, const RunSlot& slot, const Extent& extent,
                         const CudaStream& stream) {
  if (lines()) {
    kernels::scan_lines(slot.records + extent.first_byte, extent.byte_count, delimiter_, extent.first_byte,
                        slot.line_offsets + extent.first_record, space.scratch, stream.handle());
  }
  kernels::extract_prefixes(keys(slot), extent.first_record, extent.record_count,
                            pairs_from(space.primary, extent.first_record), stream.handle());
}

void PairSorter::sort(const DeviceSpace& space, const RunSlot& slot, std::uint64_t first_record,
                      std::uint64_t record_count, const CudaStream& stream) {
  const kernels::PrefixPairs pairs = pairs_from(space.primary, first_record);
  const kernels::PrefixPairs alternate = pairs_from(space.alternate, first_record);
  const kernels::RecordKeys record_keys = keys(slot);
  const Algorithm algorithm = chosen_algorithm(algorithm_, record_count, kBitonicMaxPairs);
  sort_chunk(algorithm, pairs, alternate, record_count, prefix_bits(plan_), record_keys, space.scratch, stream);
  if (record_keys.exceed_prefix() && !sorts_whole_keys(algorithm)) {
    kernels::refine(record_keys, pairs, alternate, record_count, space.scratch,
                    reinterpret_cast<std::uint64_t*>(tied_count_.data()), stream.handle());
  }
}

SortedSlot PairSorter::merge(const DeviceSpace& space, const RunSlot& slot, std::span<const std::uint64_t> bounds,
                             std::uint64_t byte_count, const CudaStream& stream) {
  const std::uint64_t count = bounds.back();
  copy_to_device(space.sequence_offsets, bounds.data(), bounds.size_bytes(), stream);
  const kernels::SortedSequences sequences{space.sequence_offsets, static_cast<std::uint32_t>(bounds.size() - 1),
                                           count};
  const kernels::RecordKeys record_keys = keys(slot);
  const kernels::RecordKeys* tie_break = record_keys.exceed_prefix() ? &record_keys : nullptr;
  const kernels::MergeResult result =
      kernels::merge_sequences(space.primary, space.alternate, sequences, tie_break, space.scratch, stream.handle());
  const std::uint32_t* order =
      result == kernels::MergeResult::kPrimary ? space.primary.indices : space.alternate.indices;
  if (slot.order != nullptr) {
    copy_on_device(slot.order, order, count * sizeof *order, stream);
    order = slot.order;
  }
  const std::uint64_t part_bytes = space.sizes.part_bytes;
  if (lines()) {
    kernels::gather_offsets(slot.line_offsets, order, count, slot.output_offsets, space.scratch, stream.handle());
    kernels::find_line_cuts(slot.output_offsets, count, cut_stride_bytes(part_bytes), cut_count(byte_count, part_bytes),
                            slot.cuts, stream.handle());
  }
  return {slot, order, count, byte_count, part_bytes};
}

std::vector<OutputPart> PairSorter::parts(const SortedSlot& sorted, const CudaStream& stream) {
  if (!lines()) return fixed_parts(sorted.byte_count, record_bytes_, sorted.part_bytes);
  std::vector<kernels::LineCut> cuts(cut_count(sorted.byte_count, sorted.part_bytes));
  copy_to_host(cuts.data(), sorted.slot.cuts, cuts.size() * sizeof(kernels::LineCut), stream);
  stream.synchronize();
  return line_parts(cuts, sorted.part_bytes);
}

const std::byte* PairSorter::gather(const SortedSlot& sorted, const OutputPart& range, std::byte* target,
                                    const CudaStream& stream) {
  if (lines()) {
    kernels::gather_lines(sorted.slot.records, sorted.slot.line_offsets, sorted.order, sorted.record_count,
                          sorted.slot.output_offsets, range.begin, range.end, target, stream.handle());
  } else {
    kernels::gather_fixed(sorted.slot.records, record_bytes_, sorted.order + range.begin / record_bytes_,
                          range.bytes() / record_bytes_, target, stream.handle());
  }
  return target;
}

}  // namespace sortie::gpu
