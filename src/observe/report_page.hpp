// The report of a sort or a join as a page for a browser, in one file that needs no other: --report. Made when the job
// is done.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <sortie/report.hpp>

#include "observe/advice.hpp"
#include "observe/timeline.hpp"

namespace sortie {

/// What the page shows beside the report. Texts may hold any bytes.
struct PageContext {
  Timeline timeline;
  SortConditions conditions;
  /// What was asked for: names and values, in the order of the page.
  std::vector<std::pair<std::string, std::string>> options;
  std::string system;              ///< its name and version
  std::uint64_t memory_bytes = 0;  ///< of the machine or container
};

/// HTML that is well-formed XML, too.
std::string report_page(const SortReport& report, const PageContext& facts);
std::string report_page(const JoinReport& report, const PageContext& facts);

}  // namespace sortie
