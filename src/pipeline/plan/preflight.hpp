// Compares what a sort needs of file systems with what they have, before any record is sorted. Pure: numbers in,
// findings out. SortJob acts on them, describe_plan() shows them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <sortie/error.hpp>

namespace sortie {

struct PreflightEstimate {
  /// Bytes of spilled runs, uncompressed: an estimate, and a certain lower bound.
  std::uint64_t scratch_bytes = 0;
  std::uint64_t least_scratch_bytes = 0;
  bool may_compress = false;
  /// False if runs may be spilled and none is estimated: a GPU learns from the first lines how many of them it holds.
  bool knows_runs = true;
  /// Bytes of the output for which no space is reserved yet; 0 if unknown.
  std::uint64_t output_bytes = 0;
};

struct PreflightSpace {
  std::vector<std::string> scratch_directories;
  std::uint64_t scratch_bytes = 0;  ///< free in all of them
  std::string output_directory;     ///< empty: the output is a stream
  std::uint64_t output_bytes = 0;   ///< free there
  bool output_is_beside_scratch = false;
};

struct PreflightFinding {
  bool is_fatal = false;  ///< the sort cannot succeed; otherwise it may fail
  std::string message;    ///< one line, with the remedy
  Remedy remedy = Remedy::kOther;
};

/// Whether runs and output are so long that they had better be written around the system's cache. It takes what is
/// written so long as memory is free, and then makes the sort wait for the disk. If half of the free memory does not
/// hold both, the disk may as well begin at once, and what others have in the cache stays there.
bool exceeds_cache(const PreflightEstimate& needs, std::uint64_t free_memory_bytes);

std::vector<PreflightFinding> preflight(const PreflightEstimate& needs, const PreflightSpace& room);

}  // namespace sortie
