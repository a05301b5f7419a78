// The plan of a job, a value: which engine, how memory is divided, what file systems must have. It follows from
// numbers; of the machine it asks for the GPUs, if they matter. start_engines() makes it, once for each attempt, when
// all is known that can be known beforehand; the attempt does what it says, and plan() prints it.
//
//   options ─┐  choose_reading()                    start_engines()
//   inputs  ─┼───▶ a pipe's first bytes are read, ───▶ engines ── plan_job() ──▶ plan
//   machine ─┘     a file is mapped
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "engine/engine.hpp"
#include "pipeline/plan/memory_plan.hpp"
#include "pipeline/plan/preflight.hpp"
#include "pipeline/setup/machine.hpp"
#include "pipeline/setup/sort_spec.hpp"
#include "record/text/record_codec.hpp"

namespace sortie {

/// Sizes of records in the form in which they are sorted: lines may be encoded.
struct InputEstimate {
  std::optional<std::uint64_t> bytes;  ///< total, rather too high; nothing if the inputs' size is unknown
  std::uint64_t record_bytes = 0;      ///< average per record, rather too low; 0 if unknown
  /// Memory that the inputs take beside records: a mapped one that these refer to, or packed ones that are unpacked
  /// before their turn.
  std::uint64_t held_bytes = 0;
};

struct InputSizes {
  std::optional<std::uint64_t> bytes;         ///< all inputs as they are read; nothing if unknown
  std::optional<std::uint64_t> stored_bytes;  ///< the files, packed or not; nothing if unknown, or if `bytes` suffice
  std::uint64_t resumed_bytes = 0;            ///< what an earlier attempt has read of them
  InputEstimate sorted;
  MemoryBudget budget = {};  ///< follows from the sizes, too
};

/// Size of the sample of inputs of `input_bytes`, from their beginning.
std::size_t estimate_sample_bytes(std::uint64_t input_bytes);

/// `bytes`: all inputs. `sample`: whole records of them, empty if there are none to be seen; needed for lines only.
InputEstimate estimate_input(std::optional<std::uint64_t> bytes, std::span<const std::byte> sample,
                             const RecordCodec& codec);

/// How the input is read. The latter two ways may turn out otherwise.
enum class Reading {
  kCopied,
  kFirstBytesFirst,  ///< a pipe whose beginning is read before an engine is chosen: a short one starts no GPU
  kInPlace,          ///< lines stay in the mapped input, if it can be mapped and there is room beside it
};

struct JobPlan {
  EngineDecision engine;
  MemoryPlan memory;
  PreflightEstimate needs;  ///< of file systems
};

/// Engines as they have started. They may be others than were decided on.
struct StartedEngines {
  bool form_runs_on_host = true;
  unsigned count = 1;
};

Reading choose_reading(const SortSpec& spec, const InputSizes& sizes, const Machine& machine);

/// Throws Error if a GPU is asked for and there is no GPU module.
EngineDecision decide_engine(const SortSpec& spec, const InputSizes& sizes, const Machine& machine);

/// What engines must know to take memory on a device.
EngineWorkload engine_workload(const SortSpec& spec, const InputSizes& sizes);

JobPlan plan_job(const SortSpec& spec, const InputSizes& sizes, const EngineDecision& decision,
                 const StartedEngines& engines);

/// The same for the engines that would be decided on, as if they had started.
JobPlan plan_job(const SortSpec& spec, const InputSizes& sizes, const Machine& machine);

/// What file systems must have. `run_bytes`: records in a run, as the engine says; 0 if it is unknown.
PreflightEstimate needs_of_job(const SortSpec& spec, const InputSizes& sizes, const MemoryPlan& memory,
                               std::uint64_t run_bytes);

/// Whether inputs that are in order already gain by being merged while they are read, instead of being sorted as `plan`
/// says.
bool streams_if_sorted(const SortSpec& spec, const JobPlan& plan);

/// What memory is divided for. `records_on_host`: engines keep their chunks in host memory.
MemoryPlanInput memory_plan_input(const SortSpec& spec, const MemoryBudget& budget, const InputEstimate& estimate,
                                  bool records_on_host, unsigned engine_count);

}  // namespace sortie
