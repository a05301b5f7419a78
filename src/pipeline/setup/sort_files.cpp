#include "pipeline/setup/sort_files.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sortie/error.hpp>

#include "base/hex_digits.hpp"
#include "base/letter_case.hpp"
#include "base/quote.hpp"
#include "base/whole_number.hpp"
#include "io/files/file_uses.hpp"
#include "io/files/folded_names.hpp"
#include "io/output/open_output.hpp"
#include "io/paths/paths.hpp"
#include "pipeline/parts/indexed_file.hpp"
#include "pipeline/parts/indexed_output.hpp"
#include "pipeline/parts/part_names.hpp"
#include "pipeline/parts/parts_output.hpp"
#include "record/text/byte_words.hpp"

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
  for (const std::string& file : options.protected_files) add(uses, Kind::kRead, file, "in use for another purpose");
  const std::string program = options.compress_program.value_or("");
  if (program.find('/') != std::string::npos) add(uses, Kind::kRead, program, "the compress program");
}

/// Share of the memory budget for a result that no file can hold before it is complete. Records that fit what is left
/// are sorted there.
constexpr std::uint64_t kHeldShare = 3;

/// Share of the memory budget for an index, beside what any sort may take for it.
constexpr std::uint64_t kIndexShare = 16;
constexpr std::uint64_t kUsualIndexBytes = 16 << 20;

/// Bytes of all records of the output, once its first record comes. An output from which records are dropped, or before
/// which not all inputs have been read, has no known size by then.
std::optional<std::uint64_t> output_bytes(const JobInputs& inputs) {
  const SortOptions& options = inputs.spec().options;
  if (options.unique || options.grouping || options.top_records != 0 || options.merge_only) return std::nullopt;
  return inputs.totals_read().bytes;
}

std::vector<std::string> files_read(const SortOptions& options) {
  std::vector<std::string> paths = options.inputs;
  paths.insert(paths.end(), options.protected_files.begin(), options.protected_files.end());
  return paths;
}

std::vector<std::string> files_written_later(const SortOptions& options) {
  std::vector<std::string> paths;
  for (const std::string* path :
       {&options.trace_path, &options.stats_json_path, &options.report_path, &options.dropped_path}) {
    if (!path->empty() && *path != "-") paths.push_back(*path);
  }
  return paths;
}

/// Knows which files parts may reach.
class PartTargets {
 public:
  PartTargets(FileSystem& files, const SortOptions& options)
      : files_(files),
        is_numbered_(!options.parts.by_first_key),
        names_(options.output, options.parts),
        folded_names_(in_lower_case(options.output), options.parts),
        folder_(real_path(names_.directory()).value_or("")) {}

  /// Whether the entry `path` lies in the folder of the parts, under a name that a part may have, or one that reaches
  /// the same file there.
  bool hold(const std::string& path) {
    const std::string name = name_in_directory(path);
    const bool is_name = names_.may_be_part(name);
    const bool is_name_in_lower_case = folded_names_.may_be_part(in_lower_case(name));
    const std::optional<std::string> numbered = is_name || is_name_in_lower_case ? std::nullopt : part_like(name);
    if (!is_name && !is_name_in_lower_case && !numbered) return false;
    if (real_path(directory_of(path)) != folder_) return false;
    return numbered ? are_one_name(files_, names_.directory(), name, *numbered) : is_name || folds_case();
  }

 private:
  /// A part with a number that is in `name`, whose name may be the same for some file system beyond the letters of
  /// ASCII. What values give is not known beforehand: PartsOutput looks at them.
  std::optional<std::string> part_like(const std::string& name) const {
    if (!is_numbered_) return std::nullopt;
    for (auto begin = std::ranges::find_if(name, is_digit); begin != name.end();) {
      const auto end = std::find_if_not(begin, name.end(), is_digit);
      const auto number = whole_number<std::uint64_t>(std::string_view(begin, end));
      const std::string part = number ? name_in_directory(names_.for_number(*number)) : name;
      if (may_be_one_name(part, name)) return part;
      begin = std::find_if(end, name.end(), is_digit);
    }
    return std::nullopt;
  }

  bool folds_case() {
    if (!folds_case_) folds_case_ = are_one_name(files_, names_.directory(), "a", "A");
    return *folds_case_;
  }

  FileSystem& files_;
  bool is_numbered_;
  PartNames names_;
  PartNames folded_names_;
  std::string folder_;
  std::optional<bool> folds_case_;
};

/// Throws Error if a part could have the name of a file that the sort reads or writes otherwise.
void refuse_parts_in_other_use(FileSystem& files, const SortOptions& options) {
  if (!options.parts.are_wanted()) return;
  PartTargets targets(files, options);
  std::vector<std::string> others = files_read(options);
  for (const std::string* path : {&options.trace_path, &options.stats_json_path, &options.report_path,
                                  &options.dropped_path, &options.parts.manifest_path}) {
    if (!path->empty()) others.push_back(*path);
  }
  for (const std::string& path : others) {
    if (!targets.hold(path) && !targets.hold(files.resolve_links(path))) continue;
    throw Error("a part of the output could replace " + quote_path(path) +
                ", which is in use for another purpose: name the parts otherwise");
  }
}

/// Programs take what they find, and one form before the other.
void warn_of_other_index(FileSystem& files, const SortOptions& options) {
  const IndexForm other = options.index->form == IndexForm::kTbi ? IndexForm::kCsi : IndexForm::kTbi;
  const std::string path = index_path(options.output, other);
  if (!options.warn || files.target_status(path).kind == FileStatus::Kind::kMissing) return;
  options.warn(quote_path(path) +
               " is there, too, and of what the output was before: programs may take it in place of the " +
               "new index; remove it");
}

}  // namespace

void refuse_shared_targets_of_sort(FileSystem& files, const SortOptions& options) {
  std::vector<FileUse> uses;
  add(uses, Kind::kTarget, options.stats_json_path, "the statistics");
  add(uses, Kind::kTarget, options.report_path, "the report page");
  add(uses, Kind::kTarget, options.trace_path, "the trace");
  add(uses, Kind::kTarget, options.parts.manifest_path, "the manifest");
  add(uses, Kind::kTarget, options.dropped_path, "the list of dropped records");
  if (!options.sink) add(uses, Kind::kOutput, options.output, "the output");
  if (options.index) add(uses, Kind::kTarget, index_path(options.output, options.index->form), "the index");
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

PreflightSpace survey_room(FileSystem& files, const ScratchSpace& scratch, const SortOptions& options,
                           const PreflightEstimate& needs) {
  PreflightSpace room;
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

Packing packing_of(const SortSpec& spec, const MemoryBudget& budget) {
  return {spec.options.unpack, spec.options.output_level, Packing::kUsualPackingBytes + budget.packing_bytes};
}

bool parts_need_frames(const SortOptions& options, const Format& format) {
  return options.grouping || format.text.record_start;
}

bool needs_frames(const SortOptions& options, const Format& format) {
  return options.parts.are_wanted() && parts_need_frames(options, format);
}

PartListHead list_head(const SortSpec& spec) {
  const TextOrder& order = spec.input_format.text;
  PartListHead head;
  if (order.random_seed && (spec.input_format.shuffle || is_ordered_by_seed(order)))
    head.seed = hex_digits(*order.random_seed);
  if (is_ordered_by_shares(order)) head.shares = order.keys.front().shares;
  return head;
}

std::unique_ptr<Output> open_job_output(FileSystem& files, JobInputs& inputs, ScratchSpace& scratch) {
  const SortSpec& spec = inputs.spec();
  const SortOptions& options = spec.options;
  const Packing packing = packing_of(spec, inputs.sizes().budget);
  if (options.index) {
    warn_of_other_index(files, options);
    const std::uint64_t share = inputs.sizes().budget.memory_bytes / kIndexShare;
    inputs.hold_output(share);
    const int level = settled_level(CompressionFormat::kBgzf, packing.level);
    return make_indexed_output(files, options.output, *options.index, level, kUsualIndexBytes + share,
                               options.temporary_names);
  }
  if (!options.parts.are_wanted()) {
    const std::uint64_t share = inputs.sizes().budget.memory_bytes / kHeldShare;
    HeldResult held{.most_bytes = HeldResult::kUsualHeldBytes + share};
    auto output =
        open_output(files, options.output, packing, options.temporary_names, options.scratch_directories, &held);
    if (held.is_used) inputs.hold_output(share);
    return output;
  }
  PartsContext context{.parts = options.parts,
                       .pattern = options.output,
                       .packing = packing,
                       .shown = {spec.input_format, options.count, options.merge_only, options.grouping.has_value()},
                       .are_framed = needs_frames(options, spec.input_format),
                       .has_checksums = options.verify,
                       .list_head = list_head(spec),
                       .protected_files = files_read(options),
                       .later_files = files_written_later(options),
                       .header = [&inputs] { return inputs.shown_header(); },
                       .record_bytes = [&inputs] { return output_bytes(inputs); }};
  return std::make_unique<PartsOutput>(files, std::move(context), scratch, options.temporary_names);
}

}  // namespace sortie
