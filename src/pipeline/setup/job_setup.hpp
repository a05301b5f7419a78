// What sort(), plan() and check() need before they begin: options resolved, inputs open.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <sortie/options.hpp>

#include "engine/engine.hpp"
#include "io/file.hpp"
#include "pipeline/input/input_estimate.hpp"
#include "pipeline/input/record_reader.hpp"
#include "pipeline/plan/memory_plan.hpp"
#include "record/text/line_decorator.hpp"

namespace sortie {

/// Options with every default filled in.
struct ResolvedOptions {
  SortOptions options;  ///< their format is that of records while they are sorted: lines may be decorated
  Format input_format;  ///< of records as they are read and written
  std::shared_ptr<const LineDecorator> decorator;  ///< null if records are sorted as they are
  /// The last of records with equal keys is kept, and differs from the first.
  bool keeps_last = false;
  std::uint64_t memory_bytes = 0;
  /// To which memory may grow for records that are longer than a share of it: the budget that would be taken by
  /// default.
  std::uint64_t most_memory_bytes = 0;
  unsigned threads = 0;

  /// Which of records with equal keys there is in the output cannot be said before the last of them has come.
  bool needs_groups() const { return options.count || keeps_last; }
};

/// CPU threads that the options ask for, 1 to kMostThreads.
unsigned thread_count(const SortOptions& options);

/// `header`: of the inputs, in which columns have their names. Throws Error for names that it does not have.
/// Precondition: validate(options).
ResolvedOptions resolve(const SortOptions& options, std::span<const std::byte> header = {});

/// Runs merged at once: `fitting`, or fewer if the options say so.
std::uint64_t limited_fan_in(std::uint64_t fitting, const SortOptions& options);

/// Whether a sort that has read of its inputs can begin anew: pipes are empty then, and standard input, even if it is
/// a file, stands somewhere.
bool inputs_can_be_read_again(FileSystem& files, const SortOptions& options);

/// Estimates what is to be sorted: with SortOptions::top_records that is little.
InputEstimate estimate_input(const ResolvedOptions& resolved, const RecordReader& reader);

/// What engines must know to take memory on a device. Where sorted inputs are only merged the estimate does not count.
EngineDemand engine_demand(const ResolvedOptions& resolved, const InputEstimate& estimate);

/// What plan_for() plans with.
MemoryPlanInput memory_plan_input(const ResolvedOptions& resolved, const InputEstimate& estimate, bool records_on_host,
                                  unsigned engine_count);

/// `records_on_host`: the engine keeps its chunks in host memory.
MemoryPlan plan_for(const ResolvedOptions& resolved, const InputEstimate& estimate, bool records_on_host,
                    unsigned engine_count);

}  // namespace sortie
