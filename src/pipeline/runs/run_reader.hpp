// A run as a source of records from its beginning to its end, whatever their order: a run that was made of inputs that
// are not sorted is not sorted either. Its storage is given back as it is read. Used by the merge of inputs.
#pragma once

#include <cstddef>
#include <utility>

#include "pipeline/input/piece_source.hpp"
#include "run/run.hpp"

namespace sortie {

class RunReader final : public PieceSource {
 public:
  explicit RunReader(Run run) : run_(std::move(run)) {}

  /// Whole blocks, whose records `max_records` does not limit. Parallel.
  Piece read(std::span<std::byte> target, std::uint64_t max_records) override;
  bool at_end() const override { return next_ == run_.blocks.size(); }
  std::string position() const override;

 private:
  Run run_;
  std::size_t next_ = 0;  // block to be read
};

}  // namespace sortie
