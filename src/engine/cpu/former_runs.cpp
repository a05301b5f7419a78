#include "engine/cpu/former_runs.hpp"

#include <algorithm>

#include "engine/cpu/parts_ahead.hpp"
#include "record/record_scan.hpp"

namespace sortie {

void RecordSortedRun::drain(const PartConsumer& consumer) {
  make_parts_ahead(
      memory_.parts.size(), [&](std::size_t slot) { return make_next(slot, consumer); }, consumer);
}

std::span<std::byte> RecordSortedRun::make_next(std::size_t slot, const PartConsumer& consumer) {
  const auto look = [&](std::span<const std::byte> records, std::size_t offset) {
    consumer.look(records, made_bytes_ + offset);
  };
  const std::span<std::byte> own = memory_.parts[slot];
  const std::uint64_t most_bytes = std::min<std::uint64_t>(own.size(), byte_count_ - made_bytes_);
  const std::span<std::byte> room = consumer.room(made_bytes_, most_bytes, false);
  const std::span<std::byte> part = parts_.next(room.empty() ? own : room, look);
  made_bytes_ += part.size();
  return part;
}

void OrderedRun::drain(const PartConsumer& consumer) {
  for (std::span<std::byte> rest = records_; !rest.empty();) {
    const std::size_t bytes = records_within(layout_, rest, part_bytes_);
    consumer(rest.first(bytes));
    rest = rest.subspan(bytes);
  }
}

}  // namespace sortie
