// Makes a whole data set in parallel and writes it in order, a few megabytes at a time. Called by sortie_gen.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include <sortie/report.hpp>

#include "tools/gen/record_source.hpp"

namespace sortie::tools {

/// Receives consecutive parts of the file.
using ByteSink = std::function<void(std::span<const std::byte> bytes)>;

/// Passes records 0 to record_count - 1 to `sink`, from one thread at a time. The bytes do not depend on `threads` (0
/// for all). Returns the checksum of the records if `sum` is set, else zero. Uses about 8 MiB of memory per thread.
Checksum generate_records(const RecordSource& source, std::uint64_t record_count, unsigned threads, bool sum,
                          const ByteSink& sink);

}  // namespace sortie::tools
