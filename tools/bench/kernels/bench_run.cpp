#include "bench/kernels/bench_run.hpp"

#include <utility>

#include "bench/kernels/bench_report.hpp"
#include "device/cuda_error.hpp"
#include "device/device_memory.hpp"

namespace sortie::bench {
namespace {

constexpr std::uint64_t kCopyBytes = std::uint64_t{4} << 30;

}  // namespace

BenchRun::BenchRun(const BenchOptions& options) : options_(options), timer_(options.repeats) {
  const DeviceBuffer from(kCopyBytes);
  const DeviceBuffer to(kCopyBytes);
  const double copy = milliseconds([&](cudaStream_t s) {
    check_cuda(cudaMemcpyAsync(to.data(), from.data(), kCopyBytes, cudaMemcpyDeviceToDevice, s), "copy");
  });
  copy_gigabytes_ = 2.0 * static_cast<double>(kCopyBytes) / copy * 1e-6;
  print_header(copy_gigabytes_);
}

double BenchRun::milliseconds(const Work& prepare, const Work& work) const { return timer_.time(prepare, work).median; }

double BenchRun::milliseconds(const Work& work) const {
  return milliseconds([](cudaStream_t) {}, work);
}

double BenchRun::milliseconds_per_call(unsigned calls, const Call& prepare, const Call& work) const {
  return timer_.time_per_call(calls, prepare, work).median;
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
