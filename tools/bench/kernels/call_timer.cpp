#include "bench/kernels/call_timer.hpp"

#include <algorithm>
#include <vector>

#include <cuda_runtime_api.h>

#include "device/cuda_error.hpp"

namespace sortie::bench {
namespace {

constexpr unsigned kWarmUpRounds = 2;
constexpr double kLongRoundMilliseconds = 25;
constexpr unsigned kLongRoundRepeats = 3;
constexpr double kLongestRoundMilliseconds = 250;  ///< those that take longer are timed once

/// A point on a stream's timeline, to measure the time between two of them.
class DeviceEvent {
 public:
  DeviceEvent() { check_cuda(cudaEventCreate(&event_), "cudaEventCreate"); }
  ~DeviceEvent() { cudaEventDestroy(event_); }
  DeviceEvent(const DeviceEvent&) = delete;
  DeviceEvent& operator=(const DeviceEvent&) = delete;

  void record(cudaStream_t stream) const { check_cuda(cudaEventRecord(event_, stream), "cudaEventRecord"); }
  /// Milliseconds from `begin` to this event. Waits for this event.
  double milliseconds_since(const DeviceEvent& begin) const {
    check_cuda(cudaEventSynchronize(event_), "cudaEventSynchronize");
    float milliseconds = 0;
    check_cuda(cudaEventElapsedTime(&milliseconds, begin.event_, event_), "cudaEventElapsedTime");
    return milliseconds;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Work on a stream that is recorded once and replayed: launches then take the time that the device needs, not the time
/// that the host needs.
class CallGraph {
 public:
  CallGraph(const CallTimer::Work& work, cudaStream_t stream) {
    check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    work(stream);
    cudaGraph_t graph = nullptr;
    check_cuda(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
    check_cuda(cudaGraphInstantiate(&executable_, graph, 0), "cudaGraphInstantiate");
    check_cuda(cudaGraphDestroy(graph), "cudaGraphDestroy");
  }
  ~CallGraph() { cudaGraphExecDestroy(executable_); }
  CallGraph(const CallGraph&) = delete;
  CallGraph& operator=(const CallGraph&) = delete;

  void replay(cudaStream_t stream) const { check_cuda(cudaGraphLaunch(executable_, stream), "cudaGraphLaunch"); }

 private:
  cudaGraphExec_t executable_ = nullptr;
};

}  // namespace

Timing CallTimer::time(const Work& prepare, const Work& work) const {
  const DeviceEvent begin;
  const DeviceEvent end;
  const auto round = [&] {
    prepare(stream());
    begin.record(stream());
    work(stream());
    end.record(stream());
    return end.milliseconds_since(begin);
  };
  double warm_up = 0;
  for (unsigned i = 0; i < kWarmUpRounds && warm_up <= kLongRoundMilliseconds; ++i) warm_up = round();
  unsigned repeats = warm_up <= kLongRoundMilliseconds ? rounds_ : kLongRoundRepeats;
  if (warm_up > kLongestRoundMilliseconds) repeats = 1;
  std::vector<double> times;
  for (unsigned i = 0; i < repeats; ++i) times.push_back(round());
  std::ranges::sort(times);
  return {times[times.size() / 2], times.front(), times.back()};
}

Timing CallTimer::time_per_call(unsigned calls, const Call& prepare, const Call& work) const {
  const auto each = [calls](const Call& call) {
    return [calls, &call](cudaStream_t s) {
      for (unsigned i = 0; i < calls; ++i) call(i, s);
    };
  };
  const CallGraph graph(each(work), stream());
  const Timing all = time(each(prepare), [&](cudaStream_t s) { graph.replay(s); });
  return {all.median / calls, all.shortest / calls, all.longest / calls};
}

}  // namespace sortie::bench
