// Follows the order of records through consecutive pieces of inputs, and describes the first record that is out of
// order. Used by check() for all inputs in turn, and by merges for each of theirs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include <sortie/sort.hpp>

#include "pipeline/scan/sorted_scan.hpp"
#include "record/record_order.hpp"
#include "record/text/record_codec.hpp"

namespace sortie {

/// Says of which input which record is out of order.
std::string finding_of(const Disorder& disorder);

class OrderScan {
 public:
  /// `codec`: of the records; it must outlive this.
  OrderScan(const RecordCodec& codec, bool unique)
      : codec_(codec), scan_(codec, {.is_strict = unique, .has_open_ranks = true}) {}

  /// Begins a new input, whose header has so many records and bytes. Its first record must still follow the last one of
  /// the input before.
  void begin_input(const std::string& path, std::uint64_t records_before = 0, std::uint64_t bytes_before = 0);

  /// Takes the next whole records, which take `input_bytes` in the input. Returns the first one that is out of order,
  /// if any.
  std::optional<Disorder> next(std::span<const std::byte> records, std::uint64_t input_bytes);

  /// Memory of the last record.
  std::size_t held_bytes() const { return scan_.held_bytes(); }
  /// As those of SortedScan.
  void give_back_last() { scan_.give_back_last(); }
  void set_last(Record record) { scan_.set_last(record); }

 private:
  Disorder describe(std::span<const std::byte> records, std::size_t offset) const;

  const RecordCodec& codec_;
  std::string path_;
  std::uint64_t records_before_ = 0;
  std::uint64_t bytes_before_ = 0;
  SortedScan scan_;
};

}  // namespace sortie
