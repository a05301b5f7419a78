// What a sort did: returned by sort(), printed by --stats, written by --stats-json.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace sortie {

/// Order-independent checksum: the sum modulo 2^128 of a 128-bit hash of every record.
struct Checksum {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  friend bool operator==(const Checksum&, const Checksum&) = default;
};

/// 32 lower-case hexadecimal digits, high word first.
std::string to_string(const Checksum& checksum);

/// Work of one kind over the whole sort.
struct StageReport {
  std::string name;         ///< "read", "sort", "encode", "write run", ...
  std::uint64_t bytes = 0;  ///< payload that passed through
  double busy_seconds = 0;  ///< summed over the threads that did it
};

struct SortReport {
  std::string engine;  ///< "cpu" or "gpu"
  std::uint64_t input_records = 0;
  std::uint64_t input_bytes = 0;
  std::uint64_t output_records = 0;
  std::uint64_t output_bytes = 0;
  bool verified = false;           ///< counts, checksums and order were compared (they always agree)
  Checksum checksum;               ///< of the input; zero if not verified
  std::uint64_t runs = 0;          ///< sorted runs formed; 1: everything fitted, nothing was merged
  std::uint64_t runs_spilled = 0;  ///< of these, run files on disk
  std::uint64_t merge_passes = 0;
  std::uint64_t windows = 0;       ///< of all merge passes
  std::uint64_t run_bytes = 0;     ///< records in runs, before compression
  std::uint64_t stored_bytes = 0;  ///< the same as stored, in RAM or on disk
  std::uint64_t scratch_peak_bytes = 0;
  std::uint64_t memory_budget_bytes = 0;
  std::uint64_t device_budget_bytes = 0;  ///< per GPU; 0 on the CPU engine
  double formation_seconds = 0;
  double merge_seconds = 0;
  double elapsed_seconds = 0;
  std::vector<StageReport> stages;
};

/// A table for people, several lines, each ended by a newline.
std::string to_text(const SortReport& report);

/// One JSON object; the keys are the names above.
std::string to_json(const SortReport& report);

}  // namespace sortie
