#include "engine/cpu/former_runs.hpp"

#include <tbb/task_arena.h>
#include <tbb/task_group.h>

namespace sortie {

// The next part is made by whichever threads the consumer leaves idle: it writes with one.
void RecordSortedRun::drain(const PartConsumer& consumer) {
  std::span<std::byte> part = parts_.next(memory_.parts[0]);
  tbb::task_group making;
  for (std::size_t i = 1; !part.empty(); ++i) {
    std::span<std::byte> next;
    making.run([&] { next = parts_.next(memory_.parts[i % 2]); });
    try {
      tbb::this_task_arena::isolate([&] { consumer(part); });
    } catch (...) {
      making.wait();
      throw;
    }
    making.wait();
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
