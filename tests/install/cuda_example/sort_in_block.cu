// Kernels that sort by themselves: blocks find the points that are nearest to a query, warps find medians. They need
// the library's headers alone.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>

#include <sortie/cuda/block_sort.cuh>
#include <sortie/cuda/warp_sort.cuh>

constexpr unsigned kThreads = 128;
constexpr unsigned kItems = 7;
constexpr unsigned kPoints = kThreads * kItems;
constexpr unsigned kNearest = 10;

__device__ float distance_of(unsigned query, unsigned point) {
  return static_cast<float>((point * 2'654'435'761U + query * 40'503U) % 100'003U);
}

/// Block q writes the distances of the points that are nearest to query q, and their numbers.
__global__ void __launch_bounds__(kThreads) find_nearest_kernel(float* distances, std::uint32_t* points) {
  using Sort = sortie::cuda::BlockMergeSort<float, kThreads, kItems, std::uint32_t>;
  __shared__ Sort::Storage storage;
  float keys[kItems];
  std::uint32_t values[kItems];
  for (unsigned k = 0; k < kItems; ++k) {
    values[k] = threadIdx.x * kItems + k;
    keys[k] = distance_of(blockIdx.x, values[k]);
  }
  Sort(storage).sort(keys, values, sortie::cuda::TotalOrder());
  for (unsigned k = 0; k < kItems; ++k) {
    const unsigned rank = threadIdx.x * kItems + k;
    if (rank >= kNearest) break;
    distances[blockIdx.x * kNearest + rank] = keys[k];
    points[blockIdx.x * kNearest + rank] = values[k];
  }
}

/// Each warp finds the median of 63 numbers around its own.
__global__ void __launch_bounds__(kThreads) find_medians_kernel(const float* numbers, unsigned count, float* medians) {
  const unsigned warp = (blockIdx.x * kThreads + threadIdx.x) / 32;
  const unsigned lane = threadIdx.x % 32;
  float window[2];
  for (unsigned k = 0; k < 2; ++k) {
    const unsigned at = warp + 2 * lane + k;
    window[k] = 2 * lane + k < 63 && at < count ? numbers[at] : INFINITY;  // what is missing comes last
  }
  sortie::cuda::warp_sort(window, sortie::cuda::TotalOrder());
  if (lane == 15 && warp + 63 <= count) medians[warp] = window[1];
}

static bool check_nearest(cudaStream_t stream) {
  constexpr unsigned kQueries = 100;
  std::vector<float> distances(kQueries * kNearest);
  std::vector<std::uint32_t> points(kQueries * kNearest);
  float* device_distances = nullptr;
  std::uint32_t* device_points = nullptr;
  cudaMallocAsync(reinterpret_cast<void**>(&device_distances), distances.size() * sizeof(float), stream);
  cudaMallocAsync(reinterpret_cast<void**>(&device_points), points.size() * sizeof(std::uint32_t), stream);
  find_nearest_kernel<<<kQueries, kThreads, 0, stream>>>(device_distances, device_points);
  cudaMemcpyAsync(distances.data(), device_distances, distances.size() * sizeof(float), cudaMemcpyDefault, stream);
  cudaMemcpyAsync(points.data(), device_points, points.size() * sizeof(std::uint32_t), cudaMemcpyDefault, stream);
  cudaFreeAsync(device_distances, stream);
  cudaFreeAsync(device_points, stream);
  if (cudaStreamSynchronize(stream) != cudaSuccess) return false;
  for (unsigned query = 0; query < kQueries; ++query) {
    const auto first = distances.begin() + query * kNearest;
    if (!std::is_sorted(first, first + kNearest)) return false;
  }
  return std::all_of(points.begin(), points.end(), [](std::uint32_t point) { return point < kPoints; });
}

static bool check_medians(cudaStream_t stream) {
  constexpr unsigned kCount = 1000;
  std::vector<float> numbers(kCount);
  for (unsigned i = 0; i < kCount; ++i) numbers[i] = static_cast<float>(i * 7919 % 1009);
  std::vector<float> medians(kCount - 62);
  float* device_numbers = nullptr;
  float* device_medians = nullptr;
  cudaMallocAsync(reinterpret_cast<void**>(&device_numbers), numbers.size() * sizeof(float), stream);
  cudaMallocAsync(reinterpret_cast<void**>(&device_medians), medians.size() * sizeof(float), stream);
  cudaMemcpyAsync(device_numbers, numbers.data(), numbers.size() * sizeof(float), cudaMemcpyDefault, stream);
  find_medians_kernel<<<kCount * 32 / kThreads, kThreads, 0, stream>>>(device_numbers, kCount, device_medians);
  cudaMemcpyAsync(medians.data(), device_medians, medians.size() * sizeof(float), cudaMemcpyDefault, stream);
  cudaFreeAsync(device_numbers, stream);
  cudaFreeAsync(device_medians, stream);
  if (cudaStreamSynchronize(stream) != cudaSuccess) return false;
  for (unsigned i = 0; i < medians.size(); ++i) {
    std::vector<float> window(numbers.begin() + i, numbers.begin() + i + 63);
    std::nth_element(window.begin(), window.begin() + 31, window.end());
    if (medians[i] != window[31]) return false;
  }
  return true;
}

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("no GPU");
    return 0;
  }
  cudaStream_t stream = nullptr;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  const bool is_right = check_nearest(stream) && check_medians(stream);
  cudaStreamDestroy(stream);
  std::puts(is_right ? "sorted" : "not sorted");
  return is_right ? 0 : 2;
}
