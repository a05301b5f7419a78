// What a sort with SortOptions::checkpoint_directory does before all others do: opens the directory, and takes from it
// what the options leave open. Called by SortJob and plan().
#pragma once

#include <memory>
#include <string>

#include <sortie/options.hpp>

#include "io/file.hpp"
#include "pipeline/checkpoint/checkpoint.hpp"
#include "pipeline/setup/job_setup.hpp"

namespace sortie {

/// Null if the options ask for none. Throws Error as Checkpoint does, and for options that do not go with one.
std::unique_ptr<Checkpoint> open_checkpoint(FileSystem& files, const SortOptions& options);

/// The same for plan(): nothing is made. Null also if there is no directory yet.
std::unique_ptr<Checkpoint> look_at_checkpoint(FileSystem& files, const SortOptions& options);

/// A line of the plan: what would be taken over; nothing if the options ask for no checkpoint. Throws Error if
/// `checkpoint` is of another job.
std::string describe_checkpoint(const Checkpoint* checkpoint, FileSystem& files, const ResolvedOptions& resolved);

/// The options with the seed of the sort that is continued, where theirs was made up. `checkpoint` may be null.
SortOptions with_kept_seed(const SortOptions& options, const Checkpoint* checkpoint);

}  // namespace sortie
