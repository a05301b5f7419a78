#include "bench/kernels/bench_run.hpp"

#include <algorithm>

#include "bench/kernels/bench_report.hpp"
#include "device/cuda_error.hpp"
#include "device/device_buffer.hpp"

namespace sortie::bench {
namespace {

constexpr unsigned kWarmUpRounds = 2;
constexpr std::uint64_t kCopyBytes = std::uint64_t{4} << 30;

class Event {
 public:
  Event() { check_cuda(cudaEventCreate(&event_), "cudaEventCreate"); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void record(cudaStream_t stream) const { check_cuda(cudaEventRecord(event_, stream), "cudaEventRecord"); }
  double milliseconds_since(const Event& begin) const {
    check_cuda(cudaEventSynchronize(event_), "cudaEventSynchronize");
    float milliseconds = 0;
    check_cuda(cudaEventElapsedTime(&milliseconds, begin.event_, event_), "cudaEventElapsedTime");
    return milliseconds;
  }

 private:
  cudaEvent_t event_ = nullptr;
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
  const Event begin;
  const Event end;
  std::vector<double> times;
  for (unsigned round = 0; round < kWarmUpRounds + options_.repeats; ++round) {
    prepare(stream());
    begin.record(stream());
    work(stream());
    end.record(stream());
    const double elapsed = end.milliseconds_since(begin);
    if (round >= kWarmUpRounds) times.push_back(elapsed);
  }
  std::ranges::nth_element(times, times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
  return times[times.size() / 2];
}

double BenchRun::milliseconds(const Work& work) const {
  return milliseconds([](cudaStream_t) {}, work);
}

void BenchRun::add(Measurement row) {
  print_row(row, copy_gigabytes_);
  rows_.push_back(std::move(row));
}

}  // namespace sortie::bench
