// Finds out how parts of the output are best written, by measuring: it depends on the file system, the disk and the
// number of cores. Pure: bytes and seconds in, a decision out. Used by ParallelWriter.
#pragma once

#include <cstdint>

namespace sortie {

enum class WriteWay : std::uint8_t {
  kCalls,   ///< pwrite() by one thread: several wait for each other
  kMapped,  ///< mapped memory, filled by all threads
};

/// The two ways take turns for the first parts; whichever was faster writes the rest.
class WriteWayChoice {
 public:
  /// Bytes written each way before the choice is made: they take some milliseconds, more than a stray wait.
  static constexpr std::uint64_t kTrialBytes = 64 << 20;

  /// The way for the next part.
  WriteWay next() const;

  /// Records how long a part took.
  void record(WriteWay way, std::uint64_t bytes, double seconds);

 private:
  struct Trial {
    std::uint64_t bytes = 0;
    double seconds = 0;
  };

  Trial calls_;
  Trial mapped_;
};

}  // namespace sortie
