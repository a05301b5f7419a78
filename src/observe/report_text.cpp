// The report for people: --stats.
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <utility>
#include <vector>

#include <sortie/report.hpp>

#include "base/size.hpp"
#include "observe/markup.hpp"

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

constexpr std::size_t kNameWidth = 22;

void append_amount(std::string& text, const char* label, std::uint64_t records, std::uint64_t bytes) {
  append_line(text, "%-10s %llu records, %s", label, static_cast<unsigned long long>(records),
              format_size(bytes).c_str());
}

void append_runs(std::string& text, const SortReport& report) {
  append_line(text, "%-10s %llu formed, %llu of them on disk", "runs", static_cast<unsigned long long>(report.runs),
              static_cast<unsigned long long>(report.runs_spilled));
  if (report.runs_resumed != 0) {
    append_line(text, "%-10s %llu of the runs taken over", "checkpoint",
                static_cast<unsigned long long>(report.runs_resumed));
  }
  if (report.stored_bytes != 0) {
    append_line(text, "%-10s %s kept as %s (%.2f to 1), scratch space at most %s", "stored",
                format_size(report.run_bytes).c_str(), format_size(report.stored_bytes).c_str(),
                report.compression_ratio(), format_size(report.scratch_peak_bytes).c_str());
  }
  append_line(text, "%-10s passes %llu, windows %llu", "merge", static_cast<unsigned long long>(report.merge_passes),
              static_cast<unsigned long long>(report.windows));
}

void append_memory(std::string& text, const WorkReport& report) {
  append_line(text, "%-10s budget %s, peak of the process %s", "memory",
              format_size(report.memory_budget_bytes).c_str(), format_size(report.memory_peak_bytes).c_str());
}

void append_times(std::string& text, const SortReport& report) {
  append_line(text, "%-10s %.3f s (%s): started in %.3f s, runs formed in %.3f s, merged in %.3f s", "time",
              report.elapsed_seconds, format_rate(report.input_bytes, report.elapsed_seconds).c_str(),
              report.start_seconds, report.formation_seconds, report.merge_seconds);
}

void append_bottleneck(std::string& text, const WorkReport& report) {
  if (report.resources.empty()) return;
  const ResourceReport& busiest = report.resources.front();
  append_line(text, "%-10s %s, busy %.0f%% of the time", "bottleneck", busiest.name.c_str(), 100 * busiest.share);
}

using NamedPhase = std::pair<std::string, const PhaseReport&>;

std::vector<NamedPhase> named_phases(const WorkReport& report) {
  std::vector<NamedPhase> phases;
  for (const PhaseReport& phase : report.phases) phases.emplace_back(phase.name, phase);
  for (const SortPhases& sort : report.sorts) {
    for (const PhaseReport& phase : sort.phases) phases.emplace_back(sort.name + ": " + phase.name, phase);
  }
  return phases;
}

void append_phases(std::string& text, const WorkReport& report) {
  if (report.phases.empty()) return;
  const std::vector<NamedPhase> phases = named_phases(report);
  std::size_t width = kNameWidth;
  for (const auto& [name, phase] : phases) width = std::max(width, name.size());
  const int columns = static_cast<int>(width);
  append_line(text, "\n  %-*s  %10s  %5s  %s", columns, "phase", "time", "share", "of its busiest resource");
  for (const auto& [name, phase] : phases) {
    const ResourceReport busiest = phase.resources.empty() ? ResourceReport{"-", 0, 0, 0} : phase.resources.front();
    append_line(text, "  %-*s  %8.3f s  %4.0f%%  %s", columns, name.c_str(), phase.seconds, 100 * busiest.share,
                busiest.name.c_str());
  }
}

void append_assumptions(std::string& text, const SortReport& report) {
  for (const Assumption& assumption : report.assumptions)
    text.append("assumed    ").append(assumption.message).append("\n");
}

/// A row of a table of what was busy. `share`: "61%", or nothing.
template <class Busy>
void append_busy(std::string& text, const Busy& busy, const std::string& share) {
  append_line(text, "  %-22s  %8.3f s  %5s  %10s  %12s", busy.name.c_str(), busy.busy_seconds, share.c_str(),
              format_size(busy.bytes).c_str(), format_rate(busy.bytes, busy.busy_seconds).c_str());
}

constexpr char kHeading[] = "\n  %-22s  %10s  %5s  %10s  %12s";

void append_resources(std::string& text, const WorkReport& report) {
  if (report.resources.empty()) return;
  append_line(text, kHeading, "resource", "busy", "share", "bytes", "speed");
  for (const ResourceReport& resource : report.resources) append_busy(text, resource, percent(resource.share));
}

// Threads that work at once add up here, so a stage may take longer than the sort.
void append_stages(std::string& text, const WorkReport& report) {
  if (report.stages.empty()) return;
  append_line(text, kHeading, "stage, all threads", "work", "", "bytes", "per thread");
  for (const StageReport& stage : report.stages) append_busy(text, stage, "");
}

void append_work(std::string& text, const WorkReport& report) {
  append_phases(text, report);
  append_resources(text, report);
  append_stages(text, report);
}

/// What a sort did, without what it kept busy.
void append_sort(std::string& text, const SortReport& report) {
  append_line(text, "%-10s %s%s%s", "engine", report.engine.c_str(), report.engine_reason.empty() ? "" : ": ",
              report.engine_reason.c_str());
  append_amount(text, "input", report.input_records, report.input_bytes);
  append_amount(text, "output", report.output_records, report.output_bytes);
  append_line(text, "%-10s %s", "checksum", report.verified ? to_string(report.checksum).c_str() : "not compared");
  append_memory(text, report);
  if (report.devices != 0) {
    append_line(text, "%-10s %s on each of %u", "GPU memory", format_size(report.device_budget_bytes).c_str(),
                report.devices);
  }
  append_runs(text, report);
  append_times(text, report);
  append_assumptions(text, report);
}

}  // namespace

std::string to_text(const SortReport& report) {
  std::string text;
  append_sort(text, report);
  append_bottleneck(text, report);
  append_work(text, report);
  return text;
}

std::string to_text(const JoinReport& report) {
  std::string text = "left input\n";
  append_sort(text, report.left);
  text += "\nright input\n";
  append_sort(text, report.right);
  text += "\njoin\n";
  append_line(text, "%-10s %llu rows, %s", "output", static_cast<unsigned long long>(report.output_records),
              format_size(report.output_bytes).c_str());
  append_memory(text, report);
  append_line(text, "%-10s %.3f s (%s)", "time", report.elapsed_seconds,
              format_rate(report.left.input_bytes + report.right.input_bytes, report.elapsed_seconds).c_str());
  append_bottleneck(text, report);
  append_work(text, report);
  return text;
}

}  // namespace sortie
