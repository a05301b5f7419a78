#include "pipeline/execute.hpp"

#include <optional>
#include <utility>

#include "base/device_error.hpp"
#include "pipeline/job_site.hpp"
#include "pipeline/runs/ordered_delivery.hpp"
#include "pipeline/setup/engine_choice.hpp"
#include "pipeline/setup/gpu_failure.hpp"
#include "pipeline/setup/report_files.hpp"
#include "pipeline/setup/sort_files.hpp"
#include "pipeline/setup/sort_spec.hpp"

namespace sortie {
namespace {

/// Tried if it is unknown how much was too much.
constexpr std::uint64_t kModestDeviceMemory = std::uint64_t{8} << 30;
constexpr std::uint64_t kDeviceMemoryStep = 4;

void use_less_device_memory(SortOptions& options, std::uint64_t used_bytes) {
  const std::uint64_t too_much = used_bytes != 0 ? used_bytes : options.device_memory_bytes;
  const std::uint64_t less = too_much == 0 ? kModestDeviceMemory : too_much / kDeviceMemoryStep;
  if (less < kLeastPayingDeviceBytes) {
    options.engine = EngineChoice::kCpu;
  } else {
    options.device_memory_bytes = less;
  }
}

/// Nothing if no page is wanted, or if memory for it is lacking: the output is complete, and ReportFiles says what is
/// missing.
std::optional<PageContext> page_context_of(const SortJob& job, const SortOptions& options) {
  std::optional<PageContext> page;
  if (!options.report_path.empty()) after_output([&] { page = job.page_context(); });
  return page;
}

}  // namespace

Attempts::Attempts(FileSystem& files, const SortOptions& options, Inputs inputs)
    : files_(files),
      wanted_gpu_(options.engine == EngineChoice::kGpu),
      inputs_(inputs),
      options_(with_warnings_once(options)),
      lets_ordered_lines_pass_(output_is_replaced() && can_read_again()) {}

bool Attempts::can_read_again() const { return inputs_ == Inputs::kStay || inputs_can_be_read_again(files_, options_); }

bool Attempts::output_is_replaced() const {
  if (options_.output == "-") return false;
  const FileStatus::Kind kind = files_.status(options_.output).kind;
  return kind == FileStatus::Kind::kRegular || kind == FileStatus::Kind::kMissing;
}

void Attempts::begin_anew(bool has_written, std::uint64_t device_bytes) {
  try {
    throw;
  } catch (const NeedsRuns&) {
    lets_ordered_lines_pass_ = false;
  } catch (const DeviceError& error) {
    const bool nothing_is_out = !has_written || output_is_replaced();
    const AfterFailure next = after_failure(error, {.wanted_gpu = wanted_gpu_,
                                                    .is_first_attempt = device_failure_.empty(),
                                                    .can_begin_anew = nothing_is_out && can_read_again()});
    if (next == AfterFailure::kGiveUp) throw;
    device_failure_ = error.what();
    if (next == AfterFailure::kBeginAnewWithLess) {
      use_less_device_memory(options_, device_bytes);
    } else {
      options_.engine = EngineChoice::kCpu;
    }
  }
}

void Attempts::warn_of_failure() const {
  if (!device_failure_.empty() && options_.warn) options_.warn("begun anew after a GPU failed: " + device_failure_);
}

void Attempts::describe(SortReport& report) const {
  if (device_failure_.empty()) return;
  after_output([&] {
    std::string failure = device_failure_;
    report.engine_reason = "begun anew after a GPU failed";
    report.device_failure = std::move(failure);
  });
}

SortReport execute_sort(FileSystem& files, const SortOptions& options, const Machine& machine, SortContext context) {
  refuse_shared_targets_of_sort(files, options);
  const ReportFiles reports(files, options);
  if (needs_frames(options, options.format)) context.form = RecordForm::kFramed;
  context.run_later = execute_later_sort;
  Attempts attempts(files, options);
  std::optional<PageContext> page;
  SortReport report = execute<SortJob>(attempts, [&](std::optional<SortJob>& job) {
    // Parts of equal bytes need the size of the output, so all inputs are read first.
    context.lets_ordered_lines_pass = attempts.lets_ordered_lines_pass() && options.parts.count == 0;
    SortReport done = job.emplace(files, attempts.options(), machine, context).run();
    page = page_context_of(*job, options);
    return done;
  });
  attempts.describe(report);
  reports.write(report, page);
  return report;
}

SortReport execute_later_sort(const SortOptions& options, std::size_t inputs, RecordForm form,
                              const std::string& header, Observer& observer) {
  const JobSite site(options, inputs);
  return execute_sort(site.files(), site.options(), this_machine(),
                      {.form = form, .observer = &observer, .header = GivenHeader{header, false}});
}

}  // namespace sortie
