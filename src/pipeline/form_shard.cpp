// Phase one of a sort by several processes: forms runs of a shard in a directory, and merges nothing.
#include <gnu/libc-version.h>

#include <algorithm>
#include <clocale>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sortie/error.hpp>
#include <sortie/join_shards.hpp>
#include <sortie/run_error.hpp>
#include <sortie/shard.hpp>

#include "base/checksum.hpp"
#include "base/quote.hpp"
#include "base/random_bits.hpp"
#include "base/system_limits.hpp"
#include "io/files/file_stretch.hpp"
#include "io/paths/paths.hpp"
#include "observe/assumptions.hpp"
#include "pipeline/checkpoint/checkpoint_files.hpp"
#include "pipeline/checkpoint/job_identity.hpp"
#include "pipeline/execute.hpp"
#include "pipeline/input/input_opener.hpp"
#include "pipeline/input/refused_line.hpp"
#include "pipeline/input/shared_header.hpp"
#include "pipeline/job_attempt.hpp"
#include "pipeline/job_site.hpp"
#include "pipeline/join/join_plan.hpp"
#include "pipeline/public_call.hpp"
#include "pipeline/setup/chain_shape.hpp"
#include "pipeline/setup/engine_choice.hpp"
#include "pipeline/setup/options_check.hpp"
#include "pipeline/shard/run_slices.hpp"
#include "pipeline/shard/shard_json.hpp"
#include "pipeline/shard/shard_range.hpp"
#include "pipeline/shard/shard_samples.hpp"
#include "pipeline/shard/shared_sorts.hpp"
#include "record/record_order.hpp"

namespace sortie {
namespace {

/// One attempt to form the runs of a shard.
class ShardJob final : public JobAttempt {
 public:
  /// `files` shows the shard alone. Runs go to `directory`, which is made, and removed again unless leave_to_caller()
  /// is called.
  ShardJob(FileSystem& files, const SharedSort& sort, std::string directory, const ShardRequest& request);

  /// What the inputs and options are. Throws Error if an input cannot be read.
  using JobAttempt::spec;
  std::span<const std::byte> header() { return inputs_->opener().header(); }
  /// What form() had to assume.
  Assumptions& assumptions() const { return observer_->assumptions(); }
  void report_headers() const { inputs_->opener().report_headers(assumptions()); }

  struct Formed {
    std::vector<Run> runs;  ///< in input order
    RecordTotals input;
    RecordTotals dropped;  ///< duplicates, and records behind the first ones that are wanted
  };
  /// Call once. Throws Error.
  Formed form();

  /// Makes a durable file beside the runs.
  void add_file(const std::string& name, std::string_view contents) { checkpoint_->add_file(name, contents); }
  /// Leaves all files where they are. They may have been moved by then.
  void leave_to_caller() { checkpoint_->leave_to_caller(); }

 private:
  std::string directory_;
};

std::optional<GivenHeader> header_of(const ShardRequest& request) {
  if (!request.header && !request.is_of_job) return std::nullopt;
  return GivenHeader{request.header.value_or(""), !request.is_of_job};
}

// Where the year is not said, a shard refuses such times.
ShardJob::ShardJob(FileSystem& files, const SharedSort& sort, std::string directory, const ShardRequest& request)
    : JobAttempt(files, sort.options, this_machine()), directory_(std::move(directory)) {
  observer_ = (own_observer_ = open_observer(files, options_, !assumes_year(options_))).get();
  inputs_.emplace(files, with_progress_cleared(options_, *observer_), *observer_, sort.form, header_of(request));
  if (request.is_of_job) observer_->assumptions().leave_positions_out();
  scratch_.emplace(files, std::vector{directory_});
  inputs_->begin_at({});
  inputs_->begin_at_position(request.position);
}

ShardJob::Formed ShardJob::form() {
  checkpoint_ = std::make_unique<Checkpoint>(files_, directory_, options_.temporary_names);
  checkpoint_->begin(identify_job(files_, spec()), spec().input_format.text.random_seed.value_or(RandomSeed{}));
  inputs_->take_sizes();
  inputs_->prepare(choose_reading(spec(), inputs_->sizes(), machine_), {.keeps_runs = true});
  start(EngineUse::kForm, inputs_->sizes());
  open_store(
      {.most_files = free_descriptors() / 2, .stores_output_bytes = true, .options_hash = identify_options(spec()).low},
      {.lies_in_memory = scratch_->lies_in_memory()});
  FormedRuns formed = form_runs_of_inputs({});
  return {std::move(formed.runs), outcome_.input, formed.dropped + outcome_.dropped};
}

/// The most that a shard's file may hold.
constexpr std::uint64_t kLongestShardFile = 256 << 20;

bool is_range(const ShardRequest& request) { return request.begin > 0 || request.end; }

void refuse_what_shards_cannot(const SortOptions& options, const ShardRequest& request) {
  refuse_what_processes_cannot(options);
  if (options.source) {
    if (options.source_identity.empty()) throw Error("a shard of a source is told from others: give it an identity");
    if (is_range(request)) throw Error("a source gives all that a shard has: leave the range of bytes out");
  } else if (options.inputs.empty() || std::ranges::count(options.inputs, "-") > 0) {
    throw Error("a shard is made of files that have names: name one, or several whole ones");
  }
  if (options.inputs.size() > 1 && is_range(request)) {
    throw Error("a range of bytes is one of a single input: name one file, or leave the range out");
  }
  if (draws_sample(options) ? !options.sample_seed : needs_seed(options.format))
    throw Error("each shard would come in another random order: give all of them the same seed");
}

std::string locale_of(const SortSpec& spec) {
  if (!spec.codec->collates()) return {};
  const char* const name = std::setlocale(LC_COLLATE, nullptr);
  return std::string(name == nullptr ? "" : name) + ", C library " + gnu_get_libc_version();
}

ShardReport describe(ShardJob& job, const ShardJob::Formed& formed, const ShardRequest& request) {
  const SortSpec& spec = job.spec();
  ShardReport report;
  report.identity = to_string(identify_options(spec));
  report.locale = locale_of(spec);
  report.input = shard_totals(formed.input);
  report.dropped = shard_totals(formed.dropped);
  report.header = as_text(job.header());
  SortOptions as_read = spec.options;
  as_read.format = spec.input_format;
  report.header_form = header_form(as_read, job.header());
  report.divides_equal_keys = divides_equal_keys(spec);
  for (const Run& run : formed.runs) {
    ShardRun& told = report.runs.emplace_back();
    told.file = run_name(run.identity);
    told.file_bytes = run.stored_bytes;
    told.records = run.record_count;
    told.record_bytes = run.record_bytes;
    for (const BlockInfo& block : run.blocks) told.output_bytes += sampled_bytes(spec, block);
    told.blocks = run.blocks.size();
  }
  report.samples = sample_runs(spec, spec.codec->order(), formed.runs, request.most_samples, request.position);
  if (spec.form == RecordForm::kKeyed && report.header.empty()) report.first = first_of_runs(spec, formed.runs);
  return report;
}

/// `count_lines()`: how many lines are in front of the shard, behind the header.
template <class Count>
std::vector<ShardAssumption> assumptions_of_shard(const ShardJob& job, const ShardRequest& request,
                                                  const Count& count_lines) {
  Assumptions& assumptions = job.assumptions();
  if (assumptions.has_positions() && is_range(request)) assumptions.move_positions(count_lines());
  if (request.begin == 0 && !request.header) job.report_headers();
  return assumptions.words();
}

/// What tells one request from another, the state of the input included.
std::string identify_request(FileSystem& files, const ShardJob& job, const ShardRequest& request) {
  const JobIdentity identity = identify_job(files, job.spec());
  return to_string(identity.inputs) + " " + to_string(identity.options) + " " + std::to_string(request.begin) + "-" +
         (request.end ? std::to_string(*request.end) : "") + " " + std::to_string(request.position) + " " +
         std::to_string(request.most_samples) + (request.is_of_job ? " of the job" : "") +
         (request.header ? " " + to_string(hash_record(std::as_bytes(std::span(*request.header)))) : "");
}

template <class Kind = Error>
[[noreturn]] void refuse_directory(const std::string& directory, const std::string& why) {
  throw Kind("directory " + quote_path(directory) + " is there, and " + why + "; name another, or remove it");
}

void require_runs(FileSystem& files, const std::string& directory, const ShardReport& report) {
  for (const ShardRun& run : report.runs) {
    const FileStatus status = files.status(directory + "/" + run.file);
    if (status.kind == FileStatus::Kind::kRegular && status.bytes == run.file_bytes) continue;
    refuse_directory(directory, "lacks a run of its shard, or a part of one");
  }
}

/// What an earlier attempt has made.
ShardReport read_shard(FileSystem& files, const std::string& directory, const std::string& request) {
  const std::string path = directory + "/" + kShardFileName;
  if (files.status(path).kind != FileStatus::Kind::kRegular) refuse_directory(directory, "holds no complete shard");
  const std::unique_ptr<File> file = files.open_input(path);
  std::string text(static_cast<std::size_t>(std::min(file->size(), kLongestShardFile)), '\0');
  text.resize(file->read_at(0, std::as_writable_bytes(std::span(text))));
  ShardFile shard = parse_shard_file(text, path);
  if (shard.request != request)
    refuse_directory<AnotherShard>(directory, "holds another shard, or one of an input that has changed");
  require_runs(files, directory, shard.report);
  return std::move(shard.report);
}

bool is_there(FileSystem& files, const std::string& directory) {
  return files.status(directory).kind != FileStatus::Kind::kMissing;
}

// Line by line the position of a record is stored in seven bytes.
void require_positions(std::uint64_t position, std::uint64_t bytes) {
  constexpr std::uint64_t kPositions = std::uint64_t{1} << 56;
  if (position < kPositions && bytes <= kPositions - position) return;
  throw Error("the places of a shard must be below 2^56: begin it at a lesser one");
}

/// Forms the runs of a shard. `lines_in_front`: of it, behind the header.
template <class Count>
ShardJob::Formed form_shard_runs(ShardJob& job, const Count& lines_in_front) {
  try {
    return job.form();
  } catch (const RefusedLine& line) {
    throw line.behind(lines_in_front());
  }
}

/// What a shard reads: its stretches of the only input, or whole inputs.
struct ShardFiles {
  ShardFiles(FileSystem& all, const SortOptions& options, const ShardRequest& request) : files(all) {
    if (!is_range(request)) return;
    auto found = stretches_of_shard(all, options, request);
    stretches = std::move(found.stretches);
    skipped_bytes = found.skipped_bytes;
    own_files = with_stretches(all, options.inputs.front(), stretches);
  }

  FileSystem& files;
  std::vector<FileStretch> stretches;
  std::uint64_t skipped_bytes = 0;        // by which places are behind those that were asked for
  std::unique_ptr<FileSystem> own_files;  // null if inputs are whole

  FileSystem& shown() const { return own_files ? *own_files : files; }
};

/// One attempt, made in `attempt`.
ShardReport form(const ShardFiles& shard, const SharedSort& sort, const ShardRequest& request,
                 std::optional<ShardJob>& attempt) {
  FileSystem& files = shard.files;
  const std::string directory = without_end_slashes(request.directory);
  const std::string made = directory + ".attempt-" + hex_digits(random_bits());
  ShardJob& job = attempt.emplace(shard.shown(), sort, made, request);
  const std::string identity = identify_request(files, job, request);
  if (is_there(files, directory)) return read_shard(files, directory, identity);
  const auto lines_in_front = [&] { return lines_left_out(files, sort.options, shard.stretches); };
  const ShardJob::Formed formed = form_shard_runs(job, lines_in_front);
  require_positions(request.position, formed.input.bytes);
  ShardReport report = describe(job, formed, request);
  report.assumptions = assumptions_of_shard(job, request, lines_in_front);
  // A strict sort refuses them by the counts of all shards, which this one does not know.
  job.add_file(kShardFileName, shard_file(report, identity));
  try {
    files.rename(made, directory);
  } catch (const Error&) {
    if (!is_there(files, directory)) throw;
    return read_shard(files, directory, identity);  // another attempt was faster
  }
  job.leave_to_caller();
  files.sync_directory(directory_of(directory));
  return report;
}

/// `is_side`: the records are of one side of a join, whose merges write keyed records.
ShardReport form_in(const SortOptions& options, const ShardRequest& request, bool is_side) {
  const JobSite site(options);
  refuse_what_shards_cannot(options, request);
  const ShardFiles shard(site.files(), site.options(), request);
  ShardRequest placed = request;
  placed.position += shard.skipped_bytes;
  SharedSort sort = is_side ? SharedSort{site.options(), RecordForm::kKeyed} : first_shared_sort(site.options());
  if (request.is_for_values) {
    sort.options.parts = {.by_first_key = true};
    sort.options.output.clear();
  }
  Attempts attempts(site.files(), sort.options,
                    options.source ? Attempts::Inputs::kAsTheyAre : Attempts::Inputs::kStay);
  return execute<ShardJob>(attempts, [&](std::optional<ShardJob>& job) {
    attempts.warn_of_failure();
    return form(shard, {attempts.options(), sort.form}, placed, job);
  });
}

}  // namespace

ShardReport form_shard(const SortOptions& options, const ShardRequest& request) {
  return public_call([&] { return form_in(options, request, false); });
}

ShardReport form_shard(const JoinOptions& options, JoinSide side, const ShardRequest& request) {
  return public_call([&] {
    validate_side(options);
    return form_in(shard_options(options, side), request, true);
  });
}

}  // namespace sortie
