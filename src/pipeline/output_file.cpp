#include <sortie/output_file.hpp>

#include "base/system_limits.hpp"
#include "base/thread_team.hpp"
#include "io/files/file.hpp"
#include "io/output/open_output.hpp"
#include "io/output/output.hpp"
#include "pipeline/public_call.hpp"

namespace sortie {
namespace {

unsigned team_threads(const OutputFile::Options& options) {
  return ThreadTeam::most_threads(options.threads == 0 ? available_threads() : options.threads);
}

}  // namespace

struct OutputFile::State {
  State(const std::string& path, const Options& options)
      : team(team_threads(options)),
        files(make_posix_file_system()),
        output(team.run([&] { return open_output(*files, path, {.by_suffix = options.pack}); })) {}

  ThreadTeam team;
  std::unique_ptr<FileSystem> files;
  std::unique_ptr<Output> output;
};

OutputFile::OutputFile(const std::string& path, const Options& options)
    : state_(public_call([&] { return std::make_unique<State>(path, options); })) {}

OutputFile::~OutputFile() = default;

void OutputFile::write(std::span<const std::byte> bytes) {
  public_call([&] { state_->team.run([&] { state_->output->write(bytes); }); });
}

void OutputFile::finish() {
  public_call([&] { state_->team.run([&] { state_->output->finish(); }); });
}

}  // namespace sortie
