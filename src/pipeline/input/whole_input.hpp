// All records of the only input as one piece in the memory of an engine: mapped there, not copied. Made by JobInputs
// where that may be worth it, taken by run formation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <sortie/format.hpp>

#include "base/memory_region.hpp"
#include "observe/observer.hpp"
#include "pipeline/input/record_reader.hpp"
#include "record/record_totals.hpp"

namespace sortie {

class WholeInput {
 public:
  /// `parts_change`: whether who takes sorted records changes them in place. The references must outlive this.
  /// Precondition: reader.inputs().size_of_only().
  WholeInput(RecordReader& reader, const Format& format, bool checksum, bool parts_change, Observer& observer)
      : reader_(reader),
        format_(format),
        parts_change_(parts_change),
        observer_(observer),
        piece_totals_(format, checksum) {}

  /// Upper bound on the bytes of all records, and on their number, which is estimated.
  struct Size {
    std::uint64_t bytes = 0;
    std::uint64_t records = 0;
  };
  Size size() const;

  /// Puts all records at the beginning of `target`, memory of mmap() of size().bytes: replaces its pages. They can
  /// only be read, and this must be destroyed before the memory is unmapped or used for something else. Returns their
  /// totals; none if that is impossible or there are more than `max_records`: then `reader` gives them.
  RecordTotals map(std::span<std::byte> target, std::uint64_t max_records);

  /// `part`, or a copy of it if it lies in the mapped pages and will be changed. The copy stays until the next call.
  std::span<std::byte> changeable(std::span<std::byte> part);

  /// Totals of the records that map() gave.
  const RecordTotals& totals() const { return totals_; }

  /// Throws Error if the input is damaged: see InputMapping.
  void check();

 private:
  RecordReader& reader_;
  Format format_;
  bool parts_change_;
  Observer& observer_;
  SliceTotals piece_totals_;
  RecordTotals totals_;
  std::span<const std::byte> pages_;
  std::unique_ptr<InputMapping> mapping_;
  MemoryRegion copy_;
};

}  // namespace sortie
