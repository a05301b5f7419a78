#include "device/pinned_memory.hpp"

#include <algorithm>
#include <deque>
#include <future>
#include <span>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>

#include "base/bytes.hpp"
#include "base/memory_region.hpp"
#include "base/size.hpp"
#include "base/task_thread.hpp"
#include "device/cuda_error.hpp"

namespace sortie {
namespace {

/// cudaMemoryTypeUnregistered if CUDA does not know the memory.
cudaMemoryType memory_type_at(const void* memory) {
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, memory) == cudaSuccess) return attributes.type;
  static_cast<void>(cudaGetLastError());
  return cudaMemoryTypeUnregistered;
}

bool is_pinned_byte(const std::byte* byte) { return memory_type_at(byte) == cudaMemoryTypeHost; }

/// Touching less than this takes less time than starting a thread.
constexpr std::uint64_t kTouchBytesPerThread = 16 << 20;

void touch_in_parallel(std::byte* begin, std::uint64_t bytes, unsigned threads) {
  const std::uint64_t workers = std::clamp<std::uint64_t>(bytes / kTouchBytesPerThread, 1, std::max(threads, 1U));
  const std::uint64_t share = round_up(divide_up(bytes, workers), kHugePageBytes);
  std::deque<TaskThread> pool;
  std::vector<std::future<void>> touched;
  for (std::uint64_t at = share; at < bytes; at += share) {
    const std::span memory(begin + at, std::min(share, bytes - at));
    touched.push_back(pool.emplace_back().post_outside_team([memory] { touch_pages(memory); }));
  }
  touch_pages({begin, std::min(share, bytes)});
  for (std::future<void>& share_touched : touched) share_touched.get();
}

}  // namespace

bool is_pinned(std::span<const std::byte> memory) {
  return !memory.empty() && is_pinned_byte(&memory.front()) && is_pinned_byte(&memory.back());
}

bool is_device_memory(const void* memory) { return memory_type_at(memory) == cudaMemoryTypeDevice; }

PinnedBuffer::PinnedBuffer(std::uint64_t bytes, unsigned threads) : bytes_(bytes) {
  if (bytes == 0) return;
  pages_ = MemoryRegion(round_up(bytes, kPageBytes));
  touch_in_parallel(pages_.data(), pages_.size(), threads);
  const auto pin = [&] { return cudaHostRegister(pages_.data(), pages_.size(), cudaHostRegisterPortable); };
  if (call_or_fault(pin) == cudaSuccess) {
    data_ = pages_.data();
    return;
  }
  static_cast<void>(cudaGetLastError());
  pages_ = MemoryRegion();
  void* plain = nullptr;
  const cudaError_t status = call_or_fault([&] { return cudaHostAlloc(&plain, bytes, cudaHostAllocPortable); });
  if (status != cudaSuccess) {
    throw DeviceError("pinned memory: no " + std::to_string(bytes) + " bytes (" + cudaGetErrorString(status) +
                          "); lower the memory budget or use the CPU engine",
                      Remedy::kCpuEngine);
  }
  data_ = static_cast<std::byte*>(plain);
}

PinnedBuffer::~PinnedBuffer() {
  if (data_ == nullptr) return;
  if (pages_.size() == 0) {
    cudaFreeHost(data_);
  } else {
    cudaHostUnregister(data_);
  }
}

std::unique_ptr<RegisteredMemory> RegisteredMemory::make(std::span<std::byte> memory) {
  const std::uint64_t bytes = round_up(memory.size(), kPageBytes);
  const auto pin = [&] { return cudaHostRegister(memory.data(), bytes, cudaHostRegisterPortable); };
  if (call_or_fault(pin) == cudaSuccess) {
    return std::unique_ptr<RegisteredMemory>(new RegisteredMemory(memory.data()));
  }
  static_cast<void>(cudaGetLastError());
  return nullptr;
}

// A failure here is a failure of the device: its next user meets it.
RegisteredMemory::~RegisteredMemory() { static_cast<void>(cudaHostUnregister(begin_)); }

}  // namespace sortie
