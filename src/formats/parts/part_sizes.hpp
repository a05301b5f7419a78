// Where the output of a format is cut into files: by the bytes and the number of records. Pure. Called by writers of
// formats, before each record.
#pragma once

#include <cstdint>
#include <optional>

#include <sortie/parts.hpp>

namespace sortie::formats {

class PartSizes {
 public:
  /// `frame_bytes`: what a file has beside its records, which `most_bytes` counts. `total_bytes`: of all records, if
  /// `parts.count` is set.
  PartSizes(const Parts& parts, std::uint64_t frame_bytes, std::uint64_t total_bytes = 0)
      : parts_(parts), frame_bytes_(frame_bytes), total_bytes_(total_bytes) {}

  /// The number of the file to which the next record belongs, which has so many bytes; from 0 on. It may skip numbers
  /// if `parts.count` is set: their files hold nothing. More bytes than `most_bytes` only for a record that is longer.
  std::uint64_t next(std::uint64_t bytes);

 private:
  bool is_full(std::uint64_t bytes) const;

  Parts parts_;
  std::uint64_t frame_bytes_;
  std::uint64_t total_bytes_;
  std::uint64_t number_ = 0;
  std::uint64_t all_bytes_ = 0;  // of the records so far
  std::uint64_t bytes_ = 0;      // of these, in the current file
  std::uint64_t records_ = 0;    // in the current file
};

}  // namespace sortie::formats
