#include "engine/cpu/former_runs.hpp"

#include "base/parallel.hpp"

namespace sortie {

// The next part is made by whichever threads the consumer leaves idle: it writes with one.
void RecordSortedRun::drain(const PartConsumer& consumer) {
  std::span<std::byte> part = parts_.next(memory_.parts[0]);
  for (std::size_t i = 1; !part.empty(); ++i) {
    std::span<std::byte> next;
    run_with_background([&] { consumer(part); }, [&] { next = parts_.next(memory_.parts[i % 2]); });
    part = next;
  }
}

void OrderedRun::drain(const PartConsumer& consumer) {
  for (std::span<std::byte> rest = records_; !rest.empty();) {
    std::size_t bytes = rest.size();
    if (bytes > part_bytes_) bytes = whole_records(layout_, rest.first(static_cast<std::size_t>(part_bytes_)));
    if (bytes == 0) bytes = static_cast<std::size_t>(stored_length(layout_, rest.data(), rest.data() + rest.size()));
    consumer(rest.first(bytes));
    rest = rest.subspan(bytes);
  }
}

}  // namespace sortie
