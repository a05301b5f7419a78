// The public functions of joins.
#include <sortie/join.hpp>

#include <string>

#include "pipeline/describe_plan.hpp"
#include "pipeline/job_site.hpp"
#include "pipeline/join/join_check.hpp"
#include "pipeline/join_job.hpp"
#include "pipeline/public_call.hpp"

namespace sortie {
namespace {

/// The options of a join that are valid, with names of files for streams.
JoinOptions checked(const JoinOptions& options, const JobSite& site) {
  validate(options);
  JoinOptions named = options;
  named.sort = site.options();
  return named;
}

}  // namespace

JoinReport join(const JoinOptions& options) try {
  const JobSite site(options.sort);
  return JoinJob(site.files(), checked(options, site)).run();
} catch (...) {
  rethrow_as_error();
}

std::string plan(const JoinOptions& options) try {
  const JobSite site(options.sort);
  return describe_plan(site.files(), checked(options, site));
} catch (...) {
  rethrow_as_error();
}

}  // namespace sortie
