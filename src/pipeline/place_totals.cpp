#include "pipeline/place_totals.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>

#include "base/checksum.hpp"
#include "observe/phase_usage.hpp"
#include "pipeline/output/finisher.hpp"
#include "pipeline/setup/options_check.hpp"
#include "pipeline/setup/sort_spec.hpp"

namespace sortie {
namespace {

Checksum checksum_of_places_below(std::uint64_t count) {
  Checksum sum;
  std::array<std::uint64_t, 4096> places;
  for (std::uint64_t begin = 0; begin < count; begin += places.size()) {
    const auto some = std::span(places).first(std::min<std::uint64_t>(places.size(), count - begin));
    std::iota(some.begin(), some.end(), begin);
    sum += checksum_numbers(std::as_bytes(some), sizeof(std::uint64_t));
  }
  return sum;
}

}  // namespace

PlaceTotals::PlaceTotals(const SortOptions& options) : verify_(options.verify), memory_bytes_(options.memory_bytes) {
  validate(options);
}

void PlaceTotals::add(std::span<const std::int64_t> places, bool in_order) {
  count_ += places.size();
  if (!verify_) return;
  if (!in_order) throw_output_fault("the sorted records are not in order");
  checksum_ += checksum_numbers(std::as_bytes(places), sizeof(std::int64_t));
}

SortReport PlaceTotals::finish(std::uint64_t count, std::uint64_t bytes) const {
  const Checksum expected = verify_ ? checksum_of_places_below(count) : Checksum{};
  if (count != count_ || checksum_ != expected) {
    throw_output_fault(std::to_string(count) + " records went in, " + std::to_string(count_) +
                       " came out, checksums of their places " + to_string(expected) + " and " + to_string(checksum_));
  }
  SortReport report;
  report.engine = "cpu";
  report.engine_reason = "few records, which stay in memory while their places are sorted";
  report.input_records = report.output_records = count;
  report.input_bytes = report.output_bytes = bytes;
  report.verified = verify_;
  report.checksum = checksum_;
  report.runs = count == 0 ? 0 : 1;
  report.memory_budget_bytes = whole_budget(memory_bytes_, bytes);
  report.memory_peak_bytes = peak_memory_bytes();
  report.elapsed_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  report.formation_seconds = report.elapsed_seconds;
  report.phases = {{"sorting", report.elapsed_seconds, {}}};
  return report;
}

}  // namespace sortie
