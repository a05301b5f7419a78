// Which calls of a process are to fail, and how: read from its environment, so that a command can be tested as it is
// installed. Nothing here allocates memory or goes through what is intercepted. Used by the wrappers beside it.
//
//   SORTIE_FAULT_CALLS    names of the calls that count, with commas between: "read,pread,fsync"; empty: none
//   SORTIE_FAULT_FIRST    number of the call that fails, from 1 on; 0: none does
//   SORTIE_FAULT_LATER    1: all later ones fail too; every second one if they are interrupted (EINTR)
//   SORTIE_FAULT_ERROR    the errno it fails with; 0: it transfers a part only of what it was to
//   SORTIE_FAULT_NAMELESS 0: as on a file system that has no files without a name
//   SORTIE_FAULT_LOG      descriptor that is told "NAME" of the first call that fails, and at the end "of COUNT"
#pragma once

#include <cstddef>

namespace sortie::test {

/// In the order of the names in fault_plan.cpp.
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
  kMalloc,
  kMapMemory,
  kThread,
};

enum class Verdict { kPass, kFail, kShorten };

/// Reads the environment and begins to count.
void start_faults();
/// Ends it: no call fails any more.
void stop_faults();

/// While it lives no call of this thread counts or fails.
class FaultPause {
 public:
  FaultPause();
  ~FaultPause();
  FaultPause(const FaultPause&) = delete;
  FaultPause& operator=(const FaultPause&) = delete;
};

/// What is to become of this call. Sets errno for kFail. Thread-safe.
Verdict judge(Call call);

/// Whether the call passes; for those that transfer nothing.
inline bool passes(Call call) { return judge(call) != Verdict::kFail; }

/// A part of `bytes`, at least one.
std::size_t shortened(std::size_t bytes);

/// Whether O_TMPFILE is known.
bool knows_nameless_files();

}  // namespace sortie::test
