// The files that a job names beside its inputs and scratch space: checks whether they may be written, and opens its
// reports. Called by sort(), plan() and check().
#pragma once

#include <memory>
#include <string>

#include <sortie/options.hpp>

#include "io/file.hpp"
#include "io/output.hpp"

namespace sortie {

/// Throws Error if a file that the sort would write is also used for something else: see refuse_shared_targets().
void refuse_shared_targets_of_sort(FileSystem& files, const SortOptions& options);

/// The same for check(), which writes nothing but a trace.
void refuse_shared_targets_of_check(FileSystem& files, const SortOptions& options);

/// Opens the file of the trace or of the statistics, which is not compressed, whatever its suffix; null if `path` is
/// empty. "-" is a file of that name, because standard output is for data. Throws Error.
std::unique_ptr<Output> open_report(FileSystem& files, const std::string& path, const SortOptions& options);

}  // namespace sortie
