// Which engine sorts: the one asked for, or the one that will be done first.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sortie/options.hpp>

#include "base/device_span.hpp"
#include "engine/engine.hpp"

namespace sortie {

struct ChosenEngines {
  std::vector<std::unique_ptr<Engine>> engines;  ///< one, or one per GPU
  std::string reason;                            ///< why these, in a few words
};

/// Throws Error if a GPU is asked for and there is none, with the reason. Does not touch CUDA unless a GPU
/// would pay: looking for one takes longer than a small sort. `input_bytes`: nothing if unknown; then the
/// sizes of the input files count, packed as they may be. `device_spans` outlives the engines.
ChosenEngines choose_engines(const SortOptions& options, std::optional<std::uint64_t> input_bytes, unsigned threads,
                             DeviceSpanSink& device_spans);

/// Host bytes that the CPU engine keeps beside each record while it sorts a chunk.
std::uint64_t host_record_overhead(const Format& format);

}  // namespace sortie
