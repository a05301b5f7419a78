// A directory that keeps the runs of a sort, so that the same sort can be continued after a kill, a crash or a power
// cut: named run files, and a manifest that lists those that are complete. MANIFEST.md has the files and the order in
// which they are written and removed. Other files in the directory are left alone. Made by SortJob for
// SortOptions::checkpoint_directory.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "io/file.hpp"
#include "io/private_directory.hpp"
#include "pipeline/checkpoint/manifest.hpp"
#include "run/kept_run_storage.hpp"
#include "run/run.hpp"

namespace sortie {

class Checkpoint {
 public:
  /// Opens and locks the directory, made if it is missing, and reads its manifest if there is one. Throws Error.
  Checkpoint(FileSystem& files, const std::string& directory);
  /// If no run is kept, nothing is: the directory goes too, if it was made for this.
  ~Checkpoint();
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  const std::string& directory() const { return directory_->path(); }
  const CheckpointPlace& place() const { return place_; }

  /// The random seed of the sort that is continued; nothing if there is none. Before begin().
  std::optional<RandomSeed> kept_seed() const;

  /// Throws Error if runs of another job are kept.
  void require_same_job(const JobIdentity& identity) const;

  /// Goes on with the sort whose runs are kept, or begins a new one. Throws Error if they are of another job. Call
  /// once, before all that follows.
  void begin(const JobIdentity& identity, const RandomSeed& seed);

  /// The runs that are kept, in the order of the input, and where that goes on.
  std::span<const KeptRun> runs() const;
  InputMark end() const { return manifest_ ? manifest_->end() : InputMark(); }

  RunIdentity identity_of(std::uint64_t number) const { return {manifest_->header().job_id, number}; }
  /// The file of a run, which may not be there. Precondition for its use: this is there.
  KeptRunSource source_of(const RunIdentity& run) const;

  /// The file of a new run, for which the number of its identity is new too. Thread-safe.
  struct NewRun {
    RunIdentity identity;
    std::unique_ptr<File> file;
  };
  NewRun create_run();

  /// What the manifest will say of a run that is complete, once its file is durable: waits for that. Thread-safe.
  static KeptRun describe(const Run& run, const RecordTotals& dropped);

  /// Lists the next run in the order of the input. Returns when that is durable. One thread at a time.
  void add(const KeptRun& run, const InputMark& end);

  /// Lists `run`, which they were merged to, in the place of `count` runs from the one at `first` on, whose files are
  /// removed when that is durable.
  void replace(std::size_t first, std::size_t count, KeptRun run);

  /// The output is complete: removes all that was kept, and the directory if it was made for this and holds nothing
  /// else. Returns why any of it stays; empty if nothing does.
  std::string finish() noexcept;

 private:
  std::string name_of(const KeptRun& run) const;
  void read_manifest();
  void write_manifest(const ManifestHeader& header);
  void append_durably(const std::string& line);
  std::unique_ptr<File> create_own(const std::string& name);
  bool remove_own(const std::string& name) noexcept;
  void remove_leftovers();
  void begin_anew(const JobIdentity& identity, const RandomSeed& seed);
  void remove_all();
  void unlist_runs();

  std::unique_ptr<PrivateDirectory> directory_;
  CheckpointPlace place_;
  bool made_directory_;  // in this sort, or when it was begun
  std::optional<Manifest> manifest_;
  std::unique_ptr<File> manifest_file_;  // null where there is no manifest
  bool is_begun_ = false;
  bool keeps_runs_ = false;  // durably
  std::atomic<std::uint64_t> next_number_{0};
  std::mutex own_names_mutex_;
  std::set<std::string> own_names_;  // of files that this process has made, and that the manifest listed
};

}  // namespace sortie
