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
#include <typeinfo>
#include <utility>
#include <vector>

#include <sortie/error.hpp>
#include <sortie/file_formats.hpp>
#include <sortie/sort.hpp>

#include "base/quote.hpp"
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

using formats::ChosenFormat;
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

/// Returns the number of records that the sort gave. One that keeps its runs tells it only when the output is complete:
/// then they are counted here, by a thread that others wait for.
std::uint64_t write_sorted(FormatFiles& files, PushedSort& sort, bool keeps_runs) {
  std::uint64_t count = 0;
  for (auto sorted = sort.pull(); !sorted.empty(); sorted = sort.pull()) {
    if (keeps_runs) for_each_prefixed_record(sorted, [&](const std::byte*, std::uint64_t) { ++count; });
    files.write(sorted);
  }
  return keeps_runs ? count : sort.report().output_records;
}

/// `sorted`: how many records the sort gave, which has compared them with those that it took. Call it before the output
/// is in its place.
void require_all_written(const FormatFiles& files, std::uint64_t sorted, const SortOptions& options,
                         const FileFormat& format) {
  const bool keeps_all = !options.unique && options.top_records == 0 && options.sample_records == 0;
  if (files.records_written() == sorted && (!keeps_all || files.records_read() == sorted)) return;
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

/// A strict job refuses it before any work, others tell of it when they succeed: until then it may be what is wrong.
void refuse_guess(const ChosenFormat& chosen, const SortOptions& options) {
  if (chosen.guess && options.strict) {
    throw Error("the sort would have to assume something: " + chosen.guess->message);
  }
}

/// Calls `read`. What the format finds wrong with the begin of the inputs says how a format is named, if it is a guess:
/// they may be something else. `is_at_begin`: whether it was the begin that `read` ended with.
template <class Read, class IsAtBegin>
auto read_guessed(const ChosenFormat& chosen, const Read& read, const IsAtBegin& is_at_begin) {
  try {
    return read();
  } catch (const Error& error) {
    if (!chosen.guess || typeid(error) != typeid(Error) || !is_at_begin()) throw;
    throw Error(std::string(error.what()) + "; " + quote_path(chosen.guess->first_place) + " is taken for " +
                    std::string(chosen.format->name) +
                    " by its name: if it is something else, say what by --format, such as --format=lines",
                error.remedy());
  }
}

std::unique_ptr<FormatFiles> open_guessed(const ChosenFormat& chosen, const formats::JobContext& context) {
  return read_guessed(
      chosen, [&] { return chosen.format->open(context); }, [] { return true; });
}

SortReport run(const ChosenFormat& chosen, FileSystem& file_system, const SortOptions& options,
               const FileFormatOptions& asked) {
  refuse_guess(chosen, options);
  const FileFormat& format = *chosen.format;
  std::vector<Assumption> assumptions;
  formats::RecordOrigins origins;
  const std::uint64_t buffer_bytes = formats::buffer_bytes_of(options);
  formats::ReadProgress progress(file_system, options);
  const auto warn = [&](const std::string& message) { progress.warn(Warning{message}); };
  formats::JobContext context{.files = progress.files(),
                              .options = options,
                              .asked = asked,
                              .buffer_bytes = buffer_bytes,
                              .warn = warn,
                              .origins = &origins,
                              .assumptions = &assumptions};
  context.has_read = [&](const std::string& path, std::uint64_t bytes) { progress.has_read(path, bytes); };
  SortOptions records =
      formats::record_options(format, options, buffer_bytes + formats::index_share_of(options, asked));
  if (!records.checkpoint_directory.empty()) records.source_identity = formats::identity_of_inputs(format, context);
  records.source_places = [&origins](std::uint64_t record) { return origins.place_of(record); };
  progress.watch(records);
  const std::unique_ptr<FormatFiles> files = open_guessed(chosen, context);
  PushedSort sort(records, &sortie::sort);
  const bool keeps_runs = !records.checkpoint_directory.empty();
  if (keeps_runs) sort.hold_end();
  const auto nothing_is_read = [&] { return files->records_read() == 0; };
  read_guessed(
      chosen, [&] { formats::push_all(*files, sort); }, nothing_is_read);
  progress.end_reading();
  const std::uint64_t records_sorted = write_sorted(*files, sort, keeps_runs);
  progress.end();
  require_all_written(*files, records_sorted, options, format);
  if (chosen.guess) context.assume(*chosen.guess);
  throw_if_stopped();
  SortReport report;
  if (keeps_runs) {
    report = finish_kept(*files, sort);
  } else {
    report = sort.report();  // copied before the output is in its place: nothing may fail behind that
    files->finish();
  }
  report.assumptions.insert(report.assumptions.begin(), assumptions.begin(), assumptions.end());
  return report;
}

std::string describe(const ChosenFormat& chosen, FileSystem& file_system, const SortOptions& options,
                     const FileFormatOptions& asked) {
  refuse_guess(chosen, options);
  const FileFormat& format = *chosen.format;
  const std::uint64_t buffer_bytes = formats::buffer_bytes_of(options);
  const formats::JobContext context{file_system, options, asked, buffer_bytes, false, {}};
  std::string words = open_guessed(chosen, context)->description();
  if (chosen.guess) words += chosen.guess->message + "\n";
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

std::optional<Disorder> find_disorder(const ChosenFormat& chosen, FileSystem& file_system, const SortOptions& options,
                                      const FileFormatOptions& asked) {
  if (options.inputs.size() > 1) throw Error("a check is of one file: name no more");
  refuse_guess(chosen, options);
  const formats::JobContext context{file_system, options, asked, formats::buffer_bytes_of(options), false, {}};
  if (context.setting("index")) throw Error("an index is of an output, and a check has none: leave --index out");
  const std::unique_ptr<FormatFiles> files = open_guessed(chosen, context);
  OrderCheck order(options.format.descending, options.unique);
  std::optional<Disorder> found;
  RawBytes records;
  const auto read_more = [&] { return files->read(records); };
  const auto nothing_is_read = [&] { return files->records_read() == 0; };
  for (; !found && read_guessed(chosen, read_more, nothing_is_read); records.clear()) {
    throw_if_stopped();
    for_each_prefixed_record(records, [&](const std::byte* record, std::uint64_t bytes) {
      if (found || order.fits(PrefixedParts({record, static_cast<std::size_t>(bytes)}).key)) return;
      found = Disorder{options.inputs.empty() ? "-" : options.inputs.front(), order.count(), 0, {}};
    });
  }
  if (chosen.guess && options.warn) options.warn(chosen.guess->message);
  return found;
}

/// Calls `work(chosen, files, options)` if the inputs are files of a format, and returns what it returns.
template <class Work>
auto with_format(const SortOptions& options, const FileFormatOptions& asked, const Work& work)
    -> std::optional<decltype(work(std::declval<const ChosenFormat&>(), std::declval<FileSystem&>(), options))> {
  if (!formats::may_be_of_format(options, asked)) return std::nullopt;
  const SortOptions of_site = formats::options_of_site(options);
  const JobSite site(of_site);
  const ChosenFormat chosen = formats::chosen_format(site.files(), options, asked);
  if (chosen.format == nullptr) return std::nullopt;
  const SortOptions of_files = formats::without_lines(options);
  formats::refuse_foreign_options(*chosen.format, of_files, asked);
  formats::validate_for_format(*chosen.format, of_files);
  return work(chosen, site.files(), of_files);
}

}  // namespace

SortReport sort_files(const SortOptions& options, const FileFormatOptions& asked) try {
  auto report =
      with_format(options, asked, [&](const ChosenFormat& chosen, FileSystem& files, const SortOptions& of_files) {
        return run(chosen, files, of_files, asked);
      });
  if (report) return *std::move(report);
  refuse_settings_without_format(options, asked);
  return sort(options);
} catch (...) {
  rethrow_as_error();
}

std::optional<Disorder> check_files(const SortOptions& options, const FileFormatOptions& asked) try {
  const auto found =
      with_format(options, asked, [&](const ChosenFormat& chosen, FileSystem& files, const SortOptions& of_files) {
        return find_disorder(chosen, files, of_files, asked);
      });
  if (found) return *found;
  refuse_settings_without_format(options, asked);
  return check(options);
} catch (...) {
  rethrow_as_error();
}

std::string plan_files(const SortOptions& options, const FileFormatOptions& asked) try {
  auto words =
      with_format(options, asked, [&](const ChosenFormat& chosen, FileSystem& files, const SortOptions& of_files) {
        return describe(chosen, files, of_files, asked);
      });
  if (words) return *std::move(words);
  refuse_settings_without_format(options, asked);
  return plan(options);
} catch (...) {
  rethrow_as_error();
}

}  // namespace sortie
