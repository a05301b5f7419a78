// How benches time calls on the device: by events, medians of several rounds, few items by several calls in a graph.
#pragma once

#include <cstdint>
#include <functional>

#include "device/cuda_stream.hpp"

namespace sortie::bench {

/// Milliseconds of the timed rounds.
struct Timing {
  double median = 0;
  double shortest = 0;
  double longest = 0;
};

class CallTimer {
 public:
  using Work = std::function<void(cudaStream_t)>;
  using Call = std::function<void(unsigned call, cudaStream_t)>;

  /// `rounds`: how many a median is taken of.
  explicit CallTimer(unsigned rounds) : rounds_(rounds) {}

  /// The stream that everything is timed on.
  cudaStream_t stream() const { return stream_.handle(); }

  /// The time of `work`, after two warm-up rounds. If a round takes long, that of three rounds after one; if it takes
  /// very long, of one. `prepare` runs before each round and is not timed.
  Timing time(const Work& prepare, const Work& work) const;

  /// The mean time of `calls` calls, recorded as a graph and replayed, so that short ones do not wait for the host.
  Timing time_per_call(unsigned calls, const Call& prepare, const Call& work) const;

 private:
  unsigned rounds_;
  CudaStream stream_;
};

}  // namespace sortie::bench
