// What --self-test does: sorts made-up records in all formats and orders, on the engines that there are, in memory and
// by runs in scratch space, and compares what comes out with a plain sort in memory. run_action() calls it.
#pragma once

#include <functional>
#include <string_view>

#include <sortie/options.hpp>
#include <sortie/temporary_names.hpp>

namespace sortie::cli {

/// Takes a line with its newline.
using PrintLine = std::function<void(std::string_view line)>;

/// Prints a line for each check, and one in the end. `resources`: memory, threads, scratch space and engine; nothing
/// else of it counts. Returns whether all that is there works; a GPU that is missing fails only if it is asked for.
/// Leaves no file. Throws Error if it cannot begin.
bool run_self_test(const SortOptions& resources, TemporaryNames& names, const PrintLine& print);

}  // namespace sortie::cli
