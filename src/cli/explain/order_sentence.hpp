// Says in words what a set of options orders by.
#pragma once

#include <string>

#include <sortie/join.hpp>
#include <sortie/options.hpp>

namespace sortie::cli {

/// One sentence about the order, and where there is more to say, others about what is kept and about the locale.
std::string order_sentence(const SortOptions& options);

/// What is said behind that of a join. Begins with a blank.
std::string join_sentence(const JoinOptions& options);

}  // namespace sortie::cli
