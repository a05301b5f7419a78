#include "engine/gpu/chunk/device_plan.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "base/device_error.hpp"
#include "base/size.hpp"
#include "device/device_memory.hpp"
#include "engine/gpu/chunk/device_chunk_sort.hpp"
#include "kernels/merge.hpp"
#include "kernels/records.hpp"
#include "kernels/refine.hpp"
#include "record/key_plan.hpp"

namespace sortie::gpu {
namespace {

constexpr std::uint64_t kChunksPerSlot = 4;

/// Windows are planned for this many sequences, and for lines of this length.
constexpr std::uint32_t kUsualSequences = 1024;
constexpr std::uint64_t kUsualLineBytes = 32;

/// Upper bound on the chunks of a run: a chunk ends by bytes, by records (one more chunk, since up to kChunkAlignment -
/// 1 records are left to the next) or with its run.
constexpr std::uint32_t kMaxChunks = 2 * kChunksPerSlot + 2;

/// The greatest value in [low, high] for which fits() holds, given that it holds up to some value; 0 if
/// it does not hold at `low`.
template <class Predicate>
std::uint64_t greatest_fitting(std::uint64_t low, std::uint64_t high, Predicate fits) {
  if (low > high || !fits(low)) return 0;
  while (low < high) {
    const std::uint64_t middle = low + (high - low + 1) / 2;
    if (fits(middle)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

FormationPlan make_plan(unsigned run_slots, std::uint64_t slot_bytes, std::uint64_t slot_records,
                        std::uint64_t part_bytes) {
  FormationPlan plan;
  plan.chunk_bytes = divide_up(slot_bytes, kChunksPerSlot);
  plan.chunk_records = divide_up(slot_records, kChunksPerSlot);
  plan.piece_records = divide_up(slot_records, 2 * kChunksPerSlot);
  plan.sizes.run_slots = run_slots;
  plan.sizes.slot_bytes = slot_bytes;
  plan.sizes.slot_records = slot_records;
  // A chunk that has not ended yet takes one piece more.
  plan.max_chunk_records = plan.chunk_records + plan.piece_records + kChunkAlignment - 1;
  plan.sizes.chunk_records = std::min(slot_records, plan.max_chunk_records);
  plan.sizes.sequence_count = kMaxChunks;
  plan.sizes.part_bytes = part_bytes;
  return plan;
}

bool fits(const RecordTraits& traits, const FormationPlan& plan, const FormationRequest& request) {
  return device_bytes(traits, plan.sizes) <= request.budget_bytes;
}

/// Plans for records of fixed length.
class FixedPlanner {
 public:
  FixedPlanner(const RecordTraits& traits, const FormationRequest& request)
      : traits_(traits),
        request_(request),
        most_(std::min(request.budget_bytes / traits.record_bytes,
                       traits.numbers() ? ~std::uint64_t{0} : kMaxIndexedRecords)) {}

  std::optional<FormationPlan> one_slot() const {
    const std::uint64_t records = divide_up(request_.expected_bytes, traits_.record_bytes) + 1;
    if (request_.expected_bytes == 0 || records > most_) return std::nullopt;
    const FormationPlan plan = plan_for(1, records);
    return fits(traits_, plan, request_) ? std::optional(plan) : std::nullopt;
  }

  FormationPlan two_slots() const {
    return plan_for(2, greatest_fitting(1, most_, [&](std::uint64_t records) {
                      return fits(traits_, plan_for(2, records), request_);
                    }));
  }

 private:
  FormationPlan plan_for(unsigned run_slots, std::uint64_t records) const {
    return make_plan(run_slots, records * traits_.record_bytes, records, request_.part_bytes);
  }

  const RecordTraits& traits_;
  const FormationRequest& request_;
  std::uint64_t most_;
};

/// The same for lines.
class LinePlanner {
 public:
  LinePlanner(const RecordTraits& traits, const FormationRequest& request) : traits_(traits), request_(request) {}

  /// The budget that the bytes leave is room for lines that are shorter than planned.
  std::optional<FormationPlan> one_slot() const {
    const std::uint64_t bytes = request_.expected_bytes + request_.min_slot_bytes;
    if (request_.expected_bytes == 0 || bytes > request_.line_bytes * kMaxSlotLines) return std::nullopt;
    const std::uint64_t fewest = records_in(bytes);
    const std::uint64_t most = std::max(fewest, std::min(bytes, kMaxSlotLines));
    const std::uint64_t records = greatest_fitting(
        fewest, most, [&](std::uint64_t count) { return fits(traits_, plan_for(1, bytes, count), request_); });
    return records > 0 ? std::optional(plan_for(1, bytes, records)) : std::nullopt;
  }

  FormationPlan two_slots() const {
    const std::uint64_t low = std::max<std::uint64_t>(request_.min_slot_bytes, 1);
    const std::uint64_t bytes = greatest_fitting(low, request_.budget_bytes, [&](std::uint64_t count) {
      return fits(traits_, plan_for(2, count, records_in(count)), request_);
    });
    return plan_for(2, bytes, bytes == 0 ? 0 : records_in(bytes));
  }

 private:
  FormationPlan plan_for(unsigned run_slots, std::uint64_t bytes, std::uint64_t records) const {
    return make_plan(run_slots, bytes, records, request_.part_bytes);
  }
  std::uint64_t records_in(std::uint64_t bytes) const {
    return std::min(bytes / request_.line_bytes + 1, kMaxSlotLines);
  }

  const RecordTraits& traits_;
  const FormationRequest& request_;
};

std::optional<FormationPlan> plan_one_slot(const RecordTraits& traits, const FormationRequest& request) {
  return traits.lines() ? LinePlanner(traits, request).one_slot() : FixedPlanner(traits, request).one_slot();
}

FormationPlan plan_two_slots(const RecordTraits& traits, const FormationRequest& request) {
  return traits.lines() ? LinePlanner(traits, request).two_slots() : FixedPlanner(traits, request).two_slots();
}

std::uint64_t slot_overhead_bytes(const RecordTraits& traits, const DeviceSizes& sizes) {
  std::uint64_t bytes = sizes.run_slots > 1 ? arena_bytes(sizes.slot_records * sizeof(std::uint32_t)) : 0;
  if (traits.lines()) {
    bytes += 2 * arena_bytes((sizes.slot_records + 1) * sizeof(std::uint64_t));
    bytes += arena_bytes(cut_count(sizes.slot_bytes, sizes.part_bytes) * sizeof(kernels::LineCut));
  }
  return bytes;
}

/// Whether the kernels for arrays know this kind of number; other numbers sort as records of one field.
bool is_native_number(const KeyPart& part) {
  return part.kind != FieldKind::kBytes && part.byte_order == ByteOrder::kLittle &&
         (part.bytes == 4 || part.bytes == 8);
}

}  // namespace

RecordTraits traits_of(const Format& format, Algorithm algorithm) {
  const KeyPlan plan = make_key_plan(format);
  RecordTraits traits;
  traits.kind =
      format.kind == RecordKind::kArray && !is_native_number(plan.parts[0]) ? RecordKind::kFixed : format.kind;
  traits.record_bytes = format.kind == RecordKind::kLines ? 0 : format.record_bytes;
  traits.key_exceeds_prefix = plan.whole_line || plan.key_bytes > 8;
  traits.algorithm = algorithm;
  return traits;
}

std::uint64_t scratch_bytes(const RecordTraits& traits, const DeviceSizes& sizes) {
  std::uint64_t bytes = kernels::merge_scratch_bytes(sizes.slot_records, sizes.sequence_count);
  if (sizes.chunk_records > 0) {
    bytes = std::max(bytes, chunk_sort_scratch_bytes(traits.algorithm, sizes.chunk_records));
    if (traits.key_exceeds_prefix) bytes = std::max(bytes, kernels::refine_scratch_bytes(sizes.chunk_records));
  }
  if (traits.lines()) {
    bytes = std::max(bytes, kernels::scan_lines_scratch_bytes(sizes.slot_bytes));
    bytes = std::max(bytes, kernels::gather_offsets_scratch_bytes(sizes.slot_records));
  }
  return bytes;
}

std::uint64_t device_bytes(const RecordTraits& traits, const DeviceSizes& sizes) {
  std::uint64_t bytes = sizes.run_slots * arena_bytes(sizes.slot_bytes);
  bytes += arena_bytes((sizes.sequence_count + 1) * sizeof(std::uint64_t));
  bytes += arena_bytes(scratch_bytes(traits, sizes));
  if (traits.numbers()) return bytes + arena_bytes(sizes.slot_bytes);
  bytes += sizes.run_slots * slot_overhead_bytes(traits, sizes);
  bytes += 2 * arena_bytes(sizes.slot_records * sizeof(std::uint64_t));
  bytes += 2 * arena_bytes(sizes.slot_records * sizeof(std::uint32_t));
  return bytes + 2 * arena_bytes(sizes.part_bytes);
}

bool holds_one_run(const RecordTraits& traits, const FormationRequest& request) {
  return plan_one_slot(traits, request).has_value();
}

FormationPlan plan_formation(const RecordTraits& traits, const FormationRequest& request) {
  if (const auto plan = plan_one_slot(traits, request)) return *plan;
  const FormationPlan plan = plan_two_slots(traits, request);
  if (plan.sizes.slot_bytes > 0) return plan;
  const std::string records = traits.lines() ? "lines" : "records of " + std::to_string(traits.record_bytes) + " bytes";
  throw DeviceFullError("device memory of " + format_size(request.budget_bytes) + " is too small to sort " + records +
                            "; free some, raise the ceiling on it, or use the CPU engine",
                        Remedy::kCpuEngine);
}

std::uint64_t planned_line_bytes(std::uint64_t byte_count, std::uint64_t record_count) {
  const std::uint64_t average = byte_count / std::max<std::uint64_t>(record_count, 1);
  return std::clamp<std::uint64_t>(average - average / 4, 1, kMaxPlannedLineBytes);
}

DeviceSizes merge_sizes(std::uint64_t byte_count, std::uint64_t record_count, std::uint32_t sequence_count,
                        std::uint64_t part_bytes) {
  DeviceSizes sizes;
  sizes.slot_bytes = byte_count;
  sizes.slot_records = record_count;
  sizes.sequence_count = sequence_count;
  sizes.part_bytes = part_bytes;
  return sizes;
}

std::uint64_t largest_window_bytes(const RecordTraits& traits, std::uint64_t budget_bytes, std::uint64_t part_bytes) {
  const std::uint64_t record_bytes = traits.lines() ? kUsualLineBytes : traits.record_bytes;
  const std::uint64_t most =
      std::min(budget_bytes / record_bytes, traits.numbers() ? ~std::uint64_t{0} : kMaxIndexedRecords);
  const std::uint64_t records = greatest_fitting(1, most, [&](std::uint64_t count) {
    return device_bytes(traits, merge_sizes(count * record_bytes, count, kUsualSequences, part_bytes)) <= budget_bytes;
  });
  return records * record_bytes;
}

}  // namespace sortie::gpu
