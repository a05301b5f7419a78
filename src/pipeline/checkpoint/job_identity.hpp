// Identifies a job by the state of its inputs and by everything that changes the bytes of the output or the meaning of
// runs. Memory, threads, engine and compression may change from one attempt to the next. Used by SortJob and by plan().
#pragma once

#include "io/files/file.hpp"
#include "pipeline/checkpoint/manifest.hpp"
#include "pipeline/setup/sort_spec.hpp"

namespace sortie {

/// A checksum of what the options ask for.
Checksum identify_options(const SortSpec& spec);

/// Throws Error if an input cannot be examined.
JobIdentity identify_job(FileSystem& files, const SortSpec& spec);

}  // namespace sortie
