// What writers of formats have in common whose records are copied from their places: the output in one file or
// several, and the copier. A format says what else stands in a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "formats/file_format.hpp"
#include "formats/parts/part_files.hpp"
#include "formats/parts/part_stream.hpp"
#include "formats/places/place_copier.hpp"
#include "formats/places/placed_files.hpp"

namespace sortie::formats {

class PlacedWriter : protected PartTarget {
 public:
  /// As FormatFiles has them.
  void write(std::span<const std::byte> records) { stream_->write(records); }
  std::uint64_t records_written() const { return stream_ ? stream_->records() : 0; }

 protected:
  /// Opens the output. The others must outlive this.
  PlacedWriter(const JobContext& context, PlacedFiles& files, const PartFiles::Form& form);

  /// Call it before the first record. `frame_bytes`: of a file beside its records. `total_bytes`: of all records that
  /// will come; nothing if that is unknown.
  void begin_stream(std::uint64_t frame_bytes, std::optional<std::uint64_t> total_bytes);
  /// All records are written: completes the last file. Throws Error if an input has changed meanwhile.
  void end_stream();

  const JobContext& context_;
  PartFiles parts_;
  PlaceCopier copier_;
  WrittenPart summary_;  // of the current file

 private:
  PlacedFiles& files_;
  std::optional<PartStream> stream_;
};

}  // namespace sortie::formats
