// Reads a run from its beginning to its end, whatever the order of its records: a run made of unsorted inputs is not
// sorted either. Gives its storage back as it reads. Used by the merge of inputs.
#pragma once

#include <cstddef>
#include <utility>

#include "pipeline/input/piece_source.hpp"
#include "run/run.hpp"

namespace sortie {

class RunReader final : public MergeSource {
 public:
  explicit RunReader(Run run) : run_(std::move(run)) {}

  /// Reads whole blocks and ignores `max_records`. Parallel.
  Piece read(std::span<std::byte> target, std::uint64_t max_records) override;
  bool at_end() const override { return next_ == run_.blocks.size(); }
  std::string position() const override;
  std::uint64_t held_bytes() const override { return 0; }
  void give_back() override {}

 private:
  Run run_;
  std::size_t next_ = 0;  // the next block to be read
};

}  // namespace sortie
