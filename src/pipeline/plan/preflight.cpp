#include "pipeline/plan/preflight.hpp"

#include <optional>

#include "base/quote.hpp"
#include "base/size.hpp"

namespace sortie {
namespace {

std::string names_of(const std::vector<std::string>& directories) {
  std::string names;
  for (const std::string& directory : directories) names += (names.empty() ? "" : ", ") + quote_path(directory);
  return names;
}

std::string shortage(const std::string& what, std::uint64_t needed, std::uint64_t free, const std::string& location) {
  return what + " needs " + format_size(needed) + ", and " + format_size(free) + " are free in " + location;
}

std::optional<PreflightFinding> check_scratch(const PreflightEstimate& needs, const PreflightSpace& room) {
  if (needs.scratch_bytes <= room.scratch_bytes) return std::nullopt;
  const bool is_fatal = needs.least_scratch_bytes > room.scratch_bytes && !needs.may_compress;
  const std::uint64_t bytes = is_fatal ? needs.least_scratch_bytes : needs.scratch_bytes;
  std::string message = shortage("scratch space", bytes, room.scratch_bytes, names_of(room.scratch_directories));
  if (!is_fatal) message += needs.may_compress ? " unless runs compress well" : " by estimate";
  return PreflightFinding{is_fatal,
                          message + ": free some space, choose another directory for it, or raise the memory budget",
                          Remedy::kMoreMemory};
}

std::optional<PreflightFinding> check_output(const PreflightEstimate& needs, const PreflightSpace& room) {
  if (room.output_directory.empty() || needs.output_bytes == 0) return std::nullopt;
  const std::string location = quote_path(room.output_directory);
  if (needs.output_bytes > room.output_bytes) {
    return PreflightFinding{true, shortage("the output", needs.output_bytes, room.output_bytes, location) +
                                      ": free some space or choose another output"};
  }
  // Runs give their space back while they are merged, but not on every file system.
  const std::uint64_t both_bytes = needs.output_bytes + needs.scratch_bytes;
  if (!room.output_is_beside_scratch || needs.scratch_bytes == 0 || both_bytes <= room.output_bytes)
    return std::nullopt;
  return PreflightFinding{false,
                          shortage("the output and scratch space beside it", both_bytes, room.output_bytes, location) +
                              ": choose another scratch directory",
                          Remedy::kOtherScratch};
}

}  // namespace

bool exceeds_cache(const PreflightEstimate& needs, std::uint64_t free_memory_bytes) {
  return needs.scratch_bytes + needs.output_bytes > free_memory_bytes / 2;
}

std::vector<PreflightFinding> preflight(const PreflightEstimate& needs, const PreflightSpace& room) {
  std::vector<PreflightFinding> findings;
  for (auto& finding : {check_scratch(needs, room), check_output(needs, room)}) {
    if (finding) findings.push_back(*finding);
  }
  return findings;
}

}  // namespace sortie
