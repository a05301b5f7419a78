// A block gathers a tile of records: it reads their indices into shared memory once, then its threads copy
// units of up to 16 bytes, neighbours writing neighbouring units.
#include "kernels/gather_plan.hpp"
#include "kernels/launch.hpp"
#include "kernels/records.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kUnroll = 8;
constexpr unsigned kTileUnits = 8192;   ///< of a tile of several records
constexpr unsigned kTileRecords = 512;  ///< the most in a tile

template <class Unit>
struct FixedGather {
  const Unit* records;
  const std::uint32_t* indices;
  Unit* out;
  std::uint64_t count;
  std::uint32_t record_units;
  std::uint32_t tile_records;
  SmallDivisor by_record_units;
};

template <class Unit>
__global__ void __launch_bounds__(kThreads) gather_small_records_kernel(const FixedGather<Unit> gather) {
  __shared__ std::uint32_t indices[kTileRecords];
  const std::uint64_t begin = std::uint64_t{blockIdx.x} * gather.tile_records;
  const std::uint64_t left = gather.count - begin;
  const unsigned tile_records = left < gather.tile_records ? static_cast<unsigned>(left) : gather.tile_records;
  for (unsigned i = threadIdx.x; i < tile_records; i += kThreads) indices[i] = gather.indices[begin + i];
  __syncthreads();

  const unsigned units = tile_records * gather.record_units;
  Unit* out = gather.out + begin * gather.record_units;
  for (unsigned first = threadIdx.x; first < units; first += kThreads * kUnroll) {
    Unit loaded[kUnroll];
#pragma unroll
    for (unsigned k = 0; k < kUnroll; ++k) {
      const unsigned unit = first + k * kThreads;
      if (unit >= units) break;
      const unsigned record = gather.by_record_units.quotient(unit);
      const unsigned within = unit - record * gather.record_units;
      loaded[k] = gather.records[std::uint64_t{indices[record]} * gather.record_units + within];
    }
#pragma unroll
    for (unsigned k = 0; k < kUnroll; ++k) {
      if (first + k * kThreads < units) out[first + k * kThreads] = loaded[k];
    }
  }
}

/// Records too long for a tile: a block copies one at a time.
template <class Unit>
__global__ void __launch_bounds__(kThreads) gather_large_records_kernel(const FixedGather<Unit> gather) {
  for (std::uint64_t record = blockIdx.x; record < gather.count; record += gridDim.x) {
    const Unit* source = gather.records + std::uint64_t{gather.indices[record]} * gather.record_units;
    Unit* target = gather.out + record * gather.record_units;
    for (std::uint64_t unit = threadIdx.x; unit < gather.record_units; unit += kThreads) target[unit] = source[unit];
  }
}

template <class Unit>
void launch_gather(const std::byte* records, std::uint64_t record_bytes, const std::uint32_t* indices,
                   std::uint64_t count, std::byte* out, cudaStream_t stream) {
  FixedGather<Unit> gather{};
  gather.records = reinterpret_cast<const Unit*>(records);
  gather.indices = indices;
  gather.out = reinterpret_cast<Unit*>(out);
  gather.count = count;
  gather.record_units = static_cast<std::uint32_t>(record_bytes / sizeof(Unit));
  if (gather.record_units > SmallDivisor::kLargestDivisor) {
    gather_large_records_kernel<<<persistent_grid(count, 8), kThreads, 0, stream>>>(gather);
    check_launch("gather kernel for large records");
    return;
  }
  const std::uint32_t fitting = kTileUnits / gather.record_units;
  gather.tile_records = fitting < kTileRecords ? fitting : kTileRecords;
  gather.by_record_units = SmallDivisor::of(gather.record_units);
  gather_small_records_kernel<<<grid_of_tiles(divide_up(count, gather.tile_records)), kThreads, 0, stream>>>(gather);
  check_launch("gather kernel");
}

}  // namespace

void gather_fixed(const std::byte* records, std::uint64_t record_bytes, const std::uint32_t* indices,
                  std::uint64_t count, std::byte* out, cudaStream_t stream) {
  if (count == 0) return;
  switch (
      copy_unit_bytes(record_bytes, reinterpret_cast<std::uintptr_t>(records), reinterpret_cast<std::uintptr_t>(out))) {
    case 16:
      return launch_gather<uint4>(records, record_bytes, indices, count, out, stream);
    case 8:
      return launch_gather<std::uint64_t>(records, record_bytes, indices, count, out, stream);
    case 4:
      return launch_gather<std::uint32_t>(records, record_bytes, indices, count, out, stream);
    case 2:
      return launch_gather<std::uint16_t>(records, record_bytes, indices, count, out, stream);
    default:
      return launch_gather<std::uint8_t>(records, record_bytes, indices, count, out, stream);
  }
}

}  // namespace sortie::kernels
