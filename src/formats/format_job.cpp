// The job that sorts files of a format, whatever the format: open, read and push, pull and write, complete.
//
//   read() on all threads ──▶ push ═ sort of records ═ pull ──▶ write() on all threads ──▶ finish()
//   the next batch meanwhile                                     packs while the next part comes
#include <algorithm>
#include <compare>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <sortie/error.hpp>
#include <sortie/file_formats.hpp>
#include <sortie/sort.hpp>

#include "base/raw_bytes.hpp"
#include "formats/format_choice.hpp"
#include "formats/format_options.hpp"
#include "formats/inputs_identity.hpp"
#include "formats/read_ahead.hpp"
#include "formats/read_progress.hpp"
#include "pipeline/job_site.hpp"
#include "pipeline/public_call.hpp"
#include "pipeline/pushed_sort.hpp"
#include "record/prefixed/prefixed_records.hpp"

namespace sortie {
namespace {

using formats::FileFormat;
using formats::FormatFiles;

/// An index of places is made by a sort of lines, too.
void refuse_settings_without_format(const SortOptions& options, const FileFormatOptions& asked) {
  const auto found = std::ranges::find_if(
      asked.settings, [&](const FileSetting& setting) { return setting.name != "index" || !options.index; });
  if (found == asked.settings.end()) return;
  throw Error("--" + found->name +
              " is for files of a format, and the first input is of none that is known: say which by --format");
}

void require_all_written(const FormatFiles& files, const SortReport& report, const FileFormat& format) {
  const bool keeps_all = report.input_records == report.output_records;
  if (files.records_written() == report.output_records && (!keeps_all || files.records_read() == report.input_records))
    return;
  throw Error("the output of " + std::string(format.name) + " has " + std::to_string(files.records_written()) +
              " records of " + std::to_string(files.records_read()) + " that were read: this is a fault of Sortie");
}

/// Puts the output of a sort that keeps runs in its place, and lets the sort end. What goes wrong then says that the
/// output is complete; that memory does not suffice is prepared before.
SortReport finish_kept(FormatFiles& files, PushedSort& sort) {
  const Error no_memory("memory exhausted; the output is complete");
  files.finish();
  try {
    sort.let_end();
    sort.pull();
    return sort.report();
  } catch (const std::bad_alloc&) {
    throw no_memory;
  } catch (const MemoryError&) {
    throw no_memory;
  } catch (const Error& error) {
    throw Error(std::string(error.what()) + "; the output is complete", error.remedy());
  }
}

SortReport run(const FileFormat& format, FileSystem& file_system, const SortOptions& options,
               const FileFormatOptions& asked) {
  const std::uint64_t buffer_bytes = formats::buffer_bytes_of(options);
  formats::ReadProgress progress(file_system, options);
  formats::JobContext context{
      progress.files(), options, asked,
      buffer_bytes,     true,    [&](const std::string& message) { progress.warn(Warning{message}); }};
  context.has_read = [&](const std::string& path, std::uint64_t bytes) { progress.has_read(path, bytes); };
  SortOptions records =
      formats::record_options(format, options, buffer_bytes + formats::index_share_of(options, asked));
  if (!records.checkpoint_directory.empty()) records.source_identity = formats::identity_of_inputs(format, context);
  progress.watch(records);
  const std::unique_ptr<FormatFiles> files = format.open(context);
  PushedSort sort(records, &sortie::sort);
  const bool keeps_runs = !records.checkpoint_directory.empty();
  if (keeps_runs) sort.hold_end();
  formats::push_all(*files, sort);
  progress.end_reading();
  for (auto sorted = sort.pull(); !sorted.empty(); sorted = sort.pull()) files->write(sorted);
  progress.end();
  if (keeps_runs) {
    throw_if_stopped();
    SortReport report = finish_kept(*files, sort);
    require_all_written(*files, report, format);
    return report;
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
  SortOptions records =
      formats::record_options(format, options, buffer_bytes + formats::index_share_of(options, asked));
  if (!records.checkpoint_directory.empty()) records.source_identity = formats::identity_of_inputs(format, context);
  records.source = [](std::span<std::byte>) { return std::size_t{0}; };
  records.sink = [](std::span<const std::byte>) {};
  return words + plan(records);
}

/// Compares the key of each record with the one in front of it.
class OrderCheck {
 public:
  OrderCheck(bool descending, bool unique) : descending_(descending), unique_(unique) {}

  /// Whether the next record may stand behind the last one.
  bool fits(std::span<const std::byte> key) {
    const auto order = std::lexicographical_compare_three_way(last_.begin(), last_.end(), key.begin(), key.end());
    const bool is_first = count_++ == 0;
    last_.assign(key.begin(), key.end());
    return is_first || (std::is_eq(order) ? !unique_ : std::is_lt(order) != descending_);
  }
  std::uint64_t count() const { return count_; }

 private:
  const bool descending_;
  const bool unique_;
  std::vector<std::byte> last_;
  std::uint64_t count_ = 0;
};

std::optional<Disorder> find_disorder(const FileFormat& format, FileSystem& file_system, const SortOptions& options,
                                      const FileFormatOptions& asked) {
  if (options.inputs.size() > 1) throw Error("a check is of one file: name no more");
  const formats::JobContext context{file_system, options, asked, formats::buffer_bytes_of(options), false, {}};
  if (context.setting("index")) throw Error("an index is of an output, and a check has none: leave --index out");
  const std::unique_ptr<FormatFiles> files = format.open(context);
  OrderCheck order(options.format.descending, options.unique);
  std::optional<Disorder> found;
  for (RawBytes records; !found && files->read(records); records.clear()) {
    throw_if_stopped();
    for_each_prefixed_record(records, [&](const std::byte* record, std::uint64_t bytes) {
      if (found || order.fits(PrefixedParts({record, static_cast<std::size_t>(bytes)}).key)) return;
      found = Disorder{options.inputs.empty() ? "-" : options.inputs.front(), order.count(), 0, {}};
    });
  }
  return found;
}

/// Calls `work(format, files, options)` if the inputs are files of a format, and returns what it returns.
template <class Work>
auto with_format(const SortOptions& options, const FileFormatOptions& asked, const Work& work)
    -> std::optional<decltype(work(std::declval<const FileFormat&>(), std::declval<FileSystem&>(), options))> {
  if (!formats::may_be_of_format(options, asked)) return std::nullopt;
  const SortOptions of_site = formats::options_of_site(options);
  const JobSite site(of_site);
  const FileFormat* const format = formats::chosen_format(site.files(), options, asked);
  if (format == nullptr) return std::nullopt;
  const SortOptions of_files = formats::without_lines(options);
  formats::refuse_foreign_options(*format, of_files, asked);
  formats::validate_for_format(*format, of_files);
  return work(*format, site.files(), of_files);
}

}  // namespace

SortReport sort_files(const SortOptions& options, const FileFormatOptions& asked) try {
  auto report =
      with_format(options, asked, [&](const FileFormat& format, FileSystem& files, const SortOptions& of_files) {
        return run(format, files, of_files, asked);
      });
  if (report) return *std::move(report);
  refuse_settings_without_format(options, asked);
  return sort(options);
} catch (...) {
  rethrow_as_error();
}

std::optional<Disorder> check_files(const SortOptions& options, const FileFormatOptions& asked) try {
  const auto found =
      with_format(options, asked, [&](const FileFormat& format, FileSystem& files, const SortOptions& of_files) {
        return find_disorder(format, files, of_files, asked);
      });
  if (found) return *found;
  refuse_settings_without_format(options, asked);
  return check(options);
} catch (...) {
  rethrow_as_error();
}

std::string plan_files(const SortOptions& options, const FileFormatOptions& asked) try {
  auto words =
      with_format(options, asked, [&](const FileFormat& format, FileSystem& files, const SortOptions& of_files) {
        return describe(format, files, of_files, asked);
      });
  if (words) return *std::move(words);
  refuse_settings_without_format(options, asked);
  return plan(options);
} catch (...) {
  rethrow_as_error();
}

}  // namespace sortie
