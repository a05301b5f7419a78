// The first step of a sort with SortOptions::checkpoint_directory: opens the directory, and takes from it what the
// options leave open. Called by SortJob and plan().
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sortie/options.hpp>

#include "io/files/file.hpp"
#include "pipeline/checkpoint/checkpoint.hpp"
#include "pipeline/setup/sort_spec.hpp"

namespace sortie {

/// Returns null if the options ask for no checkpoint. Throws Error as Checkpoint does, and if other options rule a
/// checkpoint out.
std::unique_ptr<Checkpoint> open_checkpoint(FileSystem& files, const SortOptions& options);

/// The same for plan(): creates nothing, and returns null also if the directory does not exist.
std::unique_ptr<Checkpoint> look_at_checkpoint(FileSystem& files, const SortOptions& options);

/// The plan's line about the runs that would be taken over; empty if the options ask for no checkpoint. Throws Error if
/// `checkpoint` belongs to another job.
std::string describe_checkpoint(const Checkpoint* checkpoint, FileSystem& files, const SortSpec& spec);

/// The directories for runs, as ScratchSpace takes them: that of the checkpoint if there is one. `checkpoint` may be
/// null; for a plan, which makes no directory, the one in which the checkpoint's directory will be made stands for it.
std::vector<std::string> run_directories(const Checkpoint* checkpoint, const SortOptions& options);

/// The seed of the sort to be continued, if there is one and its order is random by a seed that was made up.
std::optional<RandomSeed> kept_seed(FileSystem& files, const SortOptions& options);

}  // namespace sortie
