#include "bench/cuda_functions/function_table.hpp"

#include <algorithm>
#include <utility>

#include <cuda_runtime_api.h>
#include <sortie/error.hpp>

#include "bench/kernels/bench_report.hpp"
#include "bench/kernels/cub_version.hpp"
#include "device/cuda_error.hpp"
#include "device/device_memory.hpp"

namespace sortie::bench {
namespace {

constexpr double kAhead = 1.05;

/// Functions whose sizes are not numbers of items, by how their names begin, have tables of their own.
constexpr const char* kSegments = "segmented_sort";
constexpr const char* kRows = "sort_rows";

std::string kind_of(const std::string& function) {
  for (const char* const kind : {kSegments, kRows}) {
    if (function.starts_with(kind)) return kind;
  }
  return "";
}

/// The sizes of rows in the order of their appearance.
std::vector<std::string> sizes_of(const std::vector<const FunctionRow*>& rows) {
  std::vector<std::string> sizes;
  for (const FunctionRow* row : rows) {
    if (std::ranges::find(sizes, row->size) == sizes.end()) sizes.push_back(row->size);
  }
  return sizes;
}

void print_cell(const FunctionRow& row) {
  const double microseconds = row.ours.median * 1000;
  std::printf(" %*.*f", 7, microseconds < 100 ? 1 : 0, microseconds);
  if (row.peers.empty()) {
    std::printf("     -");
  } else {
    std::printf(" %5.2f", row.ratio());
  }
  std::printf(" %3.0f%%", 100 * row.copy_milliseconds / row.ours.median);
}

void print_table(const std::vector<const FunctionRow*>& rows) {
  const std::vector<std::string> sizes = sizes_of(rows);
  std::printf("%-26s", "");
  for (const std::string& size : sizes) std::printf(" %18s", size.c_str());
  std::string function;
  std::size_t column = 0;
  for (const FunctionRow* row : rows) {
    if (row->function != function) {
      function = row->function;
      column = 0;
      std::printf("\n%-26s", function.c_str());
    }
    for (; sizes[column] != row->size; ++column) std::printf(" %18s", "");
    print_cell(*row);
    ++column;
  }
  std::printf("\n");
}

void write_timing(std::FILE* log, const FunctionRow& row, const std::string& whose, const Timing& timing) {
  std::fprintf(log, "%s\t%s\t%llu\t%s\t%.6f\t%.6f\t%.6f\n", row.function.c_str(), row.size.c_str(),
               static_cast<unsigned long long>(row.bytes), whose.c_str(), timing.median, timing.shortest,
               timing.longest);
}

}  // namespace

const PeerTiming* FunctionRow::best_peer() const {
  const auto best = std::ranges::min_element(peers, {}, [](const PeerTiming& peer) { return peer.timing.median; });
  return best == peers.end() ? nullptr : &*best;
}

double FunctionRow::ratio() const { return peers.empty() ? 0 : best_peer()->timing.median / ours.median; }

FunctionTable::FunctionTable(const FunctionOptions& options) : options_(options), timer_(options.repeats) {
  std::printf("%s, CUB %s\n", device_name().c_str(), cub_version().c_str());
  if (options.log_path.empty()) return;
  log_.reset(std::fopen(options.log_path.c_str(), "w"));
  if (log_ == nullptr) throw Error("cannot write " + options.log_path + "; name another file with --log");
  std::fprintf(log_.get(), "function\tsize\tinput bytes\twhose\tmedian ms\tshortest ms\tlongest ms\n");
}

double FunctionTable::copy_milliseconds(std::uint64_t bytes, unsigned calls) {
  const auto [found, is_new] = copy_milliseconds_.try_emplace(bytes, 0);
  if (is_new) {
    const DeviceBuffer from(bytes);
    const DeviceBuffer to(bytes);
    const auto copy = [&](cudaStream_t s) {
      check_cuda(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice, s), "copy");
    };
    const auto nothing = [](cudaStream_t) {};
    // A graph copies much more slowly than a stream.
    found->second = calls == 1 ? timer_.time(nothing, copy).median
                               : timer_
                                     .time_per_call(
                                         calls, [&](unsigned, cudaStream_t s) { nothing(s); },
                                         [&](unsigned, cudaStream_t s) { copy(s); })
                                     .median;
  }
  return found->second;
}

void FunctionTable::add(FunctionRow row, unsigned calls) {
  row.copy_milliseconds = copy_milliseconds(row.bytes, calls);
  if (log_ != nullptr) {
    write_timing(log_.get(), row, "ours", row.ours);
    for (const PeerTiming& peer : row.peers) write_timing(log_.get(), row, peer.name, peer.timing);
    const double copy = row.copy_milliseconds;
    write_timing(log_.get(), row, "copy", {copy, copy, copy});
    std::fflush(log_.get());
  }
  rows_.push_back(std::move(row));
}

void FunctionTable::print_rows_of(const std::string& title, const std::string& kind) const {
  std::vector<const FunctionRow*> rows;
  for (const FunctionRow& row : rows_) {
    if (kind_of(row.function) == kind) rows.push_back(&row);
  }
  if (rows.empty()) return;
  // Rows were measured size by size.
  std::vector<std::string> functions;
  for (const FunctionRow* row : rows) {
    if (std::ranges::find(functions, row->function) == functions.end()) functions.push_back(row->function);
  }
  std::ranges::stable_sort(rows, {},
                           [&](const FunctionRow* row) { return std::ranges::find(functions, row->function); });
  std::printf("\n%s: microseconds, times as fast as the best peer, share of a copy of the input\n", title.c_str());
  print_table(rows);
}

void FunctionTable::print() const {
  print_rows_of("items", "");
  print_rows_of("segments x items of each", kSegments);
  print_rows_of("rows x items of each", kRows);
  std::printf("\nbelow %.2f of the best peer:\n", kAhead);
  unsigned with_peers = 0;
  unsigned behind = 0;
  for (const FunctionRow& row : rows_) {
    if (row.peers.empty()) continue;
    ++with_peers;
    if (row.ratio() >= kAhead) continue;
    ++behind;
    std::printf("%.2f  %s  %s  %.1f us, %s %.1f us, longest of ours %.1f us\n", row.ratio(), row.function.c_str(),
                row.size.c_str(), row.ours.median * 1000, row.best_peer()->name.c_str(),
                row.best_peer()->timing.median * 1000, row.ours.longest * 1000);
  }
  std::printf("%u of %u rows\n", behind, with_peers);
}

}  // namespace sortie::bench
