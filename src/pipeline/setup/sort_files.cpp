#include "pipeline/setup/sort_files.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "io/files/file_uses.hpp"
#include "io/output/stream_output.hpp"
#include "pipeline/setup/parts_check.hpp"

namespace sortie {
namespace {

using Kind = FileUse::Kind;

void add(std::vector<FileUse>& uses, Kind kind, const std::string& path, const char* name) {
  if (!path.empty()) uses.push_back({kind, path, name});
}

void add_what_is_read(std::vector<FileUse>& uses, const SortOptions& options) {
  // The output may replace an input, and there may be many of these: without another target their names are not needed.
  const auto is_target = [](const FileUse& use) { return use.kind == Kind::kTarget; };
  if (std::ranges::any_of(uses, is_target)) {
    for (const std::string& input : options.inputs) add(uses, Kind::kInput, input, "an input");
    if (options.inputs.empty()) add(uses, Kind::kInput, "-", "an input");
  }
  for (const std::string& file : options.other_files) add(uses, Kind::kRead, file, "in use for another purpose");
  const std::string program = options.compress_program.value_or("");
  if (program.find('/') != std::string::npos) add(uses, Kind::kRead, program, "the compress program");
}

}  // namespace

void refuse_shared_targets_of_sort(FileSystem& files, const SortOptions& options) {
  std::vector<FileUse> uses;
  add(uses, Kind::kTarget, options.stats_json_path, "the statistics");
  add(uses, Kind::kTarget, options.report_path, "the report page");
  add(uses, Kind::kTarget, options.trace_path, "the trace");
  add(uses, Kind::kTarget, options.parts.manifest_path, "the manifest");
  if (!options.sink) add(uses, Kind::kOutput, options.output, "the output");
  add(uses, Kind::kDirectory, options.checkpoint_directory, "the checkpoint's directory");
  add_what_is_read(uses, options);
  refuse_shared_targets(files, uses);
  refuse_parts_in_other_use(files, options);
}

void refuse_shared_targets_of_check(FileSystem& files, const SortOptions& options) {
  std::vector<FileUse> uses;
  add(uses, Kind::kTarget, options.trace_path, "the trace");
  add_what_is_read(uses, options);
  refuse_shared_targets(files, uses);
}

PreflightRoom survey_room(FileSystem& files, const ScratchSpace& scratch, const SortOptions& options,
                          const PreflightNeeds& needs) {
  PreflightRoom room;
  room.scratch_directories = scratch.directories();
  if (needs.least_scratch_bytes > 0) scratch.check();
  if (needs.scratch_bytes > 0) room.scratch_bytes = scratch.free_bytes();
  if (needs.output_bytes == 0) return room;
  room.output_directory = result_directory(files, options.output, options.scratch_directories);
  if (room.output_directory.empty()) return room;
  const FreeSpace beside_target = files.free_space(room.output_directory);
  room.output_bytes = beside_target.bytes;
  room.output_is_beside_scratch = needs.scratch_bytes > 0 && scratch.uses(beside_target.file_system);
  return room;
}

Packing packing_of(const ResolvedOptions& resolved) {
  return {resolved.options.unpack, resolved.options.output_level, Packing::kUsualPackingBytes + resolved.packing_bytes};
}

std::unique_ptr<Output> open_report(FileSystem& files, const std::string& path, const SortOptions& options) {
  if (path.empty()) return nullptr;
  return std::make_unique<ReportOutput>(open_output(files, path, kNotPacked, options.temporary_names));
}

}  // namespace sortie
