// What the GPU engine's module, libsortie_gpu.so, gives the pipeline. It holds the GPU engine, the device code and
// CUDA's runtime, and is loaded when a GPU has been chosen (pipeline/setup/load_gpu_module.hpp), so that nobody else
// pays for it.
//
//   pipeline                        libsortie_gpu.so
//   dlopen, find sortie_gpu_module ──▶ GpuModule: version, open()
//   open(GpuHost)                  ──▶ Gpus: require_devices(), make_engine(), make_array_sorter()
//   device_functions               ──▶ DeviceFunctions: sorts and merges of arrays in device memory
//
// The module has its own copy of the lower layers' code. GpuHost hands over what that code keeps for each thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <sortie/format.hpp>
#include <sortie/options.hpp>
#include <sortie/version.hpp>

#include "base/device_span.hpp"
#include "base/thread_team.hpp"
#include "engine/device_functions.hpp"
#include "engine/engine.hpp"
#include "record/key_plan.hpp"

namespace sortie {

struct GpuEngineOptions {
  int device = 0;                         ///< CUDA's number
  std::uint64_t device_memory_bytes = 0;  ///< ceiling; 0: none
  EngineWorkload workload;
  Algorithm algorithm = Algorithm::kAuto;
  unsigned threads = 1;                    ///< for touching pinned memory
  DeviceSpanSink* device_spans = nullptr;  ///< takes the times when the device was busy; may be null
};

/// Sorts arrays of numbers from host memory to host memory on one or several GPUs of one host.
class DeviceArraySorter {
 public:
  virtual ~DeviceArraySorter() = default;

  /// `numbers` gives their kind, their size (4 or 8 bytes) and their direction. `output` is as long as `input`; it may
  /// be the same memory, but must not overlap it otherwise. Blocks until the output is complete. The first sort takes
  /// the device memory that it needs, and later sorts reuse it if they need no more. If some GPUs have too little free
  /// memory for their shares, the others take them. Throws DeviceFullError if too little is free on all of them;
  /// DeviceError if a GPU fails: `output` may then hold anything if has_begun_output().
  virtual void sort(const KeyPart& numbers, std::span<const std::byte> input, std::span<std::byte> output) = 0;

  /// Whether the last sort has begun to write to `output`.
  virtual bool has_begun_output() const = 0;
};

/// GPUs that can run Sortie's kernels.
struct UsableGpus {
  std::vector<int> numbers;  ///< CUDA's, ascending
  std::string reason;        ///< why one that was asked for is missing; empty if none is
};

/// The GPUs of this machine.
class Gpus {
 public:
  virtual ~Gpus() = default;

  /// All GPUs that can be used, or those of `wanted` if it names any. Starts CUDA and makes a context on each of them:
  /// a quarter of a second (H200). Throws Error if one of `wanted` cannot be used; DeviceFullError if it is full,
  /// or if all are.
  virtual UsableGpus require_devices(std::span<const int> wanted) const = 0;

  /// Makes the engine of one device. It takes its device memory at once and keeps it, and must outlive its formers,
  /// runs and mergers. Throws Error if the device cannot be used, DeviceFullError if too little of it is free for the
  /// format, DeviceMemoryError if it does not give what it says is free.
  virtual std::unique_ptr<Engine> make_engine(const Format& format, const GpuEngineOptions& options) const = 0;

  /// Makes a sorter for `devices`: at least one, each once. `device_memory_bytes` is the ceiling on each; 0: none.
  virtual std::unique_ptr<DeviceArraySorter> make_array_sorter(std::vector<int> devices,
                                                               std::uint64_t device_memory_bytes,
                                                               unsigned threads) const = 0;
};

/// What the module needs of the program that loads it.
struct GpuHost {
  ThreadTeam::Slot team_slot = nullptr;  ///< where the calling thread's state in its team is kept
};

/// What the module's one symbol returns. It begins with a C string, so that a module of another version can be told.
struct GpuModule {
  const char* version;   ///< the same as kGpuModuleVersion, or the rest must not be used
  std::uint64_t layout;  ///< the same as kGpuModuleLayout, or the function must not be called
  /// Returns the GPUs, which stay valid until the process ends. Call it only if the version is right; more than once is
  /// harmless.
  const Gpus* (*open)(const GpuHost& host);
  const DeviceFunctions* device_functions;
};

/// Version of Sortie, and of this interface: both are built from one tree.
inline constexpr char kGpuModuleVersion[] = SORTIE_VERSION "/7";

/// A hash of the sizes of types.
template <class... Types>
constexpr std::uint64_t hash_of_sizes() {
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a
  ((hash = (hash ^ sizeof(Types)) * 1099511628211U), ...);
  return hash;
}

/// Shows a module of another tree where nobody has raised the version: the sizes of what crosses the interface.
inline constexpr std::uint64_t kGpuModuleLayout =
    hash_of_sizes<Format, Field, TextOrder, TextKey, KeyPart, GpuEngineOptions, UsableGpus, GpuHost, MemoryRegion,
                  DeviceCall, DeviceMessage, DeviceSort, DeviceSegmentedSort, DeviceRowSort, DeviceGather, DeviceItems,
                  DeviceMerge, DeviceSetOperation, DeviceTop, DeviceColumn, DeviceRows, DeviceStrings, DeviceUnique,
                  DevicePlace, DeviceFunctions>();

inline constexpr char kGpuModuleFile[] = "libsortie_gpu.so";
/// A function of the module, `const GpuModule* sortie_gpu_module()`.
inline constexpr char kGpuModuleSymbol[] = "sortie_gpu_module";

}  // namespace sortie
