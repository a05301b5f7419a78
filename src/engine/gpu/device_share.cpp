#include "engine/gpu/device_share.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/device_error.hpp"
#include "base/size.hpp"
#include "device/device_info.hpp"
#include "engine/gpu/staging/staging_plan.hpp"

namespace sortie::gpu {
namespace {

/// Inputs of unknown size, and those that take several runs anyway, get this share of what is usable. If eight sorts
/// each take a quarter of what the others left, the last one works with a 30th: 4 GB on an H200.
constexpr std::uint64_t kShare = 4;
/// With less the CPU is as fast, so this much is not divided.
constexpr std::uint64_t kLeastShareBytes = 256 << 20;

/// Small inputs get this much too, if it is a small part of what is usable: then pieces and parts travel at full speed,
/// and there may be more records than was thought.
constexpr std::uint64_t kRoomyBytes = std::uint64_t{1} << 30;
constexpr std::uint64_t kRoomyShare = 16;

/// Lines may be shorter than is known by this factor before they take a second run.
constexpr std::uint64_t kLengthToSpare = 2;
/// Supposed length of lines if it is not known.
constexpr std::uint64_t kShortLineBytes = 8;
/// Share of the memory that is kept free: parts may turn out smaller than is supposed here, and their cuts more
/// numerous.
constexpr std::uint64_t kCutsToSpare = 64;

/// Upper bounds on the parts and windows of the pipeline.
constexpr std::uint64_t kLargestPartBytes = 128 << 20;
constexpr std::uint64_t kLargestWindowPartBytes = 64 << 20;
constexpr std::uint64_t kLargestWindowBytes = 640 << 20;

StagingRequest staging_for(const RecordTraits& traits, std::uint64_t device_bytes, std::uint64_t part_bytes) {
  return {std::numeric_limits<std::uint64_t>::max(), device_bytes, part_bytes, traits.record_bytes};
}

FormationRequest formation_in(const RecordTraits& traits, std::uint64_t budget_bytes) {
  FormationRequest request;
  request.budget_bytes = budget_bytes;
  request.part_bytes = plan_part_bytes(staging_for(traits, budget_bytes, kLargestPartBytes));
  return request;
}

/// The least value in [low, high] for which fits() holds, given that it holds from some value on; nothing if it holds
/// for none.
template <class Predicate>
std::optional<std::uint64_t> least_fitting(std::uint64_t low, std::uint64_t high, Predicate fits) {
  if (low > high || !fits(high)) return std::nullopt;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (fits(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/// Bytes that one run of `input_bytes` takes, if that is at most `limit_bytes`.
std::optional<std::uint64_t> one_run_bytes(const RecordTraits& traits, std::uint64_t input_bytes,
                                           std::uint64_t line_bytes, std::uint64_t limit_bytes) {
  const auto holds_it = [&](std::uint64_t budget_bytes) {
    FormationRequest request = formation_in(traits, budget_bytes - budget_bytes / kCutsToSpare);
    request.expected_bytes = std::max<std::uint64_t>(1, input_bytes);
    request.line_bytes = std::max<std::uint64_t>(1, line_bytes);
    request.min_slot_bytes = kMaxPieceBytes;
    return holds_one_run(traits, request);
  };
  return least_fitting(0, limit_bytes, holds_it);
}

/// The same for all the input. If there is room for it, lines may turn out shorter than is known.
std::optional<std::uint64_t> one_run_bytes(const RecordTraits& traits, const EngineWorkload& workload,
                                           std::uint64_t limit_bytes) {
  if (!workload.bytes) return std::nullopt;
  const std::uint64_t line_bytes = workload.record_bytes == 0 ? kShortLineBytes : workload.record_bytes;
  const auto spacious = one_run_bytes(traits, *workload.bytes, line_bytes / kLengthToSpare, limit_bytes);
  return spacious ? spacious : one_run_bytes(traits, *workload.bytes, line_bytes, limit_bytes);
}

/// Bytes that merging windows of the usual size takes, or one window of all the input if that is less; at most
/// `limit_bytes`.
std::uint64_t merge_bytes(const RecordTraits& traits, const EngineWorkload& workload, std::uint64_t limit_bytes) {
  const std::uint64_t window = std::min(workload.bytes.value_or(kLargestWindowBytes), kLargestWindowBytes);
  const auto half = least_fitting(0, limit_bytes / 2, [&](std::uint64_t half_bytes) {
    const StagingRequest staging = staging_for(traits, half_bytes, kLargestWindowPartBytes);
    return largest_window_bytes(traits, half_bytes, plan_window_part_bytes(staging)) >= window;
  });
  return half ? 2 * *half : limit_bytes;
}

/// Throws DeviceFullError if no record can be sorted in `bytes`.
void refuse_too_little(const RecordTraits& traits, std::uint64_t bytes) {
  FormationRequest request = formation_in(traits, bytes);
  request.line_bytes = 1;
  plan_formation(traits, request);
}

}  // namespace

std::uint64_t plan_device_bytes(const RecordTraits& traits, const EngineWorkload& workload, std::uint64_t free_bytes,
                                std::uint64_t ceiling_bytes) {
  const std::uint64_t usable = usable_device_bytes(free_bytes, ceiling_bytes);
  refuse_too_little(traits, usable);
  const std::uint64_t roomy = std::min(kRoomyBytes, usable / kRoomyShare);
  if (!workload.merges_only) {
    if (const auto needed = one_run_bytes(traits, workload, usable)) return std::max(*needed, roomy);
  }
  if (usable < workload.least_share_bytes) {
    throw DeviceFullError("of its memory " + format_size(usable) +
                          " can be used, with which it is no faster than the CPU");
  }
  const std::uint64_t share =
      ceiling_bytes != 0 ? usable : std::max(usable / kShare, std::min(usable, kLeastShareBytes));
  return workload.merges_only ? std::max(merge_bytes(traits, workload, share), std::min(roomy, share)) : share;
}

}  // namespace sortie::gpu
