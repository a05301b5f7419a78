// Lists in messages. A message is a line that somebody reads: of many names it has the first ones, and how many more
// there are.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace sortie {

/// The names in quotes, with commas between them: the first twenty, each cut where it is long, and the number of the
/// rest; "none" if there are none.
std::string list_of_names(std::span<const std::string> names);
/// As above, of `count` names, which `name` gives by their numbers.
std::string list_of_names(std::size_t count, const std::function<std::string_view(std::size_t)>& name);

/// The text, cut where it is longer than a message should be.
std::string shortened(std::string_view text);

}  // namespace sortie
