// Shows which parts of a line an order reads, for people who wonder why lines come out in that order.
#pragma once

#include <string>
#include <string_view>

#include <sortie/text_order.hpp>

namespace sortie {

/// Returns the line with tabs shown as '>'. Below it, one line per key underlines what the key reads, and one
/// underlines what the last resort reads, as GNU sort --debug does. `line` has no delimiter; every line of the result
/// ends in '\n'. Uses the C library's locale as it is set. Precondition: the order is not one of CSV.
std::string annotated(std::string_view line, const TextOrder& order);

}  // namespace sortie
