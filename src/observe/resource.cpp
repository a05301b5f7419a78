#include "observe/resource.hpp"

#include <algorithm>

namespace sortie {
namespace {

constexpr std::array<std::string_view, kResourceCount> kNames = {
    "starting",        "reading",
    "making keys",     "H2D",
    "kernels",         "D2H",
    "sorting",         "keeping runs",
    "compression",     "scratch writing",
    "scratch reading", "merging",
    "checking",        "output writing",
};

struct StageEntry {
  std::string_view stage;
  Resource resource;
};

constexpr StageEntry kStages[] = {
    {"start engine", Resource::kStarting},
    {"prepare buffers", Resource::kStarting},
    {"read", Resource::kReading},
    {"take read-ahead", Resource::kReading},
    {"make keys", Resource::kKeyMaking},
    {"checksum input", Resource::kChecking},
    {"sort", Resource::kSorting},
    {"gather", Resource::kSorting},
    {"select", Resource::kSorting},
    {"drop duplicates", Resource::kChecking},
    {"keep run", Resource::kRunKeeping},
    {"compress run", Resource::kCompression},
    {"try compression", Resource::kCompression},
    {"write run", Resource::kScratchWriting},
    {"sync run", Resource::kScratchWriting},
    {"read run", Resource::kScratchReading},
    {"load window", Resource::kRunKeeping},
    {"merge", Resource::kMerging},
    {"check output", Resource::kChecking},
    {"cut keys off", Resource::kChecking},
    {"check order", Resource::kChecking},
    {"write", Resource::kOutputWriting},
    {"finish output", Resource::kOutputWriting},
};

}  // namespace

std::string_view name_of(Resource resource) { return kNames[static_cast<std::size_t>(resource)]; }

std::optional<Resource> resource_of(std::string_view stage) {
  const auto* const entry = std::find_if(std::begin(kStages), std::end(kStages),
                                         [&](const StageEntry& known) { return known.stage == stage; });
  if (entry == std::end(kStages)) return std::nullopt;
  return entry->resource;
}

Resource resource_of(DeviceUnit unit) {
  switch (unit) {
    case DeviceUnit::kUpload:
      return Resource::kUpload;
    case DeviceUnit::kDownload:
      return Resource::kDownload;
    case DeviceUnit::kKernels:
      break;
  }
  return Resource::kKernels;
}

}  // namespace sortie
