#include "kernels/checksum_records.hpp"

#include <algorithm>

#include "kernels/checks/checksum_packs.cuh"
#include "kernels/checks/checksum_tile.cuh"
#include "kernels/common/launch.hpp"

namespace sortie::kernels {
namespace {

constexpr std::uint64_t kMaxStagedRecordBytes = 384;
constexpr std::uint64_t kOtherSharedBytes = 1024;  ///< per block, for the sums of its warps and for the system

/// A record of 8 bytes, in registers.
struct EightBytes {
  std::uint64_t whole;

  __device__ std::uint32_t half(std::uint64_t at) const { return static_cast<std::uint32_t>(whole >> (8 * at)); }
};

struct alignas(16) SixteenBytes {
  std::uint64_t words[2];

  __device__ std::uint64_t word(std::uint64_t at) const { return words[at / 8]; }
};

struct EightByteItem {
  using Value = EightBytes;
  Xxh3Secret secret;

  __device__ Checksum hash(const EightBytes& record) const { return xxh3_upto_8(record, 8, secret); }
};

struct SixteenByteItem {
  using Value = SixteenBytes;
  Xxh3Secret secret;

  __device__ Checksum hash(const SixteenBytes& record) const { return xxh3_upto_16(record, 16, secret); }
};

/// Bytes of the longest tile that is staged: two buffers fit a block of this device, even with the units of a skew.
std::uint64_t most_buffer_bytes() {
  const std::uint64_t room = (shared_bytes_per_block() - kOtherSharedBytes) / 2 * 8 / 9;
  return std::min(room / kStageUnitBytes * kStageUnitBytes, kMaxStagedRecordBytes * kChecksumThreads);
}

/// Launches as many blocks as fit beside each other with their buffers.
template <class Stage, class Places>
void launch_checksum(const std::byte* records, const Places& places, std::uint64_t count, std::uint64_t buffer_bytes,
                     Checksum* sum, cudaStream_t stream) {
  const auto buffer_units = static_cast<unsigned>(divide_up(buffer_bytes, kStageUnitBytes));
  const std::uint64_t shared_bytes = 2 * std::uint64_t{Stage::place(buffer_units)} * kStageUnitBytes;
  const auto kernel = record_checksum_kernel<Places, Stage>;
  allow_shared_bytes(kernel, shared_bytes, "record checksum kernel");
  const unsigned shared_bytes_per_multiprocessor = device_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  const auto fitting = static_cast<unsigned>(shared_bytes_per_multiprocessor / (shared_bytes + kOtherSharedBytes));
  const unsigned blocks = std::clamp(fitting, 1U, kChecksumBlocksPerMultiprocessor);
  kernel<<<persistent_grid(divide_up(count, kChecksumThreads), blocks), kChecksumThreads, shared_bytes, stream>>>(
      records, places, count, buffer_units, kXxh3Secret, sum);
  check_launch("record checksum kernel");
}

}  // namespace

void add_record_checksum(const std::byte* records, std::uint64_t record_bytes, std::uint64_t count, Checksum* sum,
                         cudaStream_t stream) {
  if (count == 0) return;
  if (record_bytes == 8) {
    return launch_pack_checksum(reinterpret_cast<const EightBytes*>(records), count, EightByteItem{kXxh3Secret}, sum,
                                stream);
  }
  if (record_bytes == 16) {
    return launch_pack_checksum(reinterpret_cast<const SixteenBytes*>(records), count, SixteenByteItem{kXxh3Secret},
                                sum, stream);
  }
  const std::uint64_t tile_bytes = record_bytes * kChecksumThreads;
  if (tile_bytes > most_buffer_bytes()) {
    return launch_checksum<WordStage<false>>(records, FixedPlaces<TileFit::kNever>{record_bytes}, count, 0, sum,
                                             stream);
  }
  using Places = FixedPlaces<TileFit::kAlways>;
  const auto launch = record_bytes % 32 == 0   ? launch_checksum<UnitStage<true>, Places>
                      : record_bytes % 16 == 0 ? launch_checksum<UnitStage<false>, Places>
                      : record_bytes % 4 == 0  ? launch_checksum<WordStage<true>, Places>
                                               : launch_checksum<WordStage<false>, Places>;
  launch(records, {record_bytes}, count, tile_bytes, sum, stream);
}

void add_line_checksum(const std::byte* records, std::uint64_t byte_count, const std::uint64_t* offsets,
                       std::uint64_t count, Checksum* sum, cudaStream_t stream) {
  if (count == 0) return;
  // Room for 1.5 times what lines of mean length need, and for the part of a unit before the first line.
  const std::uint64_t mean_tile_bytes = divide_up(byte_count, count) * kChecksumThreads;
  const std::uint64_t buffer_bytes = std::min(mean_tile_bytes * 3 / 2 + kStageUnitBytes, most_buffer_bytes());
  launch_checksum<WordStage<false>>(records, LinePlaces{offsets}, count, buffer_bytes, sum, stream);
}

}  // namespace sortie::kernels
