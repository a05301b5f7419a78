// What a join is asked for, with memory and threads shared out: pure but for a look at the sizes of the inputs. Used by
// the join job and by plan().
#pragma once

#include <sortie/join.hpp>

#include "pipeline/join/join_shares.hpp"
#include "pipeline/setup/job_setup.hpp"

namespace sortie {

struct JoinSetup {
  ResolvedOptions whole;  ///< memory and threads of all; its options have no keys resolved
  JoinShares shares;
  SortOptions left;  ///< each with its share
  SortOptions right;
};

/// Precondition: `options` are valid.
JoinSetup set_up_join(const JoinOptions& options);

}  // namespace sortie
