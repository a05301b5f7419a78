// How much of a device's memory one engine takes: what its input needs, so that sorts side by side all find room. Pure:
// numbers in, numbers out; gpu_engine.cpp asks before it allocates.
//
//   device   | others | what the input needs, or a share of what is free | free ... | reserve |
#pragma once

#include <cstdint>

#include "engine/engine.hpp"
#include "engine/gpu/chunk/device_plan.hpp"

namespace sortie::gpu {

/// How much an engine takes if `free_bytes` are free, at most `ceiling_bytes` unless that is 0:
///   - one run of all the input, if its size is known and that is usable, with some room to spare;
///   - windows of the usual size, to merge sorted inputs;
///   - otherwise a share: a quarter of what is usable and at least 256 MiB, or all of a ceiling.
/// Throws DeviceFullError if records of this kind cannot be sorted in what is usable, or if they take several runs and
/// less than EngineWorkload::least_share_bytes is usable.
std::uint64_t plan_device_bytes(const RecordTraits& traits, const EngineWorkload& workload, std::uint64_t free_bytes,
                                std::uint64_t ceiling_bytes);

}  // namespace sortie::gpu
