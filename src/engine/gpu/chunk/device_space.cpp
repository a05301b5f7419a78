#include "engine/gpu/chunk/device_space.hpp"

namespace sortie::gpu {
namespace {

RunSlot carve_slot(Arena& arena, const RecordTraits& traits, const DeviceSizes& sizes) {
  RunSlot slot;
  slot.records = arena.carve(sizes.slot_bytes);
  if (traits.numbers()) return slot;
  if (sizes.run_slots > 1) slot.order = arena.carve_array<std::uint32_t>(sizes.slot_records);
  if (traits.lines()) {
    slot.line_offsets = arena.carve_array<std::uint64_t>(sizes.slot_records + 1);
    slot.output_offsets = arena.carve_array<std::uint64_t>(sizes.slot_records + 1);
    slot.cuts = arena.carve_array<kernels::LineCut>(cut_count(sizes.slot_bytes, sizes.part_bytes));
  }
  return slot;
}

kernels::PrefixPairs carve_pairs(Arena& arena, std::uint64_t count) {
  return {arena.carve_array<std::uint64_t>(count), arena.carve_array<std::uint32_t>(count)};
}

}  // namespace

DeviceSpace carve_space(Arena& arena, const RecordTraits& traits, const DeviceSizes& sizes) {
  DeviceSpace space;
  space.sizes = sizes;
  for (unsigned i = 0; i < sizes.run_slots; ++i) space.slots.push_back(carve_slot(arena, traits, sizes));
  space.sequence_offsets = arena.carve_array<std::uint64_t>(sizes.sequence_count + 1);
  space.scratch = arena.carve(scratch_bytes(traits, sizes));
  if (traits.numbers()) {
    space.alternate_numbers = arena.carve(sizes.slot_bytes);
    return space;
  }
  space.primary = carve_pairs(arena, sizes.slot_records);
  space.alternate = carve_pairs(arena, sizes.slot_records);
  for (std::byte*& part : space.parts) part = arena.carve(sizes.part_bytes);
  return space;
}

}  // namespace sortie::gpu
