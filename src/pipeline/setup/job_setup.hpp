// What sort(), plan() and check() need before they begin: resolved options, estimates and plans.
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
  /// Their format is that of the records while they are sorted: lines may be decorated.
  SortOptions options;
  Format input_format;                             ///< format in which records are read and written
  std::shared_ptr<const LineDecorator> decorator;  ///< null if records are sorted as they are
  /// The last of records with equal keys is kept, and may differ from the first.
  bool keeps_last = false;
  std::uint64_t memory_bytes = 0;
  /// Limit to which memory may grow for records that are longer than their share of it: the budget, or the default one
  /// if that is greater.
  std::uint64_t most_memory_bytes = 0;
  unsigned threads = 0;

  /// Whether the output for records with equal keys is known only when the last of them has come.
  bool needs_groups() const { return options.count || keeps_last; }
};

/// Number of CPU threads, 1 to kMostThreads: as the options say, or fewer if address space is limited.
unsigned thread_count(const SortOptions& options);

/// `header`: that of the inputs, which names the columns. Throws Error for a column name that it does not have.
/// Precondition: validate(options).
ResolvedOptions resolve(const SortOptions& options, std::span<const std::byte> header = {});

/// Runs merged at once: `fitting`, or fewer if the options say so.
std::uint64_t limited_fan_in(std::uint64_t fitting, const SortOptions& options);

/// Whether a sort that has begun to read its inputs can begin anew. It cannot with pipes, nor with standard input,
/// which is not read from its beginning again even if it is a file.
bool inputs_can_be_read_again(FileSystem& files, const SortOptions& options);

/// Estimates how much is to be sorted: with SortOptions::top_records, little.
InputEstimate estimate_input(const ResolvedOptions& resolved, const RecordReader& reader);

/// What engines must know to take memory on a device. If sorted inputs are only merged, the sizes of the files replace
/// the estimated bytes.
EngineDemand engine_demand(const ResolvedOptions& resolved, const InputEstimate& estimate);

/// The numbers that plan_for() plans with.
MemoryPlanInput memory_plan_input(const ResolvedOptions& resolved, const InputEstimate& estimate, bool records_on_host,
                                  unsigned engine_count);

/// `records_on_host`: the engine keeps its chunks in host memory.
MemoryPlan plan_for(const ResolvedOptions& resolved, const InputEstimate& estimate, bool records_on_host,
                    unsigned engine_count);

}  // namespace sortie
