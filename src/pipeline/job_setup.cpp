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
  resolved.input_format = options.format;
  if (needs_decoration(options.format)) {
    resolved.decorator = std::make_shared<const LineDecorator>(options.format, options.unique);
    resolved.options.format = resolved.decorator->decorated_format();
  } else {
    resolved.options.format = plain_format(options.format);
  }
  if (resolved.options.inputs.empty()) resolved.options.inputs = {"-"};
  resolved.threads = options.threads != 0 ? options.threads : available_threads();
  resolved.memory_bytes =
      options.memory_bytes != 0 ? options.memory_bytes : std::max(kMinMemoryBytes, available_memory_bytes() / 4 * 3);
  if (options.merge_fan_in == 1) throw Error("a merge takes two runs at least: raise it with --batch-size");
  if (resolved.memory_bytes < kMinMemoryBytes) {
    throw Error("a memory budget of " + std::to_string(resolved.memory_bytes) + " bytes is too small: at least " +
                std::to_string(kMinMemoryBytes) + " are needed; raise it with --buffer-size");
  }
  return resolved;
}

std::uint64_t limited_fan_in(std::uint64_t fitting, const SortOptions& options) {
  return options.merge_fan_in == 0 ? fitting : std::min(fitting, options.merge_fan_in);
}

bool inputs_can_be_read_again(FileSystem& files, const SortOptions& options) {
  return !options.inputs.empty() && std::ranges::all_of(options.inputs, [&](const std::string& path) {
    return path != "-" && files.status(path).kind == FileStatus::Kind::kRegular;
  });
}

InputEstimate estimate_input(const ResolvedOptions& resolved, const RecordReader& reader) {
  return estimate_input(reader, resolved.input_format, resolved.decorator.get());
}

MemoryPlan plan_for(const ResolvedOptions& resolved, const InputEstimate& estimate, bool records_on_host,
                    unsigned engine_count) {
  MemoryPlanInput input;
  input.budget_bytes = resolved.memory_bytes;
  input.input_bytes = estimate.bytes.value_or(0);
  input.record_bytes = estimate.record_bytes;
  input.host_record_overhead = host_record_overhead(resolved.options.format);
  input.records_on_host = records_on_host;
  input.engine_count = engine_count;
  input.decorates = resolved.decorator != nullptr;
  return plan_memory(input);
}

}  // namespace sortie
