#include "engine/gpu/staging/staging_plan.hpp"

#include <algorithm>
#include <string>

#include "base/device_error.hpp"
#include "base/size.hpp"

namespace sortie::gpu {
namespace {

constexpr std::uint64_t kMinLinePartBytes = 256;
constexpr std::uint64_t kMinPieces = 2;
constexpr std::uint64_t kMaxPieces = 8;

/// Whole records in `bytes`, at least one; at most an eighth of the host's share.
std::uint64_t whole_records_within(std::uint64_t bytes, const StagingRequest& request) {
  if (request.record_bytes == 0) return bytes;
  if (request.record_bytes > request.host_bytes / 8) {
    throw DeviceError("a record of " + std::to_string(request.record_bytes) + " bytes is too long for the " +
                          format_size(request.host_bytes) +
                          " of memory left to the GPU's buffers; raise the memory budget",
                      Remedy::kMoreMemory);
  }
  return std::max(round_down(bytes, request.record_bytes), request.record_bytes);
}

}  // namespace

std::uint64_t plan_part_bytes(const StagingRequest& request) {
  const std::uint64_t bytes = std::min({request.part_bytes, request.host_bytes / 8, request.device_bytes / 32});
  return whole_records_within(std::max(bytes, kMinLinePartBytes), request);
}

std::uint64_t plan_window_part_bytes(const StagingRequest& request) {
  const std::uint64_t bytes = std::min({request.part_bytes, request.host_bytes / 4, request.device_bytes / 16});
  return whole_records_within(std::max(bytes, kMinLinePartBytes), request);
}

PiecePlan plan_pieces(const StagingRequest& request, std::uint64_t most_bytes) {
  PiecePlan plan;
  plan.piece_bytes = whole_records_within(
      std::max<std::uint64_t>(std::min({kMaxPieceBytes, request.host_bytes / 16, most_bytes}), 1), request);
  plan.piece_count =
      static_cast<unsigned>(std::clamp(request.host_bytes / 2 / plan.piece_bytes, kMinPieces, kMaxPieces));
  return plan;
}

}  // namespace sortie::gpu
