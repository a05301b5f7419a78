// The texts of plan(): say what a sort or a join would do, from the same plan that SortJob and JoinJob follow, and do
// nothing.
#pragma once

#include <string>

#include <sortie/join.hpp>
#include <sortie/options.hpp>

#include "io/files/file.hpp"
#include "pipeline/setup/engine_choice.hpp"

namespace sortie {

std::string describe_plan(FileSystem& files, const SortOptions& options, const Machine& machine = this_machine());

/// Precondition: `options` are valid.
std::string describe_plan(FileSystem& files, const JoinOptions& options, const Machine& machine = this_machine());

}  // namespace sortie
