#include "bench/kernels/bench_report.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <fstream>
#include <map>
#include <string_view>

#include <cuda_runtime_api.h>
#include <nlohmann/json.hpp>
#include <sortie/error.hpp>

#include "bench/kernels/cub_version.hpp"
#include "device/cuda_error.hpp"

namespace sortie::bench {
namespace {

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

constexpr std::uint64_t kClaimedCount = std::uint64_t{1} << 28;

unsigned log2_of(std::uint64_t count) { return static_cast<unsigned>(std::bit_width(count)) - 1; }

/// The size that the summary is about: the largest measured size up to kClaimedCount, or else the first size.
std::uint64_t summed_up_count(const std::vector<Measurement>& rows) {
  std::uint64_t count = 0;
  for (const Measurement& row : rows) {
    if (row.count <= kClaimedCount) count = std::max(count, row.count);
  }
  return count != 0 ? count : rows.front().count;
}

const Measurement* find_row(const std::vector<Measurement>& rows, std::string_view operation,
                            KeyDistribution distribution, std::uint64_t count) {
  const auto found = std::ranges::find_if(rows, [&](const Measurement& row) {
    return row.operation == operation && row.distribution == distribution && row.count == count;
  });
  return found == rows.end() ? nullptr : &*found;
}

/// The operations in the order in which they were measured.
std::vector<std::string> operations_at(const std::vector<Measurement>& rows, std::uint64_t count) {
  std::vector<std::string> operations;
  for (const Measurement& row : rows) {
    if (row.count == count && std::ranges::find(operations, row.operation) == operations.end()) {
      operations.push_back(row.operation);
    }
  }
  return operations;
}

void print_at(const std::vector<Measurement>& rows, std::uint64_t count, double copy_gigabytes) {
  std::printf("\n2^%u items: ratio to the better peer, or share of a copy\n%-26s", log2_of(count), "");
  for (const KeyDistribution distribution : kAllKeyDistributions) {
    std::printf(" %13s", to_string(distribution).data());
  }
  std::printf("\n");
  for (const std::string& operation : operations_at(rows, count)) {
    std::printf("%-26s", operation.c_str());
    for (const KeyDistribution distribution : kAllKeyDistributions) {
      const Measurement* row = find_row(rows, operation, distribution, count);
      if (row == nullptr) {
        std::printf(" %13s", "");
      } else if (row->peers.empty()) {
        std::printf(" %12.0f%%", 100 * row->copy_share(copy_gigabytes));
      } else {
        std::printf(" %13.2f", row->ratio());
      }
    }
    std::printf("\n");
  }
}

/// The fastest algorithm at each size, by type of items.
using Winners = std::map<std::string, std::map<std::uint64_t, const Measurement*>>;

Winners find_winners(const std::vector<Measurement>& rows) {
  Winners winners;
  for (const Measurement& row : rows) {
    if (row.family != "sorts" || row.distribution != KeyDistribution::kUniform) continue;
    const Measurement*& best = winners[row.operation.substr(row.operation.rfind(' ') + 1)][row.count];
    if (best == nullptr || row.milliseconds < best->milliseconds) best = &row;
  }
  return winners;
}

void print_winners(const Winners& winners) {
  if (!winners.empty()) std::printf("\nfastest sort of uniform keys, from 2^n items on\n");
  for (const auto& [items, by_count] : winners) {
    std::printf("%-10s", items.c_str());
    std::string last;
    for (const auto& [count, row] : by_count) {
      if (row->operation == last) continue;
      last = row->operation;
      std::printf("  %u: %s", log2_of(count), last.substr(0, last.rfind(' ')).c_str());
    }
    std::printf("\n");
  }
}

/// How many of the radix sort's rows are behind the better peer, or hardly ahead of it.
void print_rows_behind(const std::vector<Measurement>& rows) {
  constexpr double kAhead = 1.05;
  const Measurement* least = nullptr;
  unsigned all = 0;
  unsigned hardly_ahead = 0;
  unsigned behind = 0;
  for (const Measurement& row : rows) {
    if (!row.operation.starts_with("radix ") || row.peers.empty()) continue;
    ++all;
    hardly_ahead += row.ratio() < kAhead ? 1 : 0;
    behind += row.ratio() < 1 ? 1 : 0;
    if (least == nullptr || row.ratio() < least->ratio()) least = &row;
  }
  if (least == nullptr) return;
  std::printf("\nradix sorts: of %u rows %u below %.2f of the better peer, %u below 1; least %.2f: %s, %s, 2^%u\n", all,
              hardly_ahead, kAhead, behind, least->ratio(), least->operation.c_str(),
              to_string(least->distribution).data(), log2_of(least->count));
}

}  // namespace

std::string device_name() {
  int device = 0;
  check_cuda(cudaGetDevice(&device), "cudaGetDevice");
  cudaDeviceProp properties{};
  check_cuda(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  return properties.name;
}

void print_header(double copy_gigabytes) {
  std::printf("%s, copies %.0f GB/s (read and written), CUB %s\n", device_name().c_str(), copy_gigabytes,
              cub_version().c_str());
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
  nlohmann::json json = {{"device", device_name()},
                         {"cub", cub_version()},
                         {"copy_gigabytes_per_second", copy_gigabytes},
                         {"rows", nlohmann::json::array()}};
  for (const Measurement& row : rows) json["rows"].push_back(to_json(row, copy_gigabytes));
  std::ofstream file(path);
  file << json.dump(1) << '\n';
  file.close();
  if (!file) throw Error("cannot write " + path + "; name another file with --json");
}

void print_summary(const std::vector<Measurement>& rows, double copy_gigabytes) {
  if (rows.empty()) return;
  print_at(rows, summed_up_count(rows), copy_gigabytes);
  print_winners(find_winners(rows));
  print_rows_behind(rows);
}

}  // namespace sortie::bench
