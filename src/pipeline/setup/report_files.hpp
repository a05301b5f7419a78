// The files in which a job reports on itself: trace, statistics and report page. Opened by sorts, checks and joins
// before they begin.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <sortie/options.hpp>
#include <sortie/report.hpp>

#include "io/files/file.hpp"
#include "io/output/output.hpp"
#include "observe/report_page.hpp"

namespace sortie {

/// Opens the file of the trace, the statistics or the report page, which is not compressed, whatever its suffix; null
/// if `path` is empty. "-" is standard output. Throws Error.
std::unique_ptr<Output> open_report(FileSystem& files, const std::string& path, const SortOptions& options);

/// The files that report on a sort or a join when it is done: statistics, and the page with pictures; a trace is
/// written while the job goes on, by the observer. They are opened before the job, so that one that cannot be written
/// costs no work.
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
