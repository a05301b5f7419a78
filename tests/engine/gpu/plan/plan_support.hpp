// Shared parts of the tests of plans: sizes, and the traits of a format by its name.
#pragma once

#include <cstdint>

#include <sortie/format.hpp>

#include "engine/gpu/chunk/device_plan.hpp"

namespace sortie::test {

inline constexpr std::uint64_t kMiB = 1 << 20;
inline constexpr std::uint64_t kGiB = 1 << 30;

inline gpu::RecordTraits traits_for(const char* format) { return gpu::traits_of(parse_format(format)); }

}  // namespace sortie::test
