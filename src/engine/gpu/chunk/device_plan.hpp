// How the device memory of one engine is divided, for forming runs and for merging windows. Pure: numbers
// in, numbers out; the arena is carved by the same sizes (device_space.hpp).
//
//   arena   | slot 0 | slot 1 | pairs or numbers, twice | scratch | part | part |
//   slot    | records | lines: offsets | order | lines: output offsets, cuts |
#pragma once

#include <cstdint>

#include <sortie/format.hpp>
#include <sortie/options.hpp>

#include "kernels/refine.hpp"

namespace sortie::gpu {

/// What the plans must know of a format.
struct RecordTraits {
  RecordKind kind = RecordKind::kFixed;
  std::uint64_t record_bytes = 0;  ///< 0: lines
  bool key_exceeds_prefix = false;
  Algorithm algorithm = Algorithm::kAuto;  ///< sorts the chunks

  bool lines() const { return kind == RecordKind::kLines; }
  bool numbers() const { return kind == RecordKind::kArray; }
};

/// Throws Error as validate() does.
RecordTraits traits_of(const Format& format, Algorithm algorithm = Algorithm::kAuto);

/// Capacities that the arena must hold at once.
struct DeviceSizes {
  unsigned run_slots = 1;
  std::uint64_t slot_bytes = 0;      ///< bytes of records in a slot
  std::uint64_t slot_records = 0;    ///< below 2^32 unless the records are bare numbers
  std::uint64_t chunk_records = 0;   ///< most that are sorted at once; 0: nothing is sorted, only merged
  std::uint32_t sequence_count = 0;  ///< most that are merged at once
  std::uint64_t part_bytes = 0;      ///< size of each of the two buffers that output is gathered into

  friend bool operator==(const DeviceSizes&, const DeviceSizes&) = default;
};

/// Most records that 32-bit indices can number.
inline constexpr std::uint64_t kMaxIndexedRecords = 0xffffffff;

/// Most lines in a slot: a chunk with the piece that ends it, three eighths of a slot, must be refined at once.
inline constexpr std::uint64_t kMaxSlotLines = kernels::kMaxRefinedLines / 3 * 8 - 64;

/// Distance of the output positions at which the end of a part is sought (lines). Less than a part, so that
/// the line across the position mostly fits in as well.
constexpr std::uint64_t cut_stride_bytes(std::uint64_t part_bytes) { return part_bytes - part_bytes / 8; }

/// Cuts of `byte_count` bytes of output, begin and end included.
constexpr std::uint64_t cut_count(std::uint64_t byte_count, std::uint64_t part_bytes) {
  const std::uint64_t stride = cut_stride_bytes(part_bytes);
  return (byte_count + stride - 1) / stride + 1;
}

/// Scratch bytes of the kernels that work on these sizes; they take turns.
std::uint64_t scratch_bytes(const RecordTraits& traits, const DeviceSizes& sizes);

/// Arena bytes that carving these sizes takes.
std::uint64_t device_bytes(const RecordTraits& traits, const DeviceSizes& sizes);

/// Chunks begin at multiples of this many records, as the sorts need their arrays aligned to 16 bytes.
inline constexpr std::uint64_t kChunkAlignment = 4;

/// A chunk ends when it holds a quarter of a slot, in bytes or in records.
struct FormationPlan {
  DeviceSizes sizes;
  std::uint64_t chunk_bytes = 0;
  std::uint64_t chunk_records = 0;
  std::uint64_t max_chunk_records = 0;
  std::uint64_t piece_records = 0;  ///< most that one piece may always add

  friend bool operator==(const FormationPlan&, const FormationPlan&) = default;
};

struct FormationRequest {
  std::uint64_t budget_bytes = 0;
  std::uint64_t part_bytes = 0;
  std::uint64_t expected_bytes = 0;  ///< size of the input; 0 if unknown
  std::uint64_t line_bytes = 0;      ///< lines: what one takes on average, delimiter included
  std::uint64_t min_slot_bytes = 0;  ///< lines: least size of a slot, and its room beside what is expected
};

/// Plans one slot if all the expected input fits it, with room to ask for more and find that there is none; else two,
/// so that one run leaves while the next arrives. Throws DeviceFullError when the budget holds no useful slot.
FormationPlan plan_formation(const RecordTraits& traits, const FormationRequest& request);

/// Whether plan_formation() plans one slot. If so, it does with any larger budget, too.
bool holds_one_run(const RecordTraits& traits, const FormationRequest& request);

/// Upper bound on the length that lines are planned with, which is about the average of the first piece; nearer bounds
/// would starve either bytes or records.
inline constexpr std::uint64_t kMaxPlannedLineBytes = 512;

/// The line length to plan with after a first piece of `byte_count` bytes and `record_count` lines.
std::uint64_t planned_line_bytes(std::uint64_t byte_count, std::uint64_t record_count);

/// Sizes for merging `sequence_count` sorted ranges of `byte_count` bytes and `record_count` records in all.
DeviceSizes merge_sizes(std::uint64_t byte_count, std::uint64_t record_count, std::uint32_t sequence_count,
                        std::uint64_t part_bytes);

/// The largest window that can be merged in `budget_bytes`, as far as that is known beforehand: lines may be shorter
/// than is supposed here. 0 if no window fits.
std::uint64_t largest_window_bytes(const RecordTraits& traits, std::uint64_t budget_bytes, std::uint64_t part_bytes);

}  // namespace sortie::gpu
