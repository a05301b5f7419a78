// Shows which parts of a line an order reads, for people who wonder why lines come out in that order.
#pragma once

#include <string>
#include <string_view>

#include <sortie/text_order.hpp>

namespace sortie {

/// Returns the record with tabs shown as '>'. Below it, one line per key underlines what the key reads, and one
/// underlines what the last resort reads, as GNU sort --debug does. `record` has no delimiter; every line of the result
/// ends in '\n'. Newlines within a record of CSV are shown as '$'; of a record of several lines the first is shown.
/// Uses the C library's locale as it is set. Precondition: keys of CSV have numbers in place of names.
std::string annotated(std::string_view record, const TextOrder& order);

}  // namespace sortie
