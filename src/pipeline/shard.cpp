// The public functions of one sort by several processes that form and merge nothing: form_shard.cpp and
// merge_slices.cpp have those that do.
#include <sortie/join_shards.hpp>
#include <sortie/shard.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <sortie/error.hpp>

#include "base/system_limits.hpp"
#include "io/files/file.hpp"
#include "io/input/input.hpp"
#include "io/output/put_in_place.hpp"
#include "observe/assumption_words.hpp"
#include "observe/assumptions.hpp"
#include "pipeline/checkpoint/job_identity.hpp"
#include "pipeline/input/deferred_input.hpp"
#include "pipeline/input/input_opener.hpp"
#include "pipeline/job_site.hpp"
#include "pipeline/join/join_plan.hpp"
#include "pipeline/public_call.hpp"
#include "pipeline/setup/options_check.hpp"
#include "pipeline/shard/cut_file.hpp"
#include "pipeline/shard/run_slices.hpp"
#include "pipeline/shard/shared_sorts.hpp"
#include "record/layout.hpp"

namespace sortie {
namespace {

/// `is_side`: the run is of one side of a join.
RunCuts cut_run_in(const SortOptions& options, const std::string& path, std::uint64_t run,
                   std::span<const SliceBound> bounds, const std::string& header, bool is_side) {
  const JobSite site(options);
  refuse_what_processes_cannot(options);
  const SharedSort sort = is_side ? SharedSort{options, RecordForm::kKeyed} : first_shared_sort(options);
  const SortSpec spec = resolve(sort.options, std::as_bytes(std::span(header)), sort.form);
  return {to_string(identify_options(spec)), cut_run_file(site.files(), spec, spec.codec->order(), path, run, bounds)};
}

ShardCuts cut_shard_in(const SortOptions& options, const std::vector<std::string>& runs, std::uint64_t first_run,
                       std::span<const SliceBound> bounds, const std::string& header, const std::string& path,
                       bool is_side) {
  const JobSite site(options);
  refuse_cuts_over_others(site.files(), options, runs, path);
  ShardCuts result;
  std::vector<std::vector<RunCut>> cuts;
  for (const std::string& run : runs) {
    RunCuts of_run = cut_run_in(options, run, first_run + cuts.size(), bounds, header, is_side);
    result.identity = std::move(of_run.identity);
    cuts.push_back(std::move(of_run.cuts));
  }
  result.records.resize(bounds.size() + 2);
  result.output_bytes.resize(bounds.size() + 2);
  for (const std::vector<RunCut>& of_run : cuts) {
    for (std::size_t row = 0; row < of_run.size(); ++row) {
      result.records[row] += of_run[row].records;
      result.output_bytes[row] += of_run[row].output_bytes;
    }
  }
  result.file_bytes = write_cut_file(site.files(), path, cuts);
  return result;
}

/// Whether the input ends without the delimiter behind its last record, which a sort adds.
bool lacks_delimiter(FileSystem& files, const std::string& path, const Layout& layout) {
  if (layout.prefixed() || !layout.delimited()) return false;
  const std::unique_ptr<File> file = files.open_input(path);
  std::byte last{};
  return file->size() > 0 && file->read_at(file->size() - 1, std::span(&last, 1)) == 1 &&
         last != std::byte(static_cast<unsigned char>(layout.delimiter));
}

InputExtent extent_of(FileSystem& files, Input& input, const Layout& layout) {
  const std::optional<std::uint64_t> bytes = input.size();
  if (!bytes) return {};
  const bool is_longer = *bytes > 0 && lacks_delimiter(files, input.path(), layout);
  return {input.begin(), *bytes + (is_longer ? 1 : 0)};
}

}  // namespace

// Each input is opened as a sort opens it, and nothing of it is read behind its header but its last byte.
InputsHeader find_inputs_header(const SortOptions& options) try {
  const JobSite site(options);
  if (options.inputs.empty() || std::ranges::count(options.inputs, "-") > 0) {
    throw Error("several processes find a header in files that have names: name one");
  }
  InputOpener opener(site.files(), options);
  opener.find_header(options.inputs);
  const Layout layout = layout_of(options.format);
  std::vector<InputExtent> extents;
  for (const std::string& path : options.inputs) {
    extents.push_back(extent_of(site.files(), *opener.open(path), layout));
  }
  Assumptions assumptions;
  opener.report_headers(assumptions);
  const auto header = opener.header();
  InputsHeader found{
      {reinterpret_cast<const char*>(header.data()), header.size()}, assumptions.words(), std::move(extents)};
  refuse_if_strict(options, assumptions.list());
  return found;
} catch (...) {
  rethrow_as_error();
}

RunCuts cut_run(const SortOptions& options, const std::string& path, std::uint64_t run,
                std::span<const SliceBound> bounds, const std::string& header) {
  return public_call([&] { return cut_run_in(options, path, run, bounds, header, false); });
}

ShardCuts cut_shard(const SortOptions& options, const std::vector<std::string>& runs, std::uint64_t first_run,
                    std::span<const SliceBound> bounds, const std::string& header, const std::string& path) {
  return public_call([&] { return cut_shard_in(options, runs, first_run, bounds, header, path, false); });
}

ShardCuts cut_shard(const JoinOptions& options, JoinSide side, const std::vector<std::string>& runs,
                    std::uint64_t first_run, std::span<const SliceBound> bounds, const std::string& header,
                    const std::string& path) {
  return public_call([&] {
    validate_side(options);
    const SortOptions sort = shard_options(options, side);
    return cut_shard_in(sort, runs, first_run, bounds, header, path, true);
  });
}

bool put_in_place(const std::string& source, const std::string& target) {
  return public_call([&] { return put_in_place(*make_posix_file_system(), source, target); });
}

MachineShare machine_share(const std::string& root) {
  return public_call([&] { return MachineShare{available_memory_bytes(root), available_threads(root)}; });
}

}  // namespace sortie
