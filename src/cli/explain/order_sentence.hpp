// Says in words what a set of options orders by.
#pragma once

#include <string>

#include <sortie/options.hpp>

namespace sortie::cli {

/// One sentence about the order, and where there is more to say, others about what is kept and about the locale.
std::string order_sentence(const SortOptions& options);

}  // namespace sortie::cli
