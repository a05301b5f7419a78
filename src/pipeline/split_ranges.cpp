// The last phase of a sort by several processes whose output is files that the records cut: writes these files, of
// ranges that have been merged. Records are passed on as merges have written them.
//
//   ranges ──▶ whole records ──▶ parts
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <sortie/error.hpp>
#include <sortie/shard.hpp>

#include "io/files/file.hpp"
#include "io/files/scratch.hpp"
#include "option/contradictions.hpp"
#include "pipeline/job_site.hpp"
#include "pipeline/parts/parts_output.hpp"
#include "pipeline/public_call.hpp"
#include "pipeline/range_reader.hpp"
#include "pipeline/setup/sort_files.hpp"
#include "pipeline/setup/sort_spec.hpp"
#include "record/prefixed/prefixed_records.hpp"

namespace sortie {
namespace {

void write_header(std::span<const std::byte> header, bool in_frame, Output& parts) {
  if (header.empty()) return;
  if (!in_frame) return parts.write(header);
  std::vector<std::byte> framed;
  append_prefixed_record({}, header, framed);
  parts.write(framed);
}

std::vector<std::string> paths_of(const RangesPlan& plan) {
  std::vector<std::string> paths;
  for (const RangeStretch& stretch : plan.ranges) paths.push_back(stretch.path);
  return paths;
}

RangesReport split_in(const SortOptions& options, const RangesPlan& plan) {
  const JobSite site(options);
  option::refuse_beside_job(options, option::Door::kLibrary, "split of ranges");
  if (!options.parts.are_wanted()) throw Error("ranges are split into parts: say where parts end");
  FileSystem& files = site.files();
  SortOptions all_files = site.options();
  all_files.inputs = paths_of(plan);
  refuse_shared_targets_of_sort(files, all_files);
  const SortSpec spec = resolve(site.options(), std::as_bytes(std::span(plan.header)));
  std::uint64_t range_bytes = 0;
  for (const RangeStretch& stretch : plan.ranges) range_bytes += stretch.bytes;
  const auto header = std::as_bytes(std::span(spec.group_text ? spec.group_header : plan.header));
  ScratchSpace scratch(files, options.scratch_directories);
  PartsOutput parts(files,
                    {.parts = options.parts,
                     .pattern = options.output,
                     .packing = packing_of(spec, memory_budget(spec, range_bytes)),
                     .shown = {spec.input_format, options.count, false, options.grouping.has_value()},
                     .are_framed = plan.are_framed,
                     .has_checksums = true,
                     .list_head = list_head(spec),
                     .protected_files = all_files.inputs,
                     .later_files = {},
                     .header = [header] { return header; },
                     .record_bytes = [&] { return plan.are_framed ? std::nullopt : std::optional(range_bytes); }},
                    scratch, options.temporary_names);
  write_header(header, plan.are_framed, parts);
  Layout layout = layout_of(spec.input_format);
  if (plan.are_framed) layout = {.framing = Framing::kPrefixed};
  RangesReport report;
  for (const RangeStretch& stretch : plan.ranges) {
    report.checksums.push_back(read_range(files, stretch, layout, [&](auto records) { parts.write(records); }));
  }
  parts.finish();
  return report;
}

}  // namespace

RangesReport split_ranges(const SortOptions& options, const RangesPlan& plan) {
  return public_call([&] { return split_in(options, plan); });
}

}  // namespace sortie
