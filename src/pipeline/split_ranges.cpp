// The last phase of a sort by several processes whose output is files that the records cut: writes these files, of
// ranges that have been merged. Records are passed on as merges have written them.
//
//   ranges ──▶ whole records ──▶ parts
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <sortie/byte_checksum.hpp>
#include <sortie/error.hpp>
#include <sortie/shard.hpp>

#include "base/quote.hpp"
#include "io/files/file.hpp"
#include "io/files/scratch.hpp"
#include "option/contradictions.hpp"
#include "pipeline/job_site.hpp"
#include "pipeline/parts/parts_output.hpp"
#include "pipeline/public_call.hpp"
#include "pipeline/setup/sort_files.hpp"
#include "pipeline/setup/sort_spec.hpp"
#include "record/prefixed/prefixed_records.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

constexpr std::size_t kRangePieceBytes = 4 << 20;

/// Reads the bytes of a stretch in turn.
class StretchReader {
 public:
  StretchReader(FileSystem& files, const RangeStretch& stretch)
      : file_(files.open_input(stretch.path)), offset_(stretch.begin), left_(stretch.bytes) {}

  bool at_end() const { return left_ == 0; }
  Checksum checksum() const { return checksum_.value(); }

  /// Fills `target`, or as much of it as there is.
  std::size_t read(std::span<std::byte> target) {
    target = target.first(static_cast<std::size_t>(std::min<std::uint64_t>(target.size(), left_)));
    if (file_->read_at(offset_, target) != target.size()) {
      throw Error("range " + quote_path(file_->path()) + " is shorter than the plan says: merge it again");
    }
    checksum_.add(target);
    offset_ += target.size();
    left_ -= target.size();
    return target.size();
  }

 private:
  std::unique_ptr<File> file_;
  std::uint64_t offset_;
  std::uint64_t left_;
  ByteChecksum checksum_;
};

/// Passes the records of a stretch on. Takes a piece of memory, or what the longest record needs.
Checksum pass_on(FileSystem& files, const RangeStretch& stretch, const Layout& layout, Output& parts) {
  StretchReader reader(files, stretch);
  std::vector<std::byte> piece(static_cast<std::size_t>(std::min<std::uint64_t>(kRangePieceBytes, stretch.bytes)));
  std::size_t kept = 0;  // bytes of a record that goes on
  while (!reader.at_end()) {
    if (kept == piece.size()) piece.resize(2 * kept);
    const std::size_t filled = kept + reader.read(std::span(piece).subspan(kept));
    const auto bytes = std::span<const std::byte>(piece).first(filled);
    const std::size_t whole = whole_records(layout, bytes);
    if (whole > 0) parts.write(bytes.first(whole));
    kept = filled - whole;
    std::copy_n(piece.begin() + static_cast<std::ptrdiff_t>(whole), kept, piece.begin());
  }
  if (kept > 0) throw Error("range " + quote_path(stretch.path) + " ends within a record: merge it again");
  return reader.checksum();
}

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
                     .protected_files = all_files.inputs,
                     .later_files = {},
                     .header = [header] { return header; },
                     .record_bytes = [&] { return plan.are_framed ? std::nullopt : std::optional(range_bytes); }},
                    scratch, options.temporary_names);
  write_header(header, plan.are_framed, parts);
  Layout layout = layout_of(spec.input_format);
  if (plan.are_framed) layout = {.framing = Framing::kPrefixed};
  RangesReport report;
  for (const RangeStretch& stretch : plan.ranges) report.checksums.push_back(pass_on(files, stretch, layout, parts));
  parts.finish();
  return report;
}

}  // namespace

RangesReport split_ranges(const SortOptions& options, const RangesPlan& plan) {
  return public_call([&] { return split_in(options, plan); });
}

}  // namespace sortie
