// What a run of this bench has measured, and what the user asked for: rows of functions beside their peers and beside a
// copy, a log of all of them, and one compact table in the end.
#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/kernels/call_timer.hpp"

namespace sortie::bench {

struct FunctionOptions {
  std::vector<unsigned> log2_sizes = {10, 12, 14, 16, 18, 20, 22, 24, 28, 31};
  std::string filter;    ///< functions whose name with its types contains it; all if empty
  std::string log_path;  ///< no log if empty
  unsigned repeats = 9;  ///< rounds per median
};

struct PeerTiming {
  std::string name;
  Timing timing;
};

struct FunctionRow {
  std::string function;     ///< with its types, such as "radix_sort u64+u32"
  std::string size;         ///< of the input, such as "2^20", or "2^17 x 64" for segments
  std::uint64_t bytes = 0;  ///< of the input
  Timing ours = {};
  std::vector<PeerTiming> peers = {};
  double copy_milliseconds = 0;  ///< a copy of the input

  /// The fastest peer; null if there is none.
  const PeerTiming* best_peer() const;
  /// How many times as fast as the best peer; 0 if there is none.
  double ratio() const;
};

class FunctionTable {
 public:
  /// Prints what device and what CUB this is. Throws Error.
  explicit FunctionTable(const FunctionOptions& options);

  const FunctionOptions& options() const { return options_; }
  const CallTimer& timer() const { return timer_; }
  bool wants(const std::string& function) const { return function.find(options_.filter) != std::string::npos; }

  /// Adds the time of a copy to the row, writes it to the log, and keeps it.
  void add(FunctionRow row, unsigned calls);

  /// A line for each function, a column for each size: microseconds, times as fast as the best peer, and share of a
  /// copy. Then the rows that are behind or hardly ahead.
  void print() const;

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  double copy_milliseconds(std::uint64_t bytes, unsigned calls);
  void print_rows_of(const std::string& title, const std::string& kind) const;

  FunctionOptions options_;
  CallTimer timer_;
  std::unique_ptr<std::FILE, CloseFile> log_;
  std::map<std::uint64_t, double> copy_milliseconds_;  ///< by bytes
  std::vector<FunctionRow> rows_;
};

}  // namespace sortie::bench
