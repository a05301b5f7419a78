// plan(): says what a sort would do, and does nothing.
#pragma once

#include <string>

#include <sortie/options.hpp>

#include "io/file.hpp"

namespace sortie {

std::string describe_plan(FileSystem& files, const SortOptions& options);

}  // namespace sortie
