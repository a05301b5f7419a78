// Says which calls of a process fail, and how. The plan is read from the environment, so that a command can be tested
// as it is installed. Nothing here allocates memory or makes calls that are intercepted. Used by the wrappers beside
// it.
//
//   SORTIE_FAULT_CALLS    names of the calls that count, separated by commas: "read,pread,fsync"; empty: none
//   SORTIE_FAULT_FIRST    number of the call that fails, from 1 on; 0: none fails
//   SORTIE_FAULT_LATER    1: all later calls fail too; every second one if they are interrupted (EINTR)
//   SORTIE_FAULT_ERROR    the errno it fails with; 0: it transfers only a part of its bytes
//   SORTIE_FAULT_NAMELESS 0: every file needs a name, as on some file systems
//   SORTIE_FAULT_LOG      descriptor that gets "NAME" of the first call that fails, at the end "of COUNT", then "keeps
//                         DESCRIPTOR" for each that is open, but was not at the begin
#pragma once

#include <cstddef>

namespace sortie::test {

/// The order is that of the names in fault_plan.cpp.
enum class Call : unsigned {
  kOpen,
  kRead,
  kReadAt,
  kWrite,
  kWriteAt,
  kAllocate,
  kTruncate,
  kSync,
  kRename,
  kLink,
  kStatus,
  kSeek,
  kControl,
  kAdvise,
  kPermissions,
  kPipe,
  kMapFile,
  kReadDirectory,
  kUnlink,
  kMalloc,
  kMapMemory,
  kThread,
};

enum class Verdict { kPass, kFail, kShorten };

/// Reads the environment and begins to count.
void start_faults();
/// Stops counting; no call fails any more. Says what the process has left open.
void stop_faults();

/// While an object lives, no call of its thread counts or fails.
class FaultPause {
 public:
  FaultPause();
  ~FaultPause();
  FaultPause(const FaultPause&) = delete;
  FaultPause& operator=(const FaultPause&) = delete;
};

/// Decides what happens to this call. Sets errno for kFail. Thread-safe.
Verdict judge(Call call);

/// Whether the call passes. For calls that transfer nothing.
inline bool passes(Call call) { return judge(call) != Verdict::kFail; }

/// A part of `bytes`, at least one byte.
std::size_t shortened(std::size_t bytes);

/// Whether the file system supports O_TMPFILE.
bool knows_nameless_files();

}  // namespace sortie::test
