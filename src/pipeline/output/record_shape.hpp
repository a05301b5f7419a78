// How the output shows a sorted record: as it was read, with its count in front if wanted. A job that takes it gets it
// as the payload of a length-prefixed record, behind its keys or its position. Used by the finishers of groups and of
// formed records, and by the output stage.
//
//   plain        | count record |
//   keyed        | lengths | keys | count record |
//   positioned   | lengths | position | count record |
//   framed       | lengths | record |
//
// The header of the inputs comes in front, with an empty key, as no keyed or positioned record has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pipeline/output/finisher.hpp"

namespace sortie {

class RecordShape {
 public:
  /// `codec`: of the records; it must outlive this. Precondition: if the form is not plain, the codec is made for it.
  RecordShape(const RecordCodec& codec, const OutputOptions& options);

  /// Appends a record, which is still encoded if lines are. `count`: how many have its keys. `scratch`: for one
  /// record. Thread-safe. Throws Error for records of 4 GiB and more with keys or positions.
  void append(Record record, std::uint64_t count, std::vector<std::byte>& text, std::vector<std::byte>& scratch) const;
  /// The same where it is known already how the record was read.
  void append(Record record, Record original, std::uint64_t count, std::vector<std::byte>& text) const;

  /// The header as the output shows it.
  std::vector<std::byte> shaped_header(std::span<const std::byte> header) const;

 private:
  void append_key(Record record, std::vector<std::byte>& text) const;

  const RecordCodec& codec_;
  bool show_count_;
  RecordForm form_;
  bool inverts_keys_;  // where encoded lines are descending
};

}  // namespace sortie
