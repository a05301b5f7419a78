// The job of format_job.cpp, divided among processes: shards are pushed sorts that end when their runs are formed, and
// the output is written of merged ranges. Nothing here depends on the format.
//
//   share of inputs ─▶ read() ─▶ push ═ form_shard() ─▶ runs ═ cut, merge ═▶ ranges ─▶ write() ─▶ finish()
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sortie/error.hpp>
#include <sortie/file_format_shards.hpp>

#include "base/quote.hpp"
#include "base/raw_bytes.hpp"
#include "base/thread_team.hpp"
#include "base/whole_number.hpp"
#include "formats/file_format.hpp"
#include "formats/format_choice.hpp"
#include "formats/format_options.hpp"
#include "formats/inputs_identity.hpp"
#include "formats/read_ahead.hpp"
#include "io/input/compression_format.hpp"
#include "pipeline/job_site.hpp"
#include "pipeline/public_call.hpp"
#include "pipeline/pushed_sort.hpp"
#include "pipeline/range_reader.hpp"
#include "record/layout.hpp"
#include "record/prefixed/prefixed_records.hpp"

namespace sortie {
namespace {

using formats::FileFormat;
using formats::FormatFiles;
using formats::InputShare;
using formats::JobContext;

/// What all functions here begin with: the format, the options that go with it, and threads.
class SharedFiles {
 public:
  SharedFiles(const SortOptions& options, const FileFormatOptions& asked)
      : options_(options), asked_(asked), format_(named(asked)), of_site_(formats::options_of_site(options)) {
    if (options.inputs.empty()) throw Error("processes share files that have names: name one at least");
    formats::refuse_foreign_options(format_, options, asked);
    formats::validate_for_format(format_, options);
    site_.emplace(of_site_);
  }

  const FileFormat& format() const { return format_; }
  FileSystem& files() const { return site_->files(); }
  std::uint64_t buffer_bytes() const { return formats::buffer_bytes_of(options_); }
  /// The reader searches before it has its buffers.
  SortOptions records() const {
    return formats::record_options(format_, options_, std::max(buffer_bytes(), format_.search_bytes));
  }

  /// Its parts refer to this.
  JobContext context() const {
    return {files(), options_, asked_, buffer_bytes(), false, [this](const std::string& message) {
              if (options_.warn) options_.warn(Warning{message});
            }};
  }

 private:
  static const FileFormat& named(const FileFormatOptions& asked) {
    if (asked.format.empty()) throw Error("processes that share files of a format are told which it is");
    return formats::format_named(asked.format);
  }

  const SortOptions& options_;
  const FileFormatOptions& asked_;
  const FileFormat& format_;
  const SortOptions of_site_;
  std::optional<JobSite> site_;
};

void refuse_shuffle_by_places(const FileFormat& format, const SortOptions& options) {
  if (!options.format.shuffle || format.makes_shuffle_keys) return;
  throw Error(
      "a shuffle of files of " + std::string(format.name) +
      " goes by the places of all records, which several processes do not know: shuffle them by one, with sortie");
}

std::string counts_text(const std::vector<std::uint64_t>& counts) {
  std::string text;
  for (const std::uint64_t count : counts) text.append(text.empty() ? "" : " ").append(std::to_string(count));
  return text;
}

std::vector<std::uint64_t> counts_of(std::string_view text) {
  std::vector<std::uint64_t> counts;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    const auto count = whole_number<std::uint64_t>(word);
    if (!count) throw Error("what is told of all inputs is not what was counted: count them again");
    counts.push_back(*count);
    text.remove_prefix(std::min(text.size(), word.size() + 1));
  }
  return counts;
}

std::uint64_t count_records(const FileFormat& format, const JobContext& context) {
  RawBytes records;
  const std::unique_ptr<FormatFiles> files = format.open(context);
  while (files->read(records)) records.clear();
  return files->records_read();
}

InputsHeader find_header(const SortOptions& options, const FileFormatOptions& asked) {
  const SharedFiles shared(options, asked);
  refuse_shuffle_by_places(shared.format(), options);
  InputsHeader found;
  if (!options.format.shuffle) return found;
  std::vector<std::uint64_t> counts;
  SortOptions of_one = options;
  for (const std::string& path : options.inputs) {
    throw_if_stopped();
    of_one.inputs = {path};
    counts.push_back(count_records(shared.format(), {shared.files(), of_one, asked, shared.buffer_bytes(), false, {}}));
  }
  found.header = counts_text(counts);
  return found;
}

InputShare share_of(const ShardRequest& request) {
  return {request.begin, request.end, counts_of(request.header.value_or(""))};
}

ShardReport form(const SortOptions& options, const FileFormatOptions& asked, const ShardRequest& request) {
  const SharedFiles shared(options, asked);
  refuse_shuffle_by_places(shared.format(), options);
  JobContext context = shared.context();
  context.share = share_of(request);
  if (options.format.shuffle && context.share->record_counts.empty()) {
    throw Error("a shard of a shuffle is told how many records all inputs have: have them counted before");
  }
  const std::unique_ptr<FormatFiles> files = shared.format().open(context);
  SortOptions records = shared.records();
  records.source_identity = formats::identity_of_inputs(shared.format(), context);
  ShardRequest of_source = request;
  of_source.begin = 0;
  of_source.end.reset();
  of_source.header.reset();
  ShardReport report;
  PushedSort sort(records, [&](const SortOptions& pushed) {
    SortOptions formed = pushed;
    formed.sink = {};
    report = form_shard(formed, of_source);
    return SortReport();
  });
  formats::push_all(*files, sort);
  sort.pull();  // waits for the runs
  if (report.input.records != files->records_read()) {
    throw Error("runs of " + std::to_string(report.input.records) + " records were formed of " +
                std::to_string(files->records_read()) + " that were read: remove " + quote_path(request.directory) +
                " and form them again");
  }
  return report;
}

SortOptions record_sort(const SortOptions& options, const FileFormatOptions& asked) {
  const FileFormat& format = formats::format_named(asked.format);
  formats::refuse_foreign_options(format, options, asked);
  SortOptions records = formats::record_options(format, options, formats::buffer_bytes_of(options));
  records.output = options.output;
  records.protected_files = options.protected_files;
  return records;
}

RangesReport write(const SortOptions& options, const FileFormatOptions& asked, const RangesPlan& plan) {
  const SharedFiles shared(options, asked);
  JobContext context = shared.context();
  context.output_is_known = true;
  context.reads = false;
  const std::unique_ptr<FormatFiles> files = shared.format().open(context);
  const Layout layout{.framing = Framing::kPrefixed};
  RangesReport report;
  std::uint64_t count = 0;
  for (const RangeStretch& stretch : plan.ranges) {
    report.checksums.push_back(read_range(shared.files(), stretch, layout, [&](std::span<const std::byte> records) {
      throw_if_stopped();
      for_each_prefixed_record(records, [&](const std::byte*, std::uint64_t) { ++count; });
      files->write(records);
    }));
  }
  if (files->records_written() != count) {
    throw Error("the output of " + std::string(shared.format().name) + " has " +
                std::to_string(files->records_written()) + " records of " + std::to_string(count) +
                " that were merged: this is a fault of Sortie");
  }
  throw_if_stopped();
  files->finish();
  return report;
}

}  // namespace

FoundFormat find_file_format(const SortOptions& options, const FileFormatOptions& asked) {
  return public_call([&] {
    formats::ChosenFormat chosen;
    // VCF is shared as lines.
    if (formats::may_be_of_format(options, asked) && !formats::lines_are_vcf(options)) {
      const SortOptions of_site = formats::options_of_site(options);
      const JobSite site(of_site);
      chosen = formats::chosen_format(site.files(), options, asked);
    }
    if (chosen.format != nullptr) {
      formats::refuse_name_of_other_format(*chosen.format, options.output);
      return FoundFormat{std::string(chosen.format->name), chosen.format->divides_files, std::move(chosen.guess)};
    }
    format_of_output(options.output);
    return FoundFormat();
  });
}

InputsHeader find_files_header(const SortOptions& options, const FileFormatOptions& asked) {
  return public_call([&] { return find_header(options, asked); });
}

ShardReport form_files_shard(const SortOptions& options, const FileFormatOptions& asked, const ShardRequest& request) {
  return public_call([&] { return form(options, asked, request); });
}

SortOptions sort_of_files(const SortOptions& options, const FileFormatOptions& asked) {
  return public_call([&] { return record_sort(options, asked); });
}

RangesReport write_files_ranges(const SortOptions& options, const FileFormatOptions& asked, const RangesPlan& plan) {
  return public_call([&] { return write(options, asked, plan); });
}

}  // namespace sortie
