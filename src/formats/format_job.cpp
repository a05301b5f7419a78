// The job that sorts files of a format, whatever the format: open, read and push, pull and write, complete.
//
//   read() on all threads ──▶ push ═ sort of records ═ pull ──▶ write() on all threads ──▶ finish()
//   the next batch meanwhile                                     packs while the next part comes
#include <exception>
#include <future>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sortie/error.hpp>
#include <sortie/file_formats.hpp>
#include <sortie/sort.hpp>

#include "base/quote.hpp"
#include "base/task_thread.hpp"
#include "formats/file_begin.hpp"
#include "formats/format_options.hpp"
#include "formats/registry.hpp"
#include "pipeline/job_site.hpp"
#include "pipeline/public_call.hpp"
#include "pipeline/pushed_sort.hpp"

namespace sortie {
namespace {

using formats::FileFormat;
using formats::FormatFiles;

/// Without this no file is looked at.
bool may_be_of_format(const SortOptions& options, const FileFormatOptions& asked) {
  return !asked.format.empty() || (asked.by_content && !options.inputs.empty() && !options.source);
}

/// Of the inputs, or of those that are asked for; null if the files hold bare records.
const FileFormat* chosen_format(FileSystem& files, const SortOptions& options, const FileFormatOptions& asked) {
  if (!asked.format.empty()) {
    const FileFormat* const format = formats::find_format(asked.format);
    if (format == nullptr) {
      throw Error("unknown format of files " + quote_word(asked.format) + ": known are " + std::string(kFileFormats));
    }
    return format;
  }
  const std::string& first = options.inputs.front();
  const std::vector<std::byte> begin = formats::read_begin(files, first);
  return formats::format_of({begin, first});
}

void refuse_settings_without_format(const FileFormatOptions& asked) {
  if (asked.settings.empty()) return;
  throw Error("--" + asked.settings.front().name +
              " is for files of a format, and the first input is of none that is known: say which by --format");
}

/// Reads the next batch while the last one is pushed.
class ReadAhead {
 public:
  explicit ReadAhead(FormatFiles& files) : files_(files) { begin(); }

  /// The next records, which stay until the next call; empty at the end.
  const std::vector<std::byte>& next() {
    const bool has_more = reading_.get();
    std::swap(current_, coming_);
    if (!has_more) {
      current_.clear();
    } else {
      begin();
    }
    return current_;
  }

 private:
  void begin() {
    reading_ = thread_.post([this] {
      coming_.clear();
      while (coming_.empty()) {
        if (!files_.read(coming_)) return false;
      }
      return true;
    });
  }

  FormatFiles& files_;
  std::vector<std::byte> current_;
  std::vector<std::byte> coming_;
  std::future<bool> reading_;
  TaskThread thread_;  // destroyed first: it uses the others
};

void require_all_written(const FormatFiles& files, const SortReport& report, const FileFormat& format) {
  const bool keeps_all = report.input_records == report.output_records;
  if (files.records_written() == report.output_records && (!keeps_all || files.records_read() == report.input_records))
    return;
  throw Error("the output of " + std::string(format.name) + " has " + std::to_string(files.records_written()) +
              " records of " + std::to_string(files.records_read()) + " that were read: this is a fault of Sortie");
}

SortReport run(const FileFormat& format, FileSystem& file_system, const SortOptions& options,
               const FileFormatOptions& asked) {
  formats::refuse_foreign_options(format, options, asked);
  const std::uint64_t buffer_bytes = formats::buffer_bytes_of(options);
  const auto warn = [&](const std::string& message) {
    if (options.warn) options.warn(Warning{message});
  };
  const formats::JobContext context{file_system, options, asked, buffer_bytes, true, warn};
  const std::unique_ptr<FormatFiles> files = format.open(context);
  PushedSort sort(formats::record_options(options, buffer_bytes), &sortie::sort);
  {
    ReadAhead ahead(*files);
    for (const auto* records = &ahead.next(); !records->empty(); records = &ahead.next()) sort.push(*records);
  }
  for (auto records = sort.pull(); !records.empty(); records = sort.pull()) files->write(records);
  require_all_written(*files, sort.report(), format);
  throw_if_stopped();
  files->finish();
  return sort.report();
}

std::string describe(const FileFormat& format, FileSystem& file_system, const SortOptions& options,
                     const FileFormatOptions& asked) {
  formats::refuse_foreign_options(format, options, asked);
  const std::uint64_t buffer_bytes = formats::buffer_bytes_of(options);
  const formats::JobContext context{file_system, options, asked, buffer_bytes, false, {}};
  const std::string words = format.open(context)->description();
  SortOptions records = formats::record_options(options, buffer_bytes);
  records.source = [](std::span<std::byte>) { return std::size_t{0}; };
  records.sink = [](std::span<const std::byte>) {};
  return words + plan(records);
}

/// What the site of a job needs. All else is checked by the format, or by the sort of records.
SortOptions site_options(const SortOptions& options) {
  SortOptions of_site;
  of_site.objects = options.objects;
  of_site.memory_bytes = options.memory_bytes;
  of_site.threads = options.threads;
  of_site.scratch_directories = options.scratch_directories;
  of_site.stop = options.stop;
  of_site.temporary_names = options.temporary_names;
  return of_site;
}

/// Calls `sort_format(format, files)` if the inputs are of a format. Returns whether they are.
template <class SortFormat>
bool if_of_format(const SortOptions& options, const FileFormatOptions& asked, const SortFormat& sort_format) {
  const SortOptions of_site = site_options(options);
  const JobSite site(of_site);
  const FileFormat* const format = chosen_format(site.files(), options, asked);
  if (format == nullptr) return false;
  sort_format(*format, site.files());
  return true;
}

}  // namespace

SortReport sort_files(const SortOptions& options, const FileFormatOptions& asked) try {
  std::optional<SortReport> report;
  const bool is_of_format = may_be_of_format(options, asked) &&
                            if_of_format(options, asked, [&](const FileFormat& format, FileSystem& files) {
                              report = run(format, files, options, asked);
                            });
  if (is_of_format) return *std::move(report);
  refuse_settings_without_format(asked);
  return sort(options);
} catch (...) {
  rethrow_as_error();
}

std::string plan_files(const SortOptions& options, const FileFormatOptions& asked) try {
  std::string words;
  const bool is_of_format = may_be_of_format(options, asked) &&
                            if_of_format(options, asked, [&](const FileFormat& format, FileSystem& files) {
                              words = describe(format, files, options, asked);
                            });
  if (is_of_format) return words;
  refuse_settings_without_format(asked);
  return plan(options);
} catch (...) {
  rethrow_as_error();
}

}  // namespace sortie
