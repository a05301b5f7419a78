// Executes a sort: attempt by attempt, until one is done. Also has the rule by which every job begins anew.
//
//   sort() ── execute_sort() ── SortJob::run() ── form(), merge() ...
//                  ▲                 │ a GPU fails, or inputs are not in order after all
//                  └──── Attempts ◀──┘
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <sortie/options.hpp>
#include <sortie/report.hpp>

#include "io/files/file.hpp"
#include "pipeline/setup/engine_choice.hpp"
#include "pipeline/sort_job.hpp"

namespace sortie {

/// The attempts of one job. What failed decides what the next one does otherwise. A GPU that runs out of memory gets a
/// smaller device_memory_bytes; then, and after any other failure of a GPU, the CPU engine takes its place. Records
/// that did not come in the order in which they seemed to come no longer pass without runs.
class Attempts {
 public:
  /// kStay: what the job reads is always there to be read again, whatever SortOptions::inputs says.
  enum class Inputs { kAsTheyAre, kStay };

  /// `files` must outlive this.
  Attempts(FileSystem& files, const SortOptions& options, Inputs inputs = Inputs::kAsTheyAre);

  /// What the next attempt is asked for. Its warnings are said once in all attempts.
  const SortOptions& options() const { return options_; }
  /// Whether inputs that are in order may pass without runs: not if what was written could not be thrown away.
  bool lets_ordered_lines_pass() const { return lets_ordered_lines_pass_; }

  /// Returns if the job is to begin anew after the exception that is being handled, and throws it otherwise.
  /// `has_written`: the attempt has passed some of its output on. `device_bytes`: memory of each GPU that it used; 0 if
  /// it did not begin. The rule for GPUs is after_failure() in setup/gpu_failure.hpp.
  void begin_anew(bool has_written, std::uint64_t device_bytes);

  /// Warns if the last attempt ended with a failure of a GPU: for jobs whose reports do not say so.
  void warn_of_failure() const;
  /// Says in the report of the sort that is done that it began anew.
  void describe(SortReport& report) const;

 private:
  bool can_read_again() const;
  bool output_is_replaced() const;

  FileSystem& files_;
  const bool wanted_gpu_;
  const Inputs inputs_;
  SortOptions options_;
  bool lets_ordered_lines_pass_;
  std::string device_failure_;
};

/// Makes attempts until one is done. `work(job)` makes the job of an attempt in `job`, of what attempts.options() say,
/// and returns what it did.
template <class Job, class Work>
auto execute(Attempts& attempts, const Work& work) {
  while (true) {
    std::optional<Job> job;
    try {
      return work(job);
    } catch (...) {
      attempts.begin_anew(job && job->has_written(), job ? job->device_budget_bytes() : 0);
    }
  }
}

/// Runs the sort, and writes statistics and report page if the options ask for them. `context`: whether ordered lines
/// pass is decided here; parts of the output get records in the form that they need. Throws Error; what the last
/// attempt failed with if the sort cannot begin anew.
SortReport execute_sort(FileSystem& files, const SortOptions& options, const Machine& machine = this_machine(),
                        SortContext context = {});

/// A LaterSortRunner: what chains of sorts do their later sorts with.
SortReport execute_later_sort(const SortOptions& options, std::size_t inputs, RecordForm form,
                              const std::string& header, Observer& observer);

}  // namespace sortie
