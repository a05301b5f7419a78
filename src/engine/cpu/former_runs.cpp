#include "engine/cpu/former_runs.hpp"

#include "engine/cpu/parts_ahead.hpp"
#include "record/record_scan.hpp"

namespace sortie {

void RecordSortedRun::drain(const PartConsumer& consumer) {
  make_parts_ahead(
      memory_.parts.size(), [this](std::size_t slot) { return parts_.next(memory_.parts[slot]); }, consumer);
}

void OrderedRun::drain(const PartConsumer& consumer) {
  for (std::span<std::byte> rest = records_; !rest.empty();) {
    const std::size_t bytes = records_within(layout_, rest, part_bytes_);
    consumer(rest.first(bytes));
    rest = rest.subspan(bytes);
  }
}

}  // namespace sortie
