// Which engine sorts: the one asked for, or the one that will be done first.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <sortie/options.hpp>

#include "engine/engine.hpp"

namespace sortie {

/// One engine, or one per GPU. Throws Error if a GPU is asked for and there is none, with the reason.
/// `input_bytes`: nothing if unknown.
std::vector<std::unique_ptr<Engine>> choose_engines(const SortOptions& options,
                                                    std::optional<std::uint64_t> input_bytes, unsigned threads);

/// Host bytes that the CPU engine keeps beside each record while it sorts a chunk.
std::uint64_t host_record_overhead(const Format& format);

}  // namespace sortie
