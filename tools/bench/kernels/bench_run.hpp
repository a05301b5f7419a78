// One run of the bench: what the user asked for, the stream that everything is timed on, and the rows so far. The
// families (families.hpp) ask it which operations are wanted and give it their rows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bench/kernels/call_timer.hpp"
#include "bench/kernels/measurement.hpp"

namespace sortie::bench {

struct BenchOptions {
  std::vector<unsigned> log2_sizes = {20, 24, 28};  ///< log2 of the item counts of large operations
  std::vector<KeyDistribution> distributions = {KeyDistribution::kUniform};
  std::string filter;     ///< operations whose name contains it; all if empty
  std::string json_path;  ///< no JSON if empty
  unsigned repeats = 9;   ///< rounds per median
};

class BenchRun {
 public:
  using Work = CallTimer::Work;
  using Call = CallTimer::Call;

  /// Measures the speed of a copy on the device. Throws Error.
  explicit BenchRun(const BenchOptions& options);

  const BenchOptions& options() const { return options_; }
  const std::vector<Measurement>& rows() const { return rows_; }
  /// The speed of a large copy on the device: bytes read plus bytes written per second, in GB/s.
  double copy_gigabytes() const { return copy_gigabytes_; }

  bool wants(std::string_view operation) const { return operation.find(options_.filter) != std::string_view::npos; }
  cudaStream_t stream() const { return timer_.stream(); }

  /// The median time of `work` in milliseconds, as CallTimer measures it.
  double milliseconds(const Work& prepare, const Work& work) const;
  double milliseconds(const Work& work) const;

  /// The same of a call, one of `calls` in a graph.
  double milliseconds_per_call(unsigned calls, const Call& prepare, const Call& work) const;

  /// Sets the family of the rows that follow.
  void begin_family(std::string name) { family_ = std::move(name); }

  /// Prints the row and keeps it.
  void add(Measurement row);
  /// Times `work`, which has no peers, on uniform data, and adds its row.
  void add_timed(const std::string& operation, std::uint64_t count, std::uint64_t traffic_bytes, const Work& work);

 private:
  BenchOptions options_;
  CallTimer timer_;
  double copy_gigabytes_ = 0;
  std::string family_;
  std::vector<Measurement> rows_;
};

}  // namespace sortie::bench
