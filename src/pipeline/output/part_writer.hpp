// Writes parts of the output on a thread of its own, so that the caller can examine a part meanwhile. Owned
// by the output stage.
#pragma once

#include <cstddef>
#include <span>

#include "base/bounded_queue.hpp"
#include "base/worker.hpp"
#include "io/output.hpp"
#include "observe/observer.hpp"

namespace sortie {

class PartWriter {
 public:
  PartWriter(Output& output, Observer& observer);
  ~PartWriter();
  PartWriter(const PartWriter&) = delete;
  PartWriter& operator=(const PartWriter&) = delete;

  /// Starts writing `part`, which must stay as it is until wait(). One part at a time.
  void begin(std::span<const std::byte> part);

  /// Returns when the part is written. Rethrows what the output threw; no part can be begun after that.
  void wait();

 private:
  void write_all();
  void close();

  Output& output_;
  Observer& observer_;
  BoundedQueue<std::span<const std::byte>> parts_{1};
  BoundedQueue<bool> written_{1};
  Worker worker_;
};

}  // namespace sortie
