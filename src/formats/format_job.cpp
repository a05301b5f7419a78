// The job that sorts files of a format, whatever the format: open, read and push, pull and write, complete.
//
//   read() on all threads ──▶ push ═ sort of records ═ pull ──▶ write() on all threads ──▶ finish()
//   the next batch meanwhile                                     packs while the next part comes
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sortie/error.hpp>
#include <sortie/file_formats.hpp>
#include <sortie/sort.hpp>

#include "formats/format_choice.hpp"
#include "formats/format_options.hpp"
#include "formats/inputs_identity.hpp"
#include "formats/read_ahead.hpp"
#include "pipeline/job_site.hpp"
#include "pipeline/public_call.hpp"
#include "pipeline/pushed_sort.hpp"

namespace sortie {
namespace {

using formats::FileFormat;
using formats::FormatFiles;

void refuse_settings_without_format(const FileFormatOptions& asked) {
  if (asked.settings.empty()) return;
  throw Error("--" + asked.settings.front().name +
              " is for files of a format, and the first input is of none that is known: say which by --format");
}

void require_all_written(const FormatFiles& files, const SortReport& report, const FileFormat& format) {
  const bool keeps_all = report.input_records == report.output_records;
  if (files.records_written() == report.output_records && (!keeps_all || files.records_read() == report.input_records))
    return;
  throw Error("the output of " + std::string(format.name) + " has " + std::to_string(files.records_written()) +
              " records of " + std::to_string(files.records_read()) + " that were read: this is a fault of Sortie");
}

SortReport run(const FileFormat& format, FileSystem& file_system, const SortOptions& options,
               const FileFormatOptions& asked) {
  const std::uint64_t buffer_bytes = formats::buffer_bytes_of(options);
  const auto warn = [&](const std::string& message) {
    if (options.warn) options.warn(Warning{message});
  };
  const formats::JobContext context{file_system, options, asked, buffer_bytes, true, warn};
  SortOptions records = formats::record_options(format, options, buffer_bytes);
  if (!records.checkpoint_directory.empty()) records.source_identity = formats::identity_of_inputs(format, context);
  const std::unique_ptr<FormatFiles> files = format.open(context);
  PushedSort sort(records, &sortie::sort);
  const bool keeps_runs = !records.checkpoint_directory.empty();
  if (keeps_runs) sort.hold_end();
  formats::push_all(*files, sort);
  for (auto sorted = sort.pull(); !sorted.empty(); sorted = sort.pull()) files->write(sorted);
  if (keeps_runs) {
    throw_if_stopped();
    files->finish();
    sort.let_end();
    sort.pull();
    require_all_written(*files, sort.report(), format);
    return sort.report();
  }
  require_all_written(*files, sort.report(), format);
  throw_if_stopped();
  // Copied before the output is in its place: nothing may fail behind that.
  SortReport report = sort.report();
  files->finish();
  return report;
}

std::string describe(const FileFormat& format, FileSystem& file_system, const SortOptions& options,
                     const FileFormatOptions& asked) {
  const std::uint64_t buffer_bytes = formats::buffer_bytes_of(options);
  const formats::JobContext context{file_system, options, asked, buffer_bytes, false, {}};
  const std::string words = format.open(context)->description();
  SortOptions records = formats::record_options(format, options, buffer_bytes);
  if (!records.checkpoint_directory.empty()) records.source_identity = formats::identity_of_inputs(format, context);
  records.source = [](std::span<std::byte>) { return std::size_t{0}; };
  records.sink = [](std::span<const std::byte>) {};
  return words + plan(records);
}

/// Calls `work(format, files)` if the inputs are files of a format, and returns what it returns.
template <class Work>
auto with_format(const SortOptions& options, const FileFormatOptions& asked, const Work& work)
    -> std::optional<decltype(work(std::declval<const FileFormat&>(), std::declval<FileSystem&>()))> {
  if (!formats::may_be_of_format(options, asked)) return std::nullopt;
  const SortOptions of_site = formats::options_of_site(options);
  const JobSite site(of_site);
  const FileFormat* const format = formats::chosen_format(site.files(), options, asked);
  if (format == nullptr) return std::nullopt;
  formats::refuse_foreign_options(*format, options, asked);
  formats::validate_for_format(options);
  return work(*format, site.files());
}

}  // namespace

SortReport sort_files(const SortOptions& options, const FileFormatOptions& asked) try {
  auto report = with_format(
      options, asked, [&](const FileFormat& format, FileSystem& files) { return run(format, files, options, asked); });
  if (report) return *std::move(report);
  refuse_settings_without_format(asked);
  return sort(options);
} catch (...) {
  rethrow_as_error();
}

std::string plan_files(const SortOptions& options, const FileFormatOptions& asked) try {
  auto words = with_format(options, asked, [&](const FileFormat& format, FileSystem& files) {
    return describe(format, files, options, asked);
  });
  if (words) return *std::move(words);
  refuse_settings_without_format(asked);
  return plan(options);
} catch (...) {
  rethrow_as_error();
}

}  // namespace sortie
