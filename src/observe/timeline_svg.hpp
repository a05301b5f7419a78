// A picture of what was busy when, in SVG. The page of --report shows it.
#pragma once

#include <string>

#include <sortie/report.hpp>

#include "observe/timeline.hpp"

namespace sortie {

/// Phases above, those of several sorts below one another, then how busy `processors` processors were, then a track for
/// each resource of the report, as high as it was busy. Their titles have figures.
std::string busy_svg(const WorkReport& report, const Timeline& timeline, unsigned processors);

}  // namespace sortie
