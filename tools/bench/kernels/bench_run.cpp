#include "bench/kernels/bench_run.hpp"

#include <algorithm>

#include "bench/kernels/bench_report.hpp"
#include "bench/kernels/call_graph.hpp"
#include "bench/kernels/device_event.hpp"
#include "device/cuda_error.hpp"
#include "device/device_memory.hpp"

namespace sortie::bench {
namespace {

constexpr unsigned kWarmUpRounds = 2;
constexpr double kLongRoundMilliseconds = 25;
constexpr unsigned kLongRoundRepeats = 3;
constexpr std::uint64_t kCopyBytes = std::uint64_t{4} << 30;

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

}  // namespace sortie::bench
