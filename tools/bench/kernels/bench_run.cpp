#include "bench/kernels/bench_run.hpp"

#include <algorithm>

#include "bench/kernels/bench_report.hpp"
#include "device/cuda_error.hpp"
#include "device/device_memory.hpp"

namespace sortie::bench {
namespace {

constexpr unsigned kWarmUpRounds = 2;
constexpr double kLongRoundMilliseconds = 25;
constexpr unsigned kLongRoundRepeats = 3;
constexpr std::uint64_t kCopyBytes = std::uint64_t{4} << 30;

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
  CallGraph(const std::function<void(cudaStream_t)>& work, cudaStream_t stream) {
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

BenchRun::BenchRun(const BenchOptions& options) : options_(options) {
  const DeviceBuffer from(kCopyBytes);
  const DeviceBuffer to(kCopyBytes);
  const double copy = milliseconds([&](cudaStream_t s) {
    check_cuda(cudaMemcpyAsync(to.data(), from.data(), kCopyBytes, cudaMemcpyDeviceToDevice, s), "copy");
  });
  copy_gigabytes_ = 2.0 * static_cast<double>(kCopyBytes) / copy * 1e-6;
  print_header(copy_gigabytes_);
}

double BenchRun::milliseconds(const Work& prepare, const Work& work) const {
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
  const unsigned repeats = warm_up <= kLongRoundMilliseconds ? options_.repeats : kLongRoundRepeats;
  std::vector<double> times;
  for (unsigned i = 0; i < repeats; ++i) times.push_back(round());
  std::ranges::nth_element(times, times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
  return times[times.size() / 2];
}

double BenchRun::milliseconds(const Work& work) const {
  return milliseconds([](cudaStream_t) {}, work);
}

double BenchRun::milliseconds_per_call(unsigned calls, const Call& prepare, const Call& work) const {
  const auto each = [calls](const Call& call) {
    return [calls, &call](cudaStream_t s) {
      for (unsigned i = 0; i < calls; ++i) call(i, s);
    };
  };
  const CallGraph graph(each(work), stream());
  return milliseconds(each(prepare), [&](cudaStream_t s) { graph.replay(s); }) / calls;
}

void BenchRun::add(Measurement row) {
  row.family = family_;
  print_row(row, copy_gigabytes_);
  rows_.push_back(std::move(row));
}

void BenchRun::add_timed(const std::string& operation, std::uint64_t count, std::uint64_t traffic_bytes,
                         const Work& work) {
  Measurement row{operation, KeyDistribution::kUniform, count, traffic_bytes};
  row.milliseconds = milliseconds(work);
  add(std::move(row));
}

}  // namespace sortie::bench
