// The contents of a checkpoint's manifest, and the lines of text that store them: the job, its kept runs, and how far
// the inputs have been read. MANIFEST.md has the format. No file is touched here: Checkpoint reads and writes the
// lines.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <sortie/report.hpp>

#include "pipeline/checkpoint/checkpoint_error.hpp"
#include "pipeline/input/input_mark.hpp"
#include "record/record_totals.hpp"

namespace sortie {

inline constexpr std::uint64_t kManifestVersion = 3;

/// Digests of what must be the same when a sort is continued: see identify_job().
struct JobIdentity {
  Checksum inputs;
  Checksum options;

  friend bool operator==(const JobIdentity&, const JobIdentity&) = default;
};

using RandomSeed = std::array<std::byte, 16>;

struct ManifestHeader {
  std::uint64_t job_id = 0;  ///< also in the header of every run
  bool made_directory = false;
  RandomSeed seed{};  ///< seed of a random order
  JobIdentity identity;

  friend bool operator==(const ManifestHeader&, const ManifestHeader&) = default;
};

/// A run file in the directory.
struct KeptRun {
  std::uint64_t number = 0;  ///< part of the file's name
  std::uint64_t file_bytes = 0;
  std::uint64_t index_checksum = 0;  ///< RunFile::index_checksum
  RecordTotals dropped;              ///< duplicates dropped on the way into the run

  friend bool operator==(const KeptRun&, const KeptRun&) = default;
};

class Manifest {
 public:
  explicit Manifest(const ManifestHeader& header);

  /// Parses text that need not be trusted. A last line that is cut short or does not match its checksum counts as not
  /// written. Throws Error that names the directory, `place`, if anything else is wrong or the version differs.
  static Manifest parse(std::string_view text, const CheckpointPlace& place);

  /// How the first line of a job's manifest begins: its magic, version and job id.
  static std::string beginning_of_header(std::uint64_t job_id);

  const ManifestHeader& header() const { return header_; }
  /// The kept runs, in input order.
  const std::vector<KeptRun>& runs() const { return runs_; }
  /// Where in the inputs the last run that was formed ends.
  const InputMark& end() const { return end_; }
  /// The least number that is greater than those of all runs so far.
  std::uint64_t next_number() const { return next_number_; }

  /// Length of all lines together.
  std::uint64_t text_bytes() const { return text_bytes_; }

  /// Each returns a line to append: the first line; the entry of one more run; the entry of `run`, which replaces the
  /// `count` runs from runs()[first] on.
  std::string header_line() const;
  std::string add_run(const KeptRun& run, const InputMark& end);
  std::string replace_runs(std::size_t first, std::size_t count, const KeptRun& run);

 private:
  Manifest() = default;
  bool take_line(std::string_view line);
  bool take_header(std::string_view content);
  bool take_entry(std::string_view content);
  bool take_run(const KeptRun& run, const InputMark& end);
  bool take_number(std::uint64_t number);
  bool take_replacement(std::uint64_t first, std::uint64_t count, const KeptRun& run);
  void pass(std::string_view line);
  std::string seal(const std::string& content) const;

  ManifestHeader header_;
  std::vector<KeptRun> runs_;
  InputMark end_;
  std::unordered_set<std::uint64_t> numbers_;  // numbers of all runs ever listed
  std::uint64_t next_number_ = 0;
  std::uint64_t text_bytes_ = 0;
  std::string last_seal_;  // seal of the last line; the next line's checksum covers it
};

}  // namespace sortie
