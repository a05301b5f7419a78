#include "bench/kernels/bench_summary.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>

namespace sortie::bench {
namespace {

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

}  // namespace

void print_summary(const std::vector<Measurement>& rows, double copy_gigabytes) {
  if (rows.empty()) return;
  print_at(rows, summed_up_count(rows), copy_gigabytes);
  print_winners(find_winners(rows));
}

}  // namespace sortie::bench
