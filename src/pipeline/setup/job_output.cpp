#include "pipeline/setup/job_output.hpp"

#include <optional>
#include <utility>

#include "pipeline/parts/parts_output.hpp"
#include "pipeline/setup/sort_files.hpp"

namespace sortie {
namespace {

/// Share of the memory budget for a result that no file can hold before it is complete. Records that fit what is left
/// are sorted there.
constexpr std::uint64_t kHeldShare = 3;

/// Bytes of all records of the output, once its first record comes. An output from which records are dropped, or before
/// which not all inputs have been read, has no known size by then.
std::optional<std::uint64_t> output_bytes(const JobInputs& inputs) {
  const SortOptions& options = inputs.resolved().options;
  if (options.unique || options.grouping || options.top_records != 0 || options.merge_only) return std::nullopt;
  return inputs.totals_read().bytes;
}

std::vector<std::string> files_read(const SortOptions& options) {
  std::vector<std::string> paths = options.inputs;
  paths.insert(paths.end(), options.other_files.begin(), options.other_files.end());
  return paths;
}

std::vector<std::string> files_written_later(const SortOptions& options) {
  std::vector<std::string> paths;
  for (const std::string* path : {&options.trace_path, &options.stats_json_path, &options.report_path}) {
    if (!path->empty() && *path != "-") paths.push_back(*path);
  }
  return paths;
}

}  // namespace

bool needs_frames(const SortOptions& options, const Format& format) {
  return options.parts.are_wanted() && (options.grouping || format.text.record_start);
}

std::unique_ptr<Output> open_job_output(FileSystem& files, JobInputs& inputs, ScratchSpace& scratch) {
  const ResolvedOptions& resolved = inputs.resolved();
  const SortOptions& options = resolved.options;
  const Packing packing = packing_of(resolved);
  if (!options.parts.are_wanted()) {
    const std::uint64_t share = resolved.memory_bytes / kHeldShare;
    HeldResult held{.most_bytes = HeldResult::kUsualHeldBytes + share};
    auto output =
        open_output(files, options.output, packing, options.temporary_names, options.scratch_directories, &held);
    if (held.is_used) inputs.hold_output(share);
    return output;
  }
  PartsSetting setting{
      .parts = options.parts,
      .pattern = options.output,
      .packing = packing,
      .shown = {resolved.input_format, options.count, options.merge_only, options.grouping.has_value()},
      .are_framed = needs_frames(options, resolved.input_format),
      .has_checksums = options.verify,
      .other_files = files_read(options),
      .later_files = files_written_later(options),
      .header = [&inputs] { return inputs.shown_header(); },
      .record_bytes = [&inputs] { return output_bytes(inputs); }};
  return std::make_unique<PartsOutput>(files, std::move(setting), scratch, options.temporary_names);
}

}  // namespace sortie
