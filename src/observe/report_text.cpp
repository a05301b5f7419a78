// The report for people: --stats.
#include <algorithm>
#include <cstdarg>
#include <cstdio>

#include <sortie/report.hpp>

#include "base/size.hpp"

namespace sortie {
namespace {

__attribute__((format(printf, 2, 3))) void append_line(std::string& text, const char* format, ...) {
  char line[256];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  text.append(line).append("\n");
}

/// "1.25 GB/s", or "-" where nothing was measured.
std::string format_rate(std::uint64_t bytes, double seconds) {
  if (bytes == 0 || seconds <= 0) return "-";
  return format_size(static_cast<std::uint64_t>(static_cast<double>(bytes) / seconds)) + "/s";
}

void append_amount(std::string& text, const char* label, std::uint64_t records, std::uint64_t bytes) {
  append_line(text, "%-10s %llu records, %s", label, static_cast<unsigned long long>(records),
              format_size(bytes).c_str());
}

void append_runs(std::string& text, const SortReport& report) {
  append_line(text, "%-10s %llu formed, %llu of them on disk", "runs", static_cast<unsigned long long>(report.runs),
              static_cast<unsigned long long>(report.runs_spilled));
  if (report.run_bytes != 0) {
    append_line(text, "%-10s %s kept as %s (%.0f%%), scratch space at most %s", "stored",
                format_size(report.run_bytes).c_str(), format_size(report.stored_bytes).c_str(),
                100 * static_cast<double>(report.stored_bytes) / static_cast<double>(report.run_bytes),
                format_size(report.scratch_peak_bytes).c_str());
  }
  append_line(text, "%-10s passes %llu, windows %llu", "merge", static_cast<unsigned long long>(report.merge_passes),
              static_cast<unsigned long long>(report.windows));
}

void append_budgets(std::string& text, const SortReport& report) {
  append_line(text, "%-10s %s", "memory", format_size(report.memory_budget_bytes).c_str());
  if (report.device_budget_bytes != 0) {
    append_line(text, "%-10s %s on each GPU", "device", format_size(report.device_budget_bytes).c_str());
  }
}

void append_times(std::string& text, const SortReport& report) {
  append_line(text, "%-10s %.3f s (%s): runs formed in %.3f s, merged in %.3f s", "time", report.elapsed_seconds,
              format_rate(report.input_bytes, report.elapsed_seconds).c_str(), report.formation_seconds,
              report.merge_seconds);
}

void append_stages(std::string& text, const SortReport& report) {
  if (report.stages.empty()) return;
  std::size_t widest = 5;
  for (const StageReport& stage : report.stages) widest = std::max(widest, stage.name.size());
  const int width = static_cast<int>(widest);
  append_line(text, "  %-*s  %10s  %12s  %12s", width, "stage", "bytes", "busy", "rate");
  for (const StageReport& stage : report.stages) {
    append_line(text, "  %-*s  %10s  %10.3f s  %12s", width, stage.name.c_str(), format_size(stage.bytes).c_str(),
                stage.busy_seconds, format_rate(stage.bytes, stage.busy_seconds).c_str());
  }
}

}  // namespace

std::string to_text(const SortReport& report) {
  std::string text;
  append_line(text, "%-10s %s", "engine", report.engine.c_str());
  append_amount(text, "input", report.input_records, report.input_bytes);
  append_amount(text, "output", report.output_records, report.output_bytes);
  append_line(text, "%-10s %s", "checksum", report.verified ? to_string(report.checksum).c_str() : "not compared");
  append_budgets(text, report);
  append_runs(text, report);
  append_times(text, report);
  append_stages(text, report);
  return text;
}

}  // namespace sortie
