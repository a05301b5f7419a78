#include "bench/kernels/bench_report.hpp"

#include <cstdio>
#include <fstream>

#include <cuda_runtime_api.h>
#include <nlohmann/json.hpp>
#include <sortie/error.hpp>

#include "device/cuda_error.hpp"

namespace sortie::bench {
namespace {

std::string device_name() {
  int device = 0;
  check_cuda(cudaGetDevice(&device), "cudaGetDevice");
  cudaDeviceProp properties{};
  check_cuda(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  return properties.name;
}

nlohmann::json to_json(const Measurement& row, double copy_gigabytes) {
  nlohmann::json json = {{"family", row.family},
                         {"operation", row.operation},
                         {"distribution", to_string(row.distribution)},
                         {"count", row.count},
                         {"milliseconds", row.milliseconds},
                         {"copy_share", row.copy_share(copy_gigabytes)},
                         {"peers", nlohmann::json::object()}};
  for (const Peer& peer : row.peers) json["peers"][peer.name] = peer.milliseconds;
  return json;
}

}  // namespace

void print_header(double copy_gigabytes) {
  std::printf("%s, copies %.0f GB/s (read and written)\n", device_name().c_str(), copy_gigabytes);
  std::printf("%-26s %-13s %11s %10s %9s %7s  %s\n", "operation", "keys", "items", "ms", "Gitems/s", "of copy",
              "peers: ms; ratio to the faster");
}

void print_row(const Measurement& row, double copy_gigabytes) {
  std::printf("%-26s %-13s %11llu %10.4f %9.3f", row.operation.c_str(), to_string(row.distribution).data(),
              static_cast<unsigned long long>(row.count), row.milliseconds, row.giga_items_per_second());
  if (row.traffic_bytes != 0) {
    std::printf(" %6.0f%%", 100 * row.copy_share(copy_gigabytes));
  } else {
    std::printf(" %7s", "");
  }
  for (const Peer& peer : row.peers) std::printf("  %s %.4f", peer.name.c_str(), peer.milliseconds);
  if (!row.peers.empty()) std::printf("  %.2f", row.ratio());
  std::printf("\n");
  std::fflush(stdout);
}

void write_json(const std::string& path, const std::vector<Measurement>& rows, double copy_gigabytes) {
  nlohmann::json json = {
      {"device", device_name()}, {"copy_gigabytes_per_second", copy_gigabytes}, {"rows", nlohmann::json::array()}};
  for (const Measurement& row : rows) json["rows"].push_back(to_json(row, copy_gigabytes));
  std::ofstream file(path);
  file << json.dump(1) << '\n';
  file.close();
  if (!file) throw Error("cannot write " + path + "; name another file with --json");
}

}  // namespace sortie::bench
