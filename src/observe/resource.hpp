// What a sort can be short of: the wires and processors that its stages keep busy. One of them is the
// bottleneck, and the statistics say which.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/device_span.hpp"

namespace sortie {

enum class Resource : std::uint8_t {
  kStarting,  ///< starting the driver of a device, and pinning memory for it
  kReading,
  kKeyMaking,  ///< for lines in an order other than that of their bytes
  kUpload,
  kKernels,
  kDownload,
  kSorting,     ///< on the host
  kRunKeeping,  ///< copying, checksumming and unpacking blocks of runs in memory
  kCompression,
  kScratchWriting,
  kScratchReading,
  kMerging,  ///< on the host
  kChecking,
  kOutputWriting,
};

inline constexpr std::size_t kResourceCount = 14;

/// "reading", "H2D", "output writing", ...
std::string_view name_of(Resource resource);

/// What a stage of the pipeline keeps busy; nothing for a stage that the table does not know.
std::optional<Resource> resource_of(std::string_view stage);

Resource resource_of(DeviceUnit unit);

}  // namespace sortie
