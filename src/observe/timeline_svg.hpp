// Pictures of a sort over its time, as SVG within a page whose style has their colours: phases and how busy every
// resource was, and memory and scratch space. The page of --report shows them.
#pragma once

#include <string>

#include <sortie/report.hpp>

#include "observe/timeline.hpp"

namespace sortie {

/// Phases above, then how busy `processors` processors were, then a track for each resource of the report, as high as
/// it was busy. Their titles tell figures.
std::string busy_svg(const SortReport& report, const Timeline& timeline, unsigned processors);

/// Memory of the process and bytes in scratch space; the memory budget as a line, if it is near.
std::string memory_svg(const SortReport& report, const Timeline& timeline);

}  // namespace sortie
