#include "device/pinned_buffer.hpp"

#include <cuda_runtime_api.h>
#include <sys/mman.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "base/size.hpp"
#include "device/cuda_error.hpp"

namespace sortie {
namespace {

constexpr std::uint64_t kPageBytes = 4096;
constexpr std::uint64_t kHugePageBytes = 2 << 20;

/// Less than this per thread is touched faster than a thread starts.
constexpr std::uint64_t kTouchBytesPerThread = 16 << 20;

/// An anonymous mapping of whole pages, at a huge page's boundary if it is that large; nullptr if there is none.
std::byte* map_pages(std::uint64_t bytes) {
  const std::uint64_t slack = bytes >= kHugePageBytes ? kHugePageBytes : 0;
  void* mapped = ::mmap(nullptr, bytes + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  auto* begin = static_cast<std::byte*>(mapped);
  if (slack == 0) return begin;
  const std::uint64_t address = reinterpret_cast<std::uintptr_t>(begin);
  const std::uint64_t head = round_up(address, kHugePageBytes) - address;
  if (head > 0) ::munmap(begin, head);
  if (slack > head) ::munmap(begin + head + bytes, slack - head);
  // Without huge pages the buffer is as good, only slower to make.
  static_cast<void>(::madvise(begin + head, bytes, MADV_HUGEPAGE));
  return begin + head;
}

void touch(std::byte* begin, std::uint64_t bytes) {
  for (std::uint64_t at = 0; at < bytes; at += kPageBytes) static_cast<volatile std::byte*>(begin)[at] = std::byte{};
}

void touch_in_parallel(std::byte* begin, std::uint64_t bytes, unsigned threads) {
  const std::uint64_t workers = std::clamp<std::uint64_t>(bytes / kTouchBytesPerThread, 1, std::max(threads, 1U));
  const std::uint64_t share = round_up(divide_up(bytes, workers), kHugePageBytes);
  std::vector<std::jthread> pool;
  for (std::uint64_t at = share; at < bytes; at += share) {
    pool.emplace_back(touch, begin + at, std::min(share, bytes - at));
  }
  touch(begin, std::min(share, bytes));
}

}  // namespace

PinnedBuffer::PinnedBuffer(std::uint64_t bytes, unsigned threads) : bytes_(bytes) {
  if (bytes == 0) return;
  const std::uint64_t page_bytes = round_up(bytes, kPageBytes);
  if (std::byte* mapped = map_pages(page_bytes)) {
    touch_in_parallel(mapped, page_bytes, threads);
    if (cudaHostRegister(mapped, page_bytes, cudaHostRegisterPortable) == cudaSuccess) {
      data_ = mapped;
      mapped_bytes_ = page_bytes;
      return;
    }
    static_cast<void>(cudaGetLastError());
    ::munmap(mapped, page_bytes);
  }
  void* plain = nullptr;
  const cudaError_t status = cudaHostAlloc(&plain, bytes, cudaHostAllocPortable);
  if (status != cudaSuccess) {
    throw Error("pinned memory: no " + std::to_string(bytes) + " bytes (" + cudaGetErrorString(status) +
                "); lower -S/--buffer-size or use --engine=cpu");
  }
  data_ = static_cast<std::byte*>(plain);
}

PinnedBuffer::~PinnedBuffer() {
  if (data_ == nullptr) return;
  if (mapped_bytes_ == 0) {
    cudaFreeHost(data_);
    return;
  }
  cudaHostUnregister(data_);
  ::munmap(data_, mapped_bytes_);
}

}  // namespace sortie
