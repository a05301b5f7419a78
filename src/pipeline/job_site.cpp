#include "pipeline/job_site.hpp"

#include <string>
#include <utility>
#include <vector>

#include "io/files/caller_streams.hpp"
#include "io/files/object_streams.hpp"
#include "pipeline/setup/options_check.hpp"
#include "pipeline/setup/sort_spec.hpp"

namespace sortie {
namespace {

unsigned checked_thread_count(const SortOptions& options) {
  validate(options);
  return thread_count(options);
}

std::unique_ptr<FileSystem> object_files(FileSystem& files, const SortOptions& options) {
  if (!options.objects) return nullptr;
  const std::vector<std::string>& scratch = options.scratch_directories;
  return with_object_streams(files, scratch.empty() ? "" : scratch.front());
}

}  // namespace

JobSite::JobSite(const SortOptions& options, std::size_t sources)
    : options_(options),
      team_(checked_thread_count(options), options.stop),
      before_(std::exchange(*ThreadTeam::slot()(), ThreadTeam::ThreadState{&team_, nullptr})),
      machine_files_(make_posix_file_system(options.temporary_names)),
      object_files_(object_files(*machine_files_, options)),
      files_(with_caller_streams(object_files_ ? *object_files_ : *machine_files_, options.source, options.sink)) {
  if (options.source || options.sink) named_ = options;
  if (options.source) named_->inputs.assign(sources, kSourceName);
  if (options.sink) named_->output = kSinkName;
}

}  // namespace sortie
