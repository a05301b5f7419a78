// Shows what of a line counts for its place in an order, for people who wonder why lines stand where they stand.
#pragma once

#include <string>
#include <string_view>

#include <sortie/text_order.hpp>

namespace sortie {

/// The line, with tabs shown as '>', and below it a line for each key that underlines what it reads, and one for the
/// last resort, as GNU sort --debug shows them. `line` is without its delimiter; every line of the result ends in
/// '\n'. In the C library's locale as it is set. Precondition: the order is not one of CSV.
std::string annotated(std::string_view line, const TextOrder& order);

}  // namespace sortie
