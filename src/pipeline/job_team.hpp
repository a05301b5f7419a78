// What the public functions that work on files have in common: options are checked, threads gathered, files at hand.
#pragma once

#include <memory>

#include <sortie/options.hpp>

#include "base/thread_team.hpp"
#include "io/files/file.hpp"
#include "pipeline/public_call.hpp"
#include "pipeline/setup/job_setup.hpp"
#include "pipeline/setup/options_check.hpp"

namespace sortie {

/// Calls `work(files)` with this machine's files, and with threads that are the job's own. Throws as rethrow_as_error()
/// does, and Error for options that are refused.
template <class Work>
auto run_in_team(const SortOptions& options, const Work& work) {
  return public_call([&] {
    validate(options);
    ThreadTeam team(thread_count(options), options.stop);
    return team.run([&] { return work(*make_posix_file_system(options.temporary_names)); });
  });
}

}  // namespace sortie
