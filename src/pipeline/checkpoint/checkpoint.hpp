// A directory that keeps the runs of a sort, so that the sort can be continued after a kill, a crash or a power cut. It
// has named run files, and a manifest that lists the complete ones. MANIFEST.md says in which order files are written
// and removed. Other files in the directory are left alone. Made by SortJob for SortOptions::checkpoint_directory.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <sortie/temporary_names.hpp>

#include "io/files/file.hpp"
#include "io/files/private_directory.hpp"
#include "pipeline/checkpoint/manifest.hpp"
#include "run/kept_run_storage.hpp"
#include "run/run.hpp"

namespace sortie {

class Checkpoint {
 public:
  /// Opens and locks the directory, creates it if it is missing, and reads its manifest if there is one. Throws Error.
  /// `names`: registers all files that are made, so that they are removed when the process ends; null: they stay.
  Checkpoint(FileSystem& files, const std::string& directory, TemporaryNames* names = nullptr);
  /// If no run is kept, removes everything, including the directory if this checkpoint created it.
  ~Checkpoint();
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  const std::string& directory() const { return directory_->path(); }
  const CheckpointLocation& location() const { return location_; }

  /// The random seed of the sort that is to be continued, if there is one. Call before begin().
  std::optional<RandomSeed> kept_seed() const;

  /// Throws Error if runs of another job are kept.
  void require_same_job(const JobIdentity& identity) const;

  /// Continues the sort whose runs are kept, or begins a new one. Throws Error if the runs belong to another job. Call
  /// once, before any of the functions below.
  void begin(const JobIdentity& identity, const RandomSeed& seed);

  /// The kept runs, in input order, and where in the inputs the sort continues.
  std::span<const KeptRun> runs() const;
  InputMark end() const { return manifest_ ? manifest_->end() : InputMark(); }

  RunIdentity identity_of(std::uint64_t number) const { return {manifest_->header().job_id, number}; }
  /// The file of a run, which may be missing. The source may be used only while this object exists.
  KeptRunSource source_of(const RunIdentity& run) const;

  /// A new run: its file, and a run number that is not used yet. Thread-safe.
  struct NewRun {
    RunIdentity identity;
    std::unique_ptr<File> file;
  };
  NewRun create_run();

  /// The manifest's entry for a run that is complete and durable. Thread-safe.
  static KeptRun describe(const Run& run, const RecordTotals& dropped);

  /// Lists the next run in input order. Returns when the entry is durable. Not thread-safe.
  void add(const KeptRun& run, const InputMark& end);

  /// Lists `run` in place of the `count` runs from `first` on, which were merged into it. Removes their files once the
  /// entry is durable.
  void replace(std::size_t first, std::size_t count, KeptRun run);

  /// Makes a durable file that belongs to the checkpoint, as run files do.
  void add_file(const std::string& name, std::string_view contents);

  /// Leaves the runs that were made to the caller, who knows their names: removes the manifest, and nothing from then
  /// on. Precondition: no run is listed. Throws Error.
  void leave_to_caller();

  /// Call when the output is complete. Removes everything that was kept, and the directory if the checkpoint created it
  /// and it holds nothing else. Returns why anything stays; empty if nothing does.
  std::string finish() noexcept;

 private:
  std::string name_of(const KeptRun& run) const;
  void read_manifest();
  void write_manifest(const ManifestHeader& header);
  void append_durably(const std::string& line);
  void add_own(const std::string& name);
  std::unique_ptr<File> create_own(const std::string& name);
  bool remove_own(const std::string& name) noexcept;
  void remove_leftovers();
  void begin_anew(const JobIdentity& identity, const RandomSeed& seed);
  void remove_all();
  void unlist_runs();

  std::string path_of(const std::string& name) const { return directory() + "/" + name; }

  TemporaryNames* const names_;
  const TemporaryNames::Entry directory_name_;
  std::unique_ptr<PrivateDirectory> directory_;
  CheckpointLocation location_;
  bool made_directory_;  // in this attempt or in an earlier one
  std::optional<Manifest> manifest_;
  std::unique_ptr<File> manifest_file_;  // null if there is no manifest
  bool is_begun_ = false;
  bool keeps_runs_ = false;  // a run is listed durably
  std::atomic<std::uint64_t> next_number_{0};
  std::mutex own_names_mutex_;
  // Files that this process made or the manifest listed.
  std::map<std::string, TemporaryNames::Entry> own_names_;
  std::optional<TemporaryNames::Entry> manifest_name_;
};

}  // namespace sortie
