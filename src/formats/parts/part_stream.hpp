// Leads sorted records to the files of an output. A writer of a format says how long a record is and writes it; where
// files begin and end is found here, from the options of parts.
//
//   records ──▶ (wait for the last one, if files of equal bytes need the sum) ──▶ begin ── write ... ── end
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "formats/file_format.hpp"
#include "formats/parts/part_sizes.hpp"
#include "io/files/scratch.hpp"
#include "pipeline/parts/waiting_records.hpp"
#include "record/layout.hpp"

namespace sortie::formats {

/// What writes the files of a format.
class PartTarget {
 public:
  virtual ~PartTarget() = default;

  virtual std::uint64_t bytes_of(std::span<const std::byte> record) const = 0;
  virtual void begin_file(std::uint64_t number) = 0;
  virtual void write_record(std::span<const std::byte> record) = 0;
  virtual void end_file() = 0;
};

class PartStream {
 public:
  /// `frame_bytes`: of a file beside its records. `total_bytes`: of all records that will come; nothing if unknown. The
  /// others must outlive this.
  PartStream(const JobContext& context, PartTarget& target, std::uint64_t frame_bytes,
             std::optional<std::uint64_t> total_bytes);

  /// Whole length-prefixed records, in order.
  void write(std::span<const std::byte> records);
  std::uint64_t records() const { return records_; }
  /// Ends the last file. If the output is one file, or a number of them that is asked for, there are so many, even
  /// without records.
  void finish();

 private:
  void distribute(std::span<const std::byte> records);
  void begin_up_to(std::uint64_t number);

  const Parts& parts_;
  PartTarget& target_;
  std::uint64_t frame_bytes_;
  const Layout layout_{.framing = Framing::kPrefixed};
  ScratchSpace scratch_;
  std::optional<WaitingRecords> waiting_;
  std::uint64_t waiting_bytes_ = 0;
  std::optional<PartSizes> cuts_;  // none while records wait
  std::uint64_t files_ = 0;        // that have begun
  bool is_open_ = false;           // the last of them
  std::uint64_t records_ = 0;
};

}  // namespace sortie::formats
