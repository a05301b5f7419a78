// Writes parts of a file at known offsets with all threads, if that is faster than with one. Owned by
// ReplacingOutput.
//
// pwrite() holds the file's lock: one file takes 3 to 5 GB/s on tmpfs, however many threads write. Through
// mapped memory 8 and 16 threads write 16 and 30 GB/s if the space is reserved (16 cores, Linux 6.18), 6 if not;
// asking for the pages by MADV_POPULATE_WRITE makes threads that map and unmap wait for each other (4 to 11).
// Two threads gain nothing: 4.1 to 2.8 GB/s where pwrite() has 5.2 to 4.6 (2 cores, tmpfs).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "io/files/file.hpp"
#include "io/output/space_preparer.hpp"
#include "io/output/write_way.hpp"

namespace sortie {

class ParallelWriter {
 public:
  explicit ParallelWriter(File& file);

  /// Reserves the space of the first `bytes` and extends the file to that length; does nothing where unsupported.
  /// Throws Error if there is too little space.
  void reserve(std::uint64_t bytes);

  /// End of the reserved space: the file may be longer than what was written.
  std::uint64_t reserved_bytes() const { return reserved_bytes_; }

  /// Writes all of `part` at `offset`. One call at a time. Throws Error as File::write_at() does.
  void write_at(std::uint64_t offset, std::span<const std::byte> part);

 private:
  bool can_map(std::uint64_t offset, std::size_t bytes);
  void write_slices(std::uint64_t offset, std::span<const std::byte> part);

  File& file_;
  std::size_t threads_;
  bool may_map_;
  std::uint64_t reserved_bytes_ = 0;
  WriteWayChoice choice_;
  SpacePreparer preparer_;
};

}  // namespace sortie
