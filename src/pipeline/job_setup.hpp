// What sort(), plan() and check() need before they begin: options resolved, inputs open.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <sortie/options.hpp>

#include "io/file.hpp"
#include "pipeline/memory_plan.hpp"
#include "pipeline/record_reader.hpp"

namespace sortie {

/// Options with every default filled in.
struct ResolvedOptions {
  SortOptions options;
  std::uint64_t memory_bytes = 0;
  unsigned threads = 0;
};

/// Throws Error for a format or a combination that makes no sense.
ResolvedOptions resolve(const SortOptions& options);

/// Whether a sort that has read of its inputs can begin anew: pipes are empty then, and standard input, even if it is
/// a file, stands somewhere.
bool inputs_can_be_read_again(FileSystem& files, const SortOptions& options);

/// `records_on_host`: the engine keeps its chunks in host memory.
MemoryPlan plan_for(const ResolvedOptions& resolved, std::uint64_t input_bytes, bool records_on_host,
                    unsigned engine_count);

}  // namespace sortie
