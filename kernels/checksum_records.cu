#include "kernels/checksum_records.hpp"

#include "kernels/launch.hpp"
#include "kernels/xxh3.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kAllLanes = 0xffffffff;
constexpr unsigned kWarpLanes = 32;

__device__ void add(Checksum& sum, std::uint64_t low, std::uint64_t high) {
  sum.low += low;
  sum.high += high + (sum.low < low ? 1 : 0);
}

/// Each addition to the low word carries by what it found there, so the order of the warps does not matter.
__device__ void add_from_warp(Checksum own, Checksum* sum) {
  for (unsigned distance = kWarpLanes / 2; distance > 0; distance /= 2) {
    const std::uint64_t low = __shfl_down_sync(kAllLanes, own.low, distance);
    const std::uint64_t high = __shfl_down_sync(kAllLanes, own.high, distance);
    add(own, low, high);
  }
  if (threadIdx.x % kWarpLanes != 0) return;
  const std::uint64_t before =
      atomicAdd(reinterpret_cast<unsigned long long*>(&sum->low), static_cast<unsigned long long>(own.low));
  const std::uint64_t carry = before + own.low < before ? 1 : 0;
  atomicAdd(reinterpret_cast<unsigned long long*>(&sum->high), static_cast<unsigned long long>(own.high + carry));
}

// ---- Records: a block stages a tile of them in shared memory, then each thread hashes one.

constexpr unsigned kRecordThreads = 128;  ///< and records of a tile
constexpr unsigned kRecordBlocksPerMultiprocessor = 16;
constexpr std::uint64_t kMaxStagedBytes = 384;
constexpr unsigned kStagedLoads = 8;  ///< of a thread, on their way at once

/// Words of a tile in shared memory, every 32 followed by an unused one: whatever the length of a record, the
/// threads' records then begin in different banks.
struct SkewedWords {
  const std::uint32_t* words;

  __host__ __device__ static constexpr unsigned place(unsigned index) { return index + index / 32; }
  __device__ std::uint32_t operator[](unsigned index) const { return words[place(index)]; }
};

__device__ void stage_words(const std::uint32_t* words, unsigned word_count, std::uint32_t* staged) {
  for (unsigned base = threadIdx.x; base < word_count; base += kRecordThreads * kStagedLoads) {
    std::uint32_t loaded[kStagedLoads];
#pragma unroll
    for (unsigned k = 0; k < kStagedLoads; ++k) {
      if (base + k * kRecordThreads < word_count) loaded[k] = words[base + k * kRecordThreads];
    }
#pragma unroll
    for (unsigned k = 0; k < kStagedLoads; ++k) {
      if (base + k * kRecordThreads < word_count) staged[SkewedWords::place(base + k * kRecordThreads)] = loaded[k];
    }
  }
}

template <bool kWholeWords>
__global__ void __launch_bounds__(kRecordThreads)
    staged_record_checksum_kernel(const std::uint32_t* words, unsigned record_bytes, std::uint64_t count,
                                  const __grid_constant__ Xxh3Secret secret, Checksum* sum) {
  extern __shared__ std::uint32_t staged[];
  Checksum own;
  for (std::uint64_t first = std::uint64_t{blockIdx.x} * kRecordThreads; first < count;
       first += std::uint64_t{gridDim.x} * kRecordThreads) {
    const std::uint64_t left = count - first;
    const unsigned record_count = left < kRecordThreads ? static_cast<unsigned>(left) : kRecordThreads;
    stage_words(words + first / 4 * record_bytes, (record_count * record_bytes + 3) / 4, staged);
    __syncthreads();
    if (threadIdx.x < record_count) {
      const AlignedWordReader<SkewedWords, unsigned, kWholeWords> record({staged}, threadIdx.x * record_bytes);
      const Checksum hash = xxh3_128(record, record_bytes, secret);
      add(own, hash.low, hash.high);
    }
    __syncthreads();
  }
  add_from_warp(own, sum);
}

__global__ void __launch_bounds__(kRecordThreads)
    record_checksum_kernel(const std::uint32_t* words, std::uint64_t record_bytes, std::uint64_t count,
                           const __grid_constant__ Xxh3Secret secret, Checksum* sum) {
  Checksum own;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * kRecordThreads + threadIdx.x; i < count;
       i += std::uint64_t{gridDim.x} * kRecordThreads) {
    const AlignedWordReader<const std::uint32_t*, std::uint64_t> record(words, i * record_bytes);
    const Checksum hash = xxh3_128(record, record_bytes, secret);
    add(own, hash.low, hash.high);
  }
  add_from_warp(own, sum);
}

// ---- Numbers: each is mixed, as in base/checksum.cpp.

constexpr unsigned kNumberThreads = 256;
constexpr unsigned kNumberBlocksPerMultiprocessor = 8;
constexpr unsigned kNumberPacks = 2;  ///< of 16 bytes that a thread loads at once

__device__ std::uint64_t mix(std::uint64_t value) {
  value = (value ^ value >> 33) * 0xff51afd7ed558ccd;
  value = (value ^ value >> 33) * 0xc4ceb9fe1a85ec53;
  return value ^ value >> 33;
}

__device__ void add_number(Checksum& sum, std::uint64_t number) {
  add(sum, mix(number + 0x9e3779b97f4a7c15), mix(number ^ 0xd6e8feb86659fd93));
}

template <class Number>
struct alignas(16) NumberPack {
  static constexpr unsigned kNumbers = 16 / sizeof(Number);
  Number numbers[kNumbers];
};

template <class Number>
__global__ void __launch_bounds__(kNumberThreads)
    number_checksum_kernel(const Number* numbers, std::uint64_t count, Checksum* sum) {
  using Pack = NumberPack<Number>;
  const auto* packs = reinterpret_cast<const Pack*>(numbers);
  const std::uint64_t pack_count = count / Pack::kNumbers;
  const std::uint64_t thread = std::uint64_t{blockIdx.x} * kNumberThreads + threadIdx.x;
  const std::uint64_t thread_count = std::uint64_t{gridDim.x} * kNumberThreads;
  Checksum own;
  for (std::uint64_t base = thread; base < pack_count; base += thread_count * kNumberPacks) {
    Pack loaded[kNumberPacks];
#pragma unroll
    for (unsigned k = 0; k < kNumberPacks; ++k) {
      if (base + k * thread_count < pack_count) loaded[k] = packs[base + k * thread_count];
    }
#pragma unroll
    for (unsigned k = 0; k < kNumberPacks; ++k) {
      if (base + k * thread_count >= pack_count) break;
#pragma unroll
      for (unsigned j = 0; j < Pack::kNumbers; ++j) add_number(own, loaded[k].numbers[j]);
    }
  }
  // Fewer than a pack are left.
  const std::uint64_t rest = pack_count * Pack::kNumbers + thread;
  if (rest < count) add_number(own, numbers[rest]);
  add_from_warp(own, sum);
}

template <class Number>
void launch_number_checksum(const Number* numbers, std::uint64_t count, Checksum* sum, cudaStream_t stream) {
  if (count == 0) return;
  const std::uint64_t tile_items = kNumberThreads * kNumberPacks * NumberPack<Number>::kNumbers;
  const unsigned grid = persistent_grid(divide_up(count, tile_items), kNumberBlocksPerMultiprocessor);
  number_checksum_kernel<<<grid, kNumberThreads, 0, stream>>>(numbers, count, sum);
  check_launch("number checksum kernel");
}

}  // namespace

void add_record_checksum(const std::byte* records, std::uint64_t record_bytes, std::uint64_t count, Checksum* sum,
                         cudaStream_t stream) {
  if (count == 0) return;
  const auto* words = reinterpret_cast<const std::uint32_t*>(records);
  const unsigned grid = persistent_grid(divide_up(count, kRecordThreads), kRecordBlocksPerMultiprocessor);
  if (record_bytes > kMaxStagedBytes) {
    record_checksum_kernel<<<grid, kRecordThreads, 0, stream>>>(words, record_bytes, count, kXxh3Secret, sum);
    check_launch("record checksum kernel");
    return;
  }
  const auto kernel =
      record_bytes % 4 == 0 ? staged_record_checksum_kernel<true> : staged_record_checksum_kernel<false>;
  const auto tile_words = static_cast<unsigned>(divide_up(kRecordThreads * record_bytes, 4));
  const std::uint64_t shared_bytes = 4 * std::uint64_t{SkewedWords::place(tile_words)};
  allow_shared_bytes(kernel, shared_bytes, "staged record checksum kernel");
  kernel<<<grid, kRecordThreads, shared_bytes, stream>>>(words, static_cast<unsigned>(record_bytes), count, kXxh3Secret,
                                                         sum);
  check_launch("staged record checksum kernel");
}

void add_number_checksum(const std::uint32_t* numbers, std::uint64_t count, Checksum* sum, cudaStream_t stream) {
  launch_number_checksum(numbers, count, sum, stream);
}

void add_number_checksum(const std::uint64_t* numbers, std::uint64_t count, Checksum* sum, cudaStream_t stream) {
  launch_number_checksum(numbers, count, sum, stream);
}

}  // namespace sortie::kernels
