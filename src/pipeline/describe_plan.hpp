// The text of plan(): says what a sort would do, from the same plan that SortJob follows, and does nothing.
#pragma once

#include <string>

#include <sortie/options.hpp>

#include "io/files/file.hpp"
#include "pipeline/setup/machine.hpp"

namespace sortie {

std::string describe_plan(FileSystem& files, const SortOptions& options, const Machine& machine = this_machine());

}  // namespace sortie
