// Sorts arrays of numbers from host memory to host memory on one or several GPUs of one host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cuda/arrays/host_array_link.hpp"
#include "device/device_memory.hpp"
#include "device/pinned_memory.hpp"
#include "kernels/number_codec.hpp"

namespace sortie::cuda {

class GpuArraySorter {
 public:
  /// `devices`: at least one, each once. `device_memory_bytes`: ceiling on each; 0: none.
  GpuArraySorter(std::vector<int> devices, std::uint64_t device_memory_bytes, unsigned threads);
  ~GpuArraySorter();
  GpuArraySorter(const GpuArraySorter&) = delete;
  GpuArraySorter& operator=(const GpuArraySorter&) = delete;

  /// The first sort takes as much device memory as it needs; later sorts use it again unless they need more. If some
  /// GPUs have too little free memory for their shares, the others take these. `output` is as long as `input`, and may
  /// be the same memory, but must not overlap it otherwise. Throws DeviceFullError if too little is free on all of
  /// them; DeviceError when a GPU fails: `output` may then hold anything if has_begun_output().
  void sort(const kernels::NumberOrder& order, std::span<const std::byte> input, std::span<std::byte> output);

  /// Whether the last sort has begun to write to `output`.
  bool has_begun_output() const { return has_begun_output_; }

 private:
  struct Device {
    Device(int device, unsigned threads, std::size_t links) : number(device), link(threads, links) {}
    int number;
    std::unique_ptr<Arena> arena;
    HostArrayLink link;
  };
  /// The GPUs that share an array, with the memory each of them needs for it.
  struct Placing {
    std::vector<Device*> devices;
    std::uint64_t most_count = 0;  ///< most numbers on one GPU
    std::uint64_t bytes = 0;       ///< needed on each GPU
  };
  Placing position(std::uint64_t count, unsigned number_bytes) const;
  Placing reserve(std::uint64_t count, unsigned number_bytes);
  std::uint64_t room_on(const Device& device) const;

  std::vector<std::unique_ptr<Device>> devices_;
  std::uint64_t ceiling_bytes_;
  bool has_begun_output_ = false;
  PinnedBuffer rank_memory_;  ///< for finding the parts' bounds; made by the first sort on several GPUs
};

}  // namespace sortie::cuda
