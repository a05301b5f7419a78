#include "engine/cpu/former_runs.hpp"

#include "base/parallel.hpp"
#include "record/record_scan.hpp"

namespace sortie {
namespace {

/// A smaller part is passed on before another thread would wake up.
constexpr std::size_t kLeastSharedBytes = 256 << 10;

}  // namespace

// The next part is made by whichever threads the consumer leaves idle: it writes with one.
void RecordSortedRun::drain(const PartConsumer& consumer) {
  std::span<std::byte> part = parts_.next(memory_.parts[0]);
  for (std::size_t i = 1; !part.empty(); ++i) {
    std::span<std::byte> next;
    const auto make_next = [&] { next = parts_.next(memory_.parts[i % 2]); };
    if (part.size() < kLeastSharedBytes) {
      consumer(part);
      make_next();
    } else {
      run_with_background([&] { consumer(part); }, make_next);
    }
    part = next;
  }
}

void OrderedRun::drain(const PartConsumer& consumer) {
  for (std::span<std::byte> rest = records_; !rest.empty();) {
    const std::size_t bytes = records_within(layout_, rest, part_bytes_);
    consumer(rest.first(bytes));
    rest = rest.subspan(bytes);
  }
}

}  // namespace sortie
