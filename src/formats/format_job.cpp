// The job that sorts files of a format, whatever the format: open, read and push, pull and write, complete.
//
//   read() on all threads ──▶ push ═ sort of records ═ pull ──▶ write() on all threads ──▶ finish()
//   the next batch meanwhile                                     packs while the next part comes
#include <algorithm>
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
#include "pipeline/setup/options_check.hpp"

namespace sortie {
namespace {

using formats::FileFormat;
using formats::FormatFiles;

/// Without this no file is looked at.
bool may_be_of_format(const SortOptions& options, const FileFormatOptions& asked) {
  return !asked.format.empty() || (asked.by_content && !options.inputs.empty() && !options.source);
}

/// The format of the inputs, or the one that is asked for; null if the files hold bare records.
const FileFormat* chosen_format(FileSystem& files, const SortOptions& options, const FileFormatOptions& asked) {
  if (!asked.format.empty()) {
    const FileFormat* const format = formats::find_format(asked.format);
    if (format == nullptr) {
      throw Error("unknown format of files " + quote_word(asked.format) + ": known are " + std::string(kFileFormats));
    }
    return format;
  }
  const bool is_vcf = formats::lines_are_vcf(options);
  const auto format_of_input = [&](const std::string& path) {
    const std::vector<std::byte> begin = formats::read_begin(files, path);
    return formats::format_of({begin, path, options.output, is_vcf});
  };
  const FileFormat* format = format_of_input(options.inputs.front());
  // One file of BCF among those of VCF makes all be read as it.
  for (std::size_t i = 1; is_vcf && format == nullptr && i < options.inputs.size(); ++i) {
    format = format_of_input(options.inputs[i]);
  }
  return format;
}

/// An index of places is made by a sort of lines, too.
void refuse_settings_without_format(const SortOptions& options, const FileFormatOptions& asked) {
  const auto found = std::ranges::find_if(
      asked.settings, [&](const FileSetting& setting) { return setting.name != "index" || !options.index; });
  if (found == asked.settings.end()) return;
  throw Error("--" + found->name +
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
  const std::uint64_t buffer_bytes = formats::buffer_bytes_of(options);
  const auto warn = [&](const std::string& message) {
    if (options.warn) options.warn(Warning{message});
  };
  const formats::JobContext context{file_system, options, asked, buffer_bytes, true, warn};
  const std::unique_ptr<FormatFiles> files = format.open(context);
  PushedSort sort(formats::record_options(format, options, buffer_bytes), &sortie::sort);
  {
    ReadAhead ahead(*files);
    for (const auto* records = &ahead.next(); !records->empty(); records = &ahead.next()) sort.push(*records);
  }
  for (auto records = sort.pull(); !records.empty(); records = sort.pull()) files->write(records);
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
  records.source = [](std::span<std::byte>) { return std::size_t{0}; };
  records.sink = [](std::span<const std::byte>) {};
  return words + plan(records);
}

/// What is needed to look at the inputs. All else is checked once it is known what they are.
SortOptions options_of_site(const SortOptions& options) {
  SortOptions site;
  site.inputs = options.inputs;
  site.source = options.source;
  site.sink = options.sink;
  site.objects = options.objects;
  site.memory_bytes = options.memory_bytes;
  site.threads = options.threads;
  site.scratch_directories = options.scratch_directories;
  site.stop = options.stop;
  site.temporary_names = options.temporary_names;
  return site;
}

/// Lines are ordered by the locale although nobody asks for keys. Records of a format are not.
bool has_only_key_of_locale(const TextOrder& order) {
  return order.locale && order.keys.size() == 1 && order.keys.front() == TextKey{};
}

/// Records of a format have no layout that options could contradict, and the format knows what its files are called.
void validate_for_format(const FileFormat& format, const SortOptions& options) {
  SortOptions checked = options;
  checked.format.kind = RecordKind::kPrefixed;
  const bool is_vcf = format.takes_vcf && formats::lines_are_vcf(options);
  if (is_vcf || has_only_key_of_locale(options.format.text)) checked.format.text = {};
  if (!checked.format.text.keys.empty()) {
    throw Error("an order of lines is asked for, and the inputs are files of " + std::string(format.name) +
                ": leave it out");
  }
  checked.unpack = false;
  checked.output_level = 0;
  checked.index.reset();
  validate(checked);
}

/// Those of a sort of lines that are VCF, as they are for files of variants.
SortOptions without_lines(const SortOptions& options) {
  SortOptions of_files = options;
  if (!formats::lines_are_vcf(options)) return of_files;
  of_files.header_prefixes.clear();
  of_files.index.reset();
  return of_files;
}

/// Calls `work(format, files, options)` if the inputs are files of a format, and returns what it returns.
template <class Work>
auto with_format(const SortOptions& options, const FileFormatOptions& asked, const Work& work)
    -> std::optional<decltype(work(std::declval<const FileFormat&>(), std::declval<FileSystem&>(), options))> {
  if (!may_be_of_format(options, asked)) return std::nullopt;
  const SortOptions of_site = options_of_site(options);
  const JobSite site(of_site);
  const FileFormat* const format = chosen_format(site.files(), options, asked);
  if (format == nullptr) return std::nullopt;
  const SortOptions of_files = without_lines(options);
  formats::refuse_foreign_options(*format, of_files, asked);
  validate_for_format(*format, of_files);
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
