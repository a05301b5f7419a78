// The files that runs are spilled to: one for each run while descriptors allow, after that runs share the existing
// ones. The files have no names, so they cannot be closed and opened again. Used by the run store.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "io/scratch.hpp"
#include "run/scratch_file.hpp"

namespace sortie {

class ScratchFiles {
 public:
  /// At most `most_files` are open at once, but in any case one per directory.
  ScratchFiles(ScratchSpace& scratch, std::uint64_t most_files);

  /// A file for a new run: a new one, or the existing one that holds the least. Thread-safe.
  std::shared_ptr<ScratchFile> next();

 private:
  ScratchSpace& scratch_;
  std::uint64_t most_files_;
  std::mutex mutex_;
  std::vector<std::weak_ptr<ScratchFile>> files_;
};

}  // namespace sortie
