// The files that a job names beside its inputs: checks whether they may be written and have room, and opens its output
// and its reports. Called by jobs and by plan().
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <sortie/options.hpp>
#include <sortie/report.hpp>

#include "io/files/file.hpp"
#include "io/files/scratch.hpp"
#include "io/output/output.hpp"
#include "observe/report_page.hpp"
#include "pipeline/plan/preflight.hpp"
#include "pipeline/setup/job_inputs.hpp"
#include "pipeline/setup/sort_spec.hpp"

namespace sortie {

/// Throws Error if a file that the sort would write is also used for something else: see refuse_shared_targets().
void refuse_shared_targets_of_sort(FileSystem& files, const SortOptions& options);

/// The same for check(), which writes nothing but a trace.
void refuse_shared_targets_of_check(FileSystem& files, const SortOptions& options);

/// What file systems have free for a sort. Asks them only about what `needs` contains. Throws Error if scratch space is
/// needed and cannot be written.
PreflightSpace survey_room(FileSystem& files, const ScratchSpace& scratch, const SortOptions& options,
                           const PreflightEstimate& needs);

/// How the output is packed, if its name asks for that.
Packing packing_of(const SortSpec& spec, const MemoryBudget& budget);

/// Opens the file of the trace, the statistics or the report page, which is not compressed, whatever its suffix; null
/// if `path` is empty. "-" is standard output. Throws Error.
std::unique_ptr<Output> open_report(FileSystem& files, const std::string& path, const SortOptions& options);

/// Whether an output takes records as RecordForm::kFramed: parts do where bytes alone do not say where records end, or
/// which keys they have. `format`: that of the records as they are written.
bool needs_frames(const SortOptions& options, const Format& format);

/// Opens the output of a sort: one, or parts; reports to `inputs` how much memory it takes. `inputs` and `scratch` must
/// outlive it. Throws Error as open_output() and PartsOutput do.
std::unique_ptr<Output> open_job_output(FileSystem& files, JobInputs& inputs, ScratchSpace& scratch);

/// The files that report on a sort or a join when it is done: statistics, and the page with pictures. They are opened
/// before it, so that one that cannot be written costs no work.
class ReportFiles {
 public:
  /// Opens those that the options ask for. Throws Error.
  ReportFiles(FileSystem& files, const SortOptions& options);

  /// `page`: nothing if none is wanted, or memory for it was lacking. Throws Error, which says that the output is
  /// complete. Precondition: it is. Report: SortReport or JoinReport.
  template <class Report>
  void write(const Report& report, const std::optional<PageContext>& page) const {
    if (statistics_) write(*statistics_, "statistics", [&] { return to_json(report) + "\n"; });
    if (page_) write(*page_, "report page", [&] { return report_page(report, value_of(page)); });
  }

 private:
  static const PageContext& value_of(const std::optional<PageContext>& page);
  static void write(Output& output, const std::string& what, const std::function<std::string()>& text_of);

  std::unique_ptr<Output> statistics_;
  std::unique_ptr<Output> page_;
};

}  // namespace sortie
