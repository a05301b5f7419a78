// Records gathered by random index. The limit is a copy of as many bytes; of a random record that is
// aligned to 4 bytes, whole 32-byte sectors must be read, 31 bytes more than it has, less its alignment.
#include <string>

#include "bench/kernels/families.hpp"
#include "device/cuda_error.hpp"
#include "kernels/radix_sort.hpp"
#include "kernels/records.hpp"

namespace sortie::bench {
namespace {

constexpr std::uint64_t kRecordBytes[] = {16, 64, 99, 100, 128};

/// All positions below `count`, in random order.
void fill_shuffled(std::uint32_t* indices, std::uint64_t count, cudaStream_t stream) {
  const Array<std::uint64_t> keys(count);
  const Array<std::uint64_t> alternate(count);
  const Array<std::uint32_t> alternate_indices(count);
  const DeviceBuffer scratch(kernels::radix_sort_scratch_bytes(count));
  fill_keys(KeyDistribution::kUniform, keys.data(), count, stream);
  fill_positions(indices, count, stream);
  kernels::radix_sort_pairs(keys.data(), alternate.data(), indices, alternate_indices.data(), count, {0, 64},
                            scratch.data(), stream);
  check_cuda(cudaStreamSynchronize(stream), "shuffling indices");
}

}  // namespace

void bench_gathers(BenchRun& run, std::uint64_t count) {
  for (const std::uint64_t record_bytes : kRecordBytes) {
    const std::string operation = "gather " + std::to_string(record_bytes) + " B";
    if (!run.wants(operation)) continue;
    const Array<std::byte> records(count * record_bytes);
    const Array<std::byte> gathered(count * record_bytes);
    const Array<std::uint32_t> indices(count);
    fill_shuffled(indices.data(), count, run.stream());
    fill_keys(KeyDistribution::kUniform, reinterpret_cast<std::uint32_t*>(records.data()), count * record_bytes / 4,
              run.stream());
    Measurement row{operation, KeyDistribution::kUniform, count, count * 2 * record_bytes};
    row.milliseconds = run.milliseconds([&](cudaStream_t s) {
      kernels::gather_fixed(records.data(), record_bytes, indices.data(), count, gathered.data(), s);
    });
    run.add(std::move(row));
  }
}

}  // namespace sortie::bench
