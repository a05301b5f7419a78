// A picture of the memory and the scratch space that a job took, in SVG. The page of --report shows it.
#pragma once

#include <string>

#include <sortie/report.hpp>

#include "observe/timeline.hpp"

namespace sortie {

/// Memory of the process and bytes in scratch space over time; the memory budget as a line, if it is near.
std::string memory_svg(const WorkReport& report, const Timeline& timeline);

}  // namespace sortie
