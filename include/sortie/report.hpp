// What a sort or a join did: returned by sort() and join(), and written to SortOptions::stats_json_path.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <sortie/assumption.hpp>

namespace sortie {

/// Order-independent checksum: the sum modulo 2^128 of a 128-bit hash of every record.
struct Checksum {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  friend bool operator==(const Checksum&, const Checksum&) = default;
};

/// 32 lower-case hexadecimal digits, high word first.
std::string to_string(const Checksum& checksum);

/// Work of one kind over the whole job.
struct StageReport {
  std::string name;         ///< "read", "sort", "write run", "H2D", ...
  std::uint64_t bytes = 0;  ///< payload that passed through
  double busy_seconds = 0;  ///< summed over the threads and streams that did it
};

/// Something that can be busy: a link, a disk, or processors doing one kind of work.
struct ResourceReport {
  std::string name;         ///< "reading", "H2D", "kernels", "D2H", "sorting", "output writing", ...
  std::uint64_t bytes = 0;  ///< handled by all its stages
  double busy_seconds = 0;  ///< time in which at least one thread or stream used it
  double share = 0;         ///< busy part of the wall time, 0 to 1
};

/// A phase of the job, measured by the wall clock.
struct PhaseReport {
  std::string name;  ///< "starting", "forming runs", "merging", ...
  double seconds = 0;
  std::vector<ResourceReport> resources;  ///< busiest first; shares are of this phase
};

/// One of the sorts that a job is made of, beside the first one.
struct SortPhases {
  std::string name;                 ///< "by place", "left input", ...
  double begin_seconds = 0;         ///< since the job began
  std::vector<PhaseReport> phases;  ///< with the resources that this sort alone used
};

/// How long a job took, what it kept busy meanwhile, and how much memory and scratch space it needed.
struct WorkReport {
  std::uint64_t runs_spilled = 0;  ///< run files on disk
  std::uint64_t merge_passes = 0;  ///< of several sorts: the most of one
  std::uint64_t scratch_peak_bytes = 0;
  std::uint64_t memory_budget_bytes = 0;
  std::uint64_t memory_peak_bytes = 0;  ///< the process's resident memory, mapped files included; 0 if unknown
  double elapsed_seconds = 0;
  std::vector<PhaseReport> phases;  ///< one behind the other
  /// Where several sorts are at work at the same time: the phases of each. A chain's first sort has `phases`.
  std::vector<SortPhases> sorts;
  std::vector<ResourceReport> resources;  ///< over the whole job, busiest first: the first is the bottleneck
  std::vector<StageReport> stages;
};

struct SortReport : WorkReport {
  std::string engine;         ///< "cpu" or "gpu"
  std::string engine_reason;  ///< why this one, in a few words
  /// Why a GPU failed or had too little memory, if the sort then used less of its memory or the CPU.
  std::string device_failure;
  std::uint64_t input_records = 0;
  std::uint64_t input_bytes = 0;
  std::uint64_t output_records = 0;
  std::uint64_t output_bytes = 0;
  /// Counts, checksums and order were compared (they always agree). False if a merge had its first N records and
  /// stopped reading.
  bool verified = false;
  /// Checksum of the input, or of the output if it has the first records alone (SortOptions::top_records): others are
  /// counted, but not hashed. Zero if not verified.
  Checksum checksum;
  /// Sorted runs formed; 1: everything fitted, nothing was merged. Where one sort takes what another one gives, as for
  /// OutputOrder::kInput and samples, this and what follows are the sums over all of them.
  std::uint64_t runs = 0;
  std::uint64_t runs_resumed = 0;         ///< how many of these came from a checkpoint
  std::uint64_t windows = 0;              ///< windows in all merge passes
  std::uint64_t run_bytes = 0;            ///< records in runs, before compression
  std::uint64_t stored_bytes = 0;         ///< the same as stored, in RAM or on disk
  std::uint64_t device_budget_bytes = 0;  ///< largest on any GPU; allocated once, so also the peak; 0 on the CPU engine
  unsigned devices = 0;                   ///< GPUs used
  double start_seconds = 0;               ///< opening files, choosing and starting the engine, reading ahead meanwhile
  double formation_seconds = 0;
  double merge_seconds = 0;
  /// What the sort assumed without being told, one entry for each kind.
  std::vector<Assumption> assumptions;

  /// How many bytes of records one stored byte holds; 0 if no run was stored.
  double compression_ratio() const {
    return stored_bytes == 0 ? 0 : static_cast<double>(run_bytes) / static_cast<double>(stored_bytes);
  }
};

struct JoinReport : WorkReport {
  SortReport left;
  SortReport right;
  std::uint64_t output_records = 0;
  std::uint64_t output_bytes = 0;  ///< without the header
};

/// A table for people, several lines, each ended by a newline.
std::string to_text(const SortReport& report);
std::string to_text(const JoinReport& report);

/// One JSON object; the keys are the names above.
std::string to_json(const SortReport& report);
std::string to_json(const JoinReport& report);

}  // namespace sortie
