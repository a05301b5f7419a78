#include "pipeline/engine_fallback.hpp"

#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "base/device_error.hpp"
#include "pipeline/report_files.hpp"
#include "pipeline/runs/ordered_pass.hpp"
#include "pipeline/setup/engine_choice.hpp"
#include "pipeline/setup/engine_pool.hpp"
#include "pipeline/setup/job_output.hpp"
#include "pipeline/setup/job_setup.hpp"
#include "pipeline/setup/sort_files.hpp"
#include "pipeline/sort_chain.hpp"
#include "pipeline/sort_job.hpp"

namespace sortie {
namespace {

/// Tried if it is unknown how much was too much.
constexpr std::uint64_t kModestDeviceMemory = std::uint64_t{8} << 30;
constexpr std::uint64_t kDeviceMemoryStep = 4;

bool output_is_replaced(FileSystem& files, const SortOptions& options) {
  if (options.output == "-") return false;
  const FileStatus::Kind kind = files.status(options.output).kind;
  return kind == FileStatus::Kind::kRegular || kind == FileStatus::Kind::kMissing;
}

/// `used_bytes`: memory of each GPU that the failed attempt used; 0 if it did not begin.
void use_less_device_memory(SortOptions& options, std::uint64_t used_bytes) {
  const std::uint64_t too_much = used_bytes != 0 ? used_bytes : options.device_memory_bytes;
  const std::uint64_t less = too_much == 0 ? kModestDeviceMemory : too_much / kDeviceMemoryStep;
  if (less < kLeastPayingDeviceBytes) {
    options.engine = EngineChoice::kCpu;
  } else {
    options.device_memory_bytes = less;
  }
}

struct SortOutcome {
  SortReport report;
  std::optional<PageFacts> page;  // nothing if none is wanted, or memory for it is lacking
};

std::optional<PageFacts> page_facts_of(const SortJob& job, const SortOptions& options) {
  if (options.report_path.empty()) return std::nullopt;
  try {
    return job.page_facts();
  } catch (const std::bad_alloc&) {
    return std::nullopt;  // the output is complete: ReportFiles says what is missing
  }
}

/// Nothing fails any more for lack of memory: the output is complete. Then `report` is as it is.
SortOutcome outcome_of(const SortJob& job, const SortChain& chain, const SortOptions& options,
                       const std::string& failure, SortReport report) {
  try {
    SortReport all = chain.report_of_all(report);
    if (!failure.empty()) {
      all.engine_reason = "begun anew after a GPU failed";
      all.device_failure = failure;
    }
    return {std::move(all), page_facts_of(job, options)};
  } catch (const std::bad_alloc&) {
    return {std::move(report), std::nullopt};
  }
}

SortOutcome sort_until_done(FileSystem& files, const SortOptions& options, const Machine& machine, RecordForm form,
                            Observer* observer) {
  SortOptions attempt = with_last_day(with_warnings_once(options));
  const bool year_is_assumed = assumes_year(options);
  std::string failure;
  // Parts of equal bytes need the size of the output, so all inputs are read first.
  bool ordered_lines_pass =
      output_is_replaced(files, options) && inputs_can_be_read_again(files, options) && options.parts.count == 0;
  while (true) {
    SortChain chain(attempt, form);
    SortJob job(files, chain.first(), machine);
    if (observer != nullptr) job.tell(*observer);
    if (year_is_assumed) job.report_assumed_years();
    chain.lead(job);
    if (ordered_lines_pass) job.let_ordered_lines_pass();
    try {
      return outcome_of(job, chain, options, failure, job.run());
    } catch (const NeedsRuns&) {
      ordered_lines_pass = false;
    } catch (const DeviceError& error) {
      const bool nothing_is_out = !job.has_written() || output_is_replaced(files, options);
      const AfterFailure next =
          after_failure(error, {.wanted_gpu = options.engine == EngineChoice::kGpu,
                                .is_first_attempt = failure.empty(),
                                .can_begin_anew = nothing_is_out && inputs_can_be_read_again(files, options)});
      if (next == AfterFailure::kGiveUp) throw;
      failure = error.what();
      if (next == AfterFailure::kBeginAnewWithLess) {
        use_less_device_memory(attempt, job.device_budget_bytes());
      } else {
        attempt.engine = EngineChoice::kCpu;
      }
    }
  }
}

}  // namespace

SortReport sort_with_fallback(FileSystem& files, const SortOptions& options, const Machine& machine, RecordForm form,
                              Observer* observer) {
  refuse_shared_targets_of_sort(files, options);
  const ReportFiles reports(files, options);
  if (needs_frames(options, options.format)) form = RecordForm::kFramed;
  SortOutcome outcome = sort_until_done(files, options, machine, form, observer);
  reports.write(outcome.report, outcome.page);
  return std::move(outcome.report);
}

}  // namespace sortie
