// What a public function that works on files needs: options that have been checked, threads of its own, and the files
// of this machine, among them the caller's streams. Made by each of these functions for the time of its call.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include <sortie/options.hpp>

#include "base/thread_team.hpp"
#include "io/files/file.hpp"

namespace sortie {

class JobSite {
 public:
  /// The calling thread belongs to the team of this until it is destroyed. `sources`: how many inputs
  /// SortOptions::source stands for, one behind the other: each ends where it gives 0. Throws Error for options that
  /// are refused. `options` must outlive this.
  explicit JobSite(const SortOptions& options, std::size_t sources = 1);
  ~JobSite() { *ThreadTeam::slot()() = before_; }
  JobSite(const JobSite&) = delete;
  JobSite& operator=(const JobSite&) = delete;

  FileSystem& files() const { return *files_; }
  /// The options, in which source and sink have names of files.
  const SortOptions& options() const { return named_ ? *named_ : options_; }

 private:
  const SortOptions& options_;
  ThreadTeam team_;
  ThreadTeam::ThreadState before_;
  std::unique_ptr<FileSystem> machine_files_;
  std::unique_ptr<FileSystem>
      object_files_;  ///< with objects beside the files of the machine; none if they are no names
  std::unique_ptr<FileSystem> files_;
  std::optional<SortOptions> named_;
};

}  // namespace sortie
