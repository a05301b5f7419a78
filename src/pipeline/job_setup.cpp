#include "pipeline/job_setup.hpp"

#include <algorithm>

#include <sortie/error.hpp>

#include "base/size.hpp"
#include "base/system_limits.hpp"
#include "pipeline/engine_choice.hpp"

namespace sortie {

ResolvedOptions resolve(const SortOptions& options) {
  validate(options.format);
  ResolvedOptions resolved;
  resolved.options = options;
  if (resolved.options.inputs.empty()) resolved.options.inputs = {"-"};
  resolved.threads = options.threads != 0 ? options.threads : available_threads();
  resolved.memory_bytes =
      options.memory_bytes != 0 ? options.memory_bytes : std::max(kMinMemoryBytes, available_memory_bytes() / 4 * 3);
  if (resolved.memory_bytes < kMinMemoryBytes) {
    throw Error("a memory budget of " + std::to_string(resolved.memory_bytes) + " bytes is too small: at least " +
                std::to_string(kMinMemoryBytes) + " are needed; raise it with --buffer-size");
  }
  return resolved;
}

bool inputs_can_be_read_again(FileSystem& files, const SortOptions& options) {
  return !options.inputs.empty() && std::ranges::all_of(options.inputs, [&](const std::string& path) {
    return path != "-" && files.status(path).kind == FileStatus::Kind::kRegular;
  });
}

MemoryPlan plan_for(const ResolvedOptions& resolved, std::uint64_t input_bytes, bool records_on_host,
                    unsigned engine_count) {
  const Format& format = resolved.options.format;
  MemoryPlanInput input;
  input.budget_bytes = resolved.memory_bytes;
  input.input_bytes = input_bytes;
  input.record_bytes = format.kind == RecordKind::kLines ? 0 : format.record_bytes;
  input.host_record_overhead = host_record_overhead(format);
  input.records_on_host = records_on_host;
  input.engine_count = engine_count;
  return plan_memory(input);
}

}  // namespace sortie
