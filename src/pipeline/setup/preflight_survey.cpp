#include "pipeline/setup/preflight_survey.hpp"

#include <algorithm>

#include "base/size.hpp"
#include "base/system_limits.hpp"
#include "io/output.hpp"

namespace sortie {
namespace {

std::uint64_t spilled_bytes(std::uint64_t bytes, std::uint64_t run_bytes, std::uint64_t store_bytes) {
  return bytes <= run_bytes ? 0 : bytes - std::min(bytes, store_bytes);
}

/// Whether as many bytes are stored as are read.
bool stores_what_is_read(const ResolvedOptions& resolved) {
  return !resolved.decorator && !resolved.options.unique && resolved.options.top_records == 0;
}

}  // namespace

PreflightNeeds needs_of(const ResolvedOptions& resolved, const MemoryPlan& plan, const SortDemand& demand) {
  const SortOptions& options = resolved.options;
  PreflightNeeds needs;
  needs.may_compress = options.compression != Compression::kNone || options.compress_program.has_value();
  if (demand.input_bytes && stores_what_is_read(resolved)) needs.output_bytes = *demand.input_bytes;
  if (options.merge_only || demand.run_bytes == 0 || !demand.sorted_bytes) return needs;
  const std::uint64_t store_bytes = demand.keeps_runs ? 0 : plan.store_bytes;
  const std::uint64_t most_run_bytes = std::max(demand.run_bytes, plan.formation_bytes);
  needs.scratch_bytes = spilled_bytes(*demand.sorted_bytes, demand.run_bytes, store_bytes);
  if (!stores_what_is_read(resolved) || !demand.input_bytes) return needs;
  needs.least_scratch_bytes =
      std::min(needs.scratch_bytes, spilled_bytes(*demand.input_bytes, most_run_bytes, store_bytes));
  return needs;
}

PreflightRoom survey_room(FileSystem& files, const ScratchSpace& scratch, const SortOptions& options,
                          const PreflightNeeds& needs) {
  PreflightRoom room;
  room.scratch_directories = scratch.directories();
  if (needs.least_scratch_bytes > 0) scratch.check();
  if (needs.scratch_bytes > 0) room.scratch_bytes = scratch.free_bytes();
  room.output_directory = result_directory(files, options.output, options.scratch_directories);
  if (room.output_directory.empty() || needs.output_bytes == 0) return room;
  const FreeSpace beside_target = files.free_space(room.output_directory);
  room.output_bytes = beside_target.bytes;
  room.output_is_beside_scratch = needs.scratch_bytes > 0 && scratch.uses(beside_target.file_system);
  return room;
}

}  // namespace sortie
