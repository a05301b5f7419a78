// The plan of a job, a value: which engine, how the input is read, how memory is divided, what file systems must have.
// It follows from numbers; of the machine it asks for the GPUs, if they matter. SortJob does what it says.
// describe_plan() prints it as it is before the input has been mapped or a pipe has been read.
//
//   options ─┐                more is known of the input:         engines have started:
//   inputs  ─┼─ plan_job() ──── plan_job() once more ────────────── replan() ──────────▶
//   machine ─┘                a pipe's first bytes, a mapped file
#pragma once

#include <cstdint>

#include "engine/engine.hpp"
#include "pipeline/plan/memory_plan.hpp"
#include "pipeline/plan/preflight.hpp"
#include "pipeline/setup/input_estimate.hpp"
#include "pipeline/setup/job_setup.hpp"
#include "pipeline/setup/machine.hpp"

namespace sortie {

/// How the input is read. The latter two ways may turn out otherwise, and then the plan changes.
enum class Reading {
  kCopied,
  kFirstBytesFirst,  ///< a pipe whose beginning is read before an engine is chosen: a short one starts no GPU
  kInPlace,          ///< lines stay in the mapped input, if it can be mapped and there is room beside it
};

struct JobPlan {
  EngineDecision engine;
  EngineDemand demand;  ///< what engines must know to take memory on a device
  Reading reading = Reading::kCopied;
  MemoryPlan memory;     ///< before engines have started: as if they were as planned
  PreflightNeeds needs;  ///< of file systems
};

/// Engines as they have started. They may be others than the plan asked for.
struct StartedEngines {
  bool form_runs_on_host = true;
  unsigned count = 1;
};

/// Throws Error if a GPU is asked for and there is no GPU module.
JobPlan plan_job(const ResolvedOptions& resolved, const InputFacts& facts, const Machine& machine);

/// Whether inputs that are in order already gain by being merged while they are read, instead of being sorted.
bool streams_if_sorted(const ResolvedOptions& resolved, const JobPlan& plan);

/// Divides memory for the engines that have started.
void replan(JobPlan& plan, const ResolvedOptions& resolved, const InputFacts& facts, const StartedEngines& engines);

/// Tells anew what file systems must have. `run_bytes`: records in a run, as the engine says; 0 if it is unknown.
void update_needs(JobPlan& plan, const ResolvedOptions& resolved, const InputFacts& facts, std::uint64_t run_bytes);

/// What memory is divided for. `records_on_host`: engines keep their chunks in host memory.
MemoryPlanInput memory_plan_input(const ResolvedOptions& resolved, const InputEstimate& estimate, bool records_on_host,
                                  unsigned engine_count);

}  // namespace sortie
