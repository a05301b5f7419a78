// Thrust makes and looks at the data, Sortie sorts it: both work in one stream, and neither waits for the other.
#include <cstdint>
#include <cstdio>

#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <sortie/cuda/device_radix_sort.hpp>

struct Spread {
  __host__ __device__ std::uint64_t operator()(std::uint32_t i) const { return i * 0x9e3779b97f4a7c15ULL; }
};

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("no GPU");
    return 0;
  }
  constexpr std::uint64_t kCount = 1'000'000;
  cudaStream_t stream = nullptr;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  bool sorted = false;
  {
    thrust::device_vector<std::uint32_t> rows(kCount);
    thrust::device_vector<std::uint64_t> keys(kCount);
    const auto in_stream = thrust::cuda::par_nosync.on(stream);
    thrust::sequence(in_stream, rows.begin(), rows.end());
    thrust::transform(in_stream, rows.begin(), rows.end(), keys.begin(), Spread());

    sortie::cuda::StreamAllocator allocator;
    const sortie::cuda::Status status =
        sortie::cuda::radix_sort(thrust::raw_pointer_cast(keys.data()), thrust::raw_pointer_cast(rows.data()), kCount,
                                 sortie::cuda::Order::kAscending, allocator, stream);
    if (!status.ok()) {
      std::fprintf(stderr, "%s\n", status.message().c_str());
      return 2;
    }
    sorted = thrust::is_sorted(thrust::cuda::par.on(stream), keys.begin(), keys.end());
  }
  cudaStreamDestroy(stream);
  std::puts(sorted ? "sorted" : "not sorted");
  return sorted ? 0 : 2;
}
