// Sorts arrays of numbers from host memory to host memory on one or several GPUs of one host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "device/arena.hpp"
#include "device/pinned_buffer.hpp"
#include "engine/gpu/array/host_array_link.hpp"
#include "kernels/number_codec.hpp"

namespace sortie {

class GpuArraySorter {
 public:
  /// `devices`: at least one, each once. `device_memory_bytes`: ceiling on each; 0: most of what is free.
  GpuArraySorter(std::vector<int> devices, std::uint64_t device_memory_bytes, unsigned threads);
  ~GpuArraySorter();
  GpuArraySorter(const GpuArraySorter&) = delete;
  GpuArraySorter& operator=(const GpuArraySorter&) = delete;

  /// Whether the GPUs' memory holds so many numbers of `number_bytes`.
  bool holds(std::uint64_t count, unsigned number_bytes) const;

  /// Device memory is taken by the first sort and kept for those that follow, if they need no more. `output` is as
  /// long as `input`, and may be the same memory, but not overlap it otherwise. Precondition: holds().
  /// Throws Error when a GPU fails; `output` may then hold anything.
  void sort(const kernels::NumberOrder& order, std::span<const std::byte> input, std::span<std::byte> output);

  /// Whether the last sort has come to write to `output`.
  bool has_begun_output() const { return has_begun_output_; }

 private:
  struct Device {
    Device(int device, std::uint64_t bytes, unsigned threads, std::size_t links)
        : number(device), budget_bytes(bytes), link(threads, links) {}
    int number;
    std::uint64_t budget_bytes;
    std::unique_ptr<Arena> arena;
    gpu::HostArrayLink link;
  };
  unsigned devices_for(std::uint64_t count) const;
  void reserve(unsigned device_count, std::uint64_t bytes);

  std::vector<std::unique_ptr<Device>> devices_;
  bool has_begun_output_ = false;
  PinnedBuffer rank_memory_;  ///< for finding the parts' bounds; made by the first sort on several GPUs
};

}  // namespace sortie
