// The pictures in the page of --report, in SVG.
#pragma once

#include <string>

#include <sortie/report.hpp>

#include "observe/timeline.hpp"

namespace sortie {

/// Phases above, those of several sorts below one another, then how busy `processors` processors were, then a track for
/// each resource of the report, as high as it was busy. Their titles have figures.
std::string busy_svg(const WorkReport& report, const Timeline& timeline, unsigned processors);

/// Memory of the process and bytes in scratch space over time; the memory budget as a line, if it is near.
std::string memory_svg(const WorkReport& report, const Timeline& timeline);

}  // namespace sortie
