// Which input each record is of: a reader notes where the records of an input begin, and the list of what was dropped
// asks for places. Owned by the job of a format (format_job.cpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <sortie/record_stream.hpp>

namespace sortie::formats {

class RecordOrigins {
 public:
  /// The records from number `first` on, counted from 0 among those of all inputs, are of this input. Call it in turn.
  void begin_input(const std::string& path, std::uint64_t first) { inputs_.push_back({path, first}); }

  /// Precondition: an input has begun at or in front of `record`.
  SourcePlace place_of(std::uint64_t record) const {
    const auto next = std::ranges::upper_bound(inputs_, record, {}, &BegunInput::first);
    const BegunInput& input = *(next - 1);
    return {input.path, record - input.first + 1};
  }

 private:
  struct BegunInput {
    std::string path;
    std::uint64_t first;
  };

  std::vector<BegunInput> inputs_;
};

}  // namespace sortie::formats
