#include "pipeline/job_store.hpp"

#include <cstdint>
#include <utility>

#include <sortie/error.hpp>

#include "base/system_limits.hpp"
#include "pipeline/run_merging.hpp"
#include "pipeline/runs/compression_policy.hpp"
#include "pipeline/setup/sort_files.hpp"

namespace sortie {
namespace {

/// Every machine has so much free memory.
constexpr std::uint64_t kSurelyFreeBytes = 512 << 20;

/// Whether runs have to be compressed to fit the scratch space. Throws Error if the sort cannot succeed.
bool scratch_is_short(const StoreMeans& means) {
  const SortOptions& options = means.inputs.resolved().options;
  PreflightNeeds needs = means.plan.needs;
  needs.output_bytes = 0;  // its space is reserved by now, or cannot be
  const PreflightRoom room = survey_room(means.files, means.scratch, options, needs);
  for (const PreflightFinding& finding : preflight(needs, room)) {
    if (finding.is_fatal) throw Error(finding.message, finding.remedy);
    if (options.warn) options.warn(finding.message);
  }
  return needs.scratch_bytes + needs.scratch_bytes / 16 > room.scratch_bytes;
}

}  // namespace

bool writes_around_cache(const PreflightNeeds& needs) {
  return exceeds_cache(needs, kSurelyFreeBytes) && exceeds_cache(needs, available_memory_bytes());
}

std::unique_ptr<RunStore> open_job_store(const StoreMeans& means, bool around_cache) {
  const ResolvedOptions& resolved = means.inputs.resolved();
  const SortOptions& options = resolved.options;
  const InputEstimate& sorted = means.inputs.facts().sorted;
  const MemoryPlan& memory = means.plan.memory;
  // The system is not asked about files that will hardly be made.
  const bool makes_files = !sorted.bytes || means.plan.needs.scratch_bytes > 0 || options.merge_only;
  // Inputs need the other files that may be opened, and so do pipes. A merge of inputs opens as many of those as it
  // can.
  const bool spares_files = options.merge_only || options.compress_program || !makes_files;
  const std::uint64_t most_run_files = spares_files ? 1 : free_descriptors() / 2;
  const CompressionPolicy::Scratch place{.is_short = scratch_is_short(means),
                                         .lies_in_memory = makes_files && means.scratch.lies_in_memory()};
  auto policy = std::make_unique<CompressionPolicy>(options, place);
  const bool prepares_files = place.lies_in_memory && !options.compress_program && policy->never_compresses();
  return std::make_unique<RunStore>(
      options.format, means.order, means.scratch, std::move(policy),
      RunStore::Options{memory.store_bytes, memory.merge.block_bytes, resolved.repeats_in_runs(), options.verify,
                        sorted.bytes.value_or(0), resolved.decorator.get(), means.checkpoint, memory.most_block_bytes,
                        memory.index_step_bytes, options.compress_program, most_run_files, around_cache,
                        prepares_files},
      means.observer, pinner_of(means.engines));
}

}  // namespace sortie
