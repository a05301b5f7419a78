// How the pinned host memory of one engine is divided. Forming runs, a ring of pieces on the way in and two parts
// on the way out; merging windows, two parts for each of two windows. Pure: numbers in, numbers out.
#pragma once

#include <cstdint>

#include <sortie/options.hpp>

#include "engine/gpu/staging/device_timeline.hpp"

namespace sortie::gpu {

/// Transfers of this size reach 99% of PCIe's speed (55.0 of 55.4 GB/s on H200, PCIe 5).
inline constexpr std::uint64_t kMaxPieceBytes = 16 << 20;

struct StagingRequest {
  std::uint64_t host_bytes = 0;    ///< upper bound on all of it
  std::uint64_t device_bytes = 0;  ///< size of the arena, which holds a copy of both parts
  std::uint64_t part_bytes = 0;    ///< wanted size of a part
  std::uint64_t record_bytes = 0;  ///< 0: lines
};

/// Bytes of a part: at most what is wanted, an eighth of the host's share and a 32nd of the device's, but at least one
/// record. Throws DeviceError, with a larger memory budget as the remedy, when not even that fits.
std::uint64_t plan_part_bytes(const StagingRequest& request);

/// Bytes of a part on its way out of a merged window: at most what is wanted, a quarter of the host's share and a
/// 16th of the device's, which is one window's, but at least one record. Throws as plan_part_bytes() does.
std::uint64_t plan_window_part_bytes(const StagingRequest& request);

struct PiecePlan {
  std::uint64_t piece_bytes = 0;
  unsigned piece_count = 0;
};

/// Pieces of at most `most_bytes`, whole records, two to eight of them in half of the host's share. Throws as
/// plan_part_bytes() does when a record does not fit.
PiecePlan plan_pieces(const StagingRequest& request, std::uint64_t most_bytes);

/// The options of an engine that its formers and mergers take over.
struct EngineOptions {
  int device = 0;
  unsigned threads = 1;
  Algorithm algorithm = Algorithm::kAuto;
  DeviceTimeline* timeline = nullptr;  ///< the device's; outlives formers and mergers
};

}  // namespace sortie::gpu
