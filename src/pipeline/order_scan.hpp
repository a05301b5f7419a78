// Follows the order of records through consecutive pieces of one input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include <sortie/sort.hpp>

#include "pipeline/piece_seam.hpp"
#include "record/record_order.hpp"

namespace sortie {

class OrderScan {
 public:
  OrderScan(const RecordOrder& order, bool unique) : order_(order), unique_(unique), seam_(order, unique) {}

  /// A new input follows; the last record of the one before still counts.
  void begin_input(const std::string& path);

  /// The next whole records of the input. Returns the first one that is out of order, if any.
  std::optional<Disorder> next(std::span<const std::byte> records);

 private:
  Disorder describe(std::span<const std::byte> records, std::size_t offset) const;

  const RecordOrder& order_;
  bool unique_;
  std::string path_;
  std::uint64_t records_before_ = 0;
  std::uint64_t bytes_before_ = 0;
  PieceSeam seam_;
};

}  // namespace sortie
