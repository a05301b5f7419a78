#include "observe/report_page.hpp"

#include <algorithm>
#include <string_view>

#include <sortie/version.hpp>

#include "base/size.hpp"
#include "observe/busy_time.hpp"
#include "observe/markup.hpp"
#include "observe/pictures.hpp"

namespace sortie {
namespace {

// The policy forbids the browser to load anything, whatever the page might hold.
constexpr std::string_view kHead = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>
<meta name="viewport" content="width=device-width"/>
<meta name="color-scheme" content="light dark"/>
<style>
:root { --page: #ffffff; --text: #1c1f23; --faint: #667078; --grid: #e3e6e9; --card: #f5f7f8; --disk: #2f6db3;
  --cpu: #cf7a1f; --gpu: #2c8a57; --memory: #7a5bb5; --scratch: #2f6db3; --phase: #dfe4e9; --odd: #cbd3da; }
@media (prefers-color-scheme: dark) { :root { --page: #15181b; --text: #e4e7ea; --faint: #98a2ab; --grid: #2b3136;
  --card: #1e2327; --disk: #62a0e6; --cpu: #eda04f; --gpu: #55bd88; --memory: #a78be0; --scratch: #62a0e6;
  --phase: #333b42; --odd: #414b54; } }
body { margin: 0 auto; max-width: 1000px; padding: 24px; background: var(--page); color: var(--text);
  font: 15px/1.45 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 24px; margin: 0; } h2 { font-size: 17px; margin: 28px 0 8px; }
.faint { color: var(--faint); margin: 2px 0 0; }
.advice { background: var(--card); border-left: 4px solid var(--cpu); padding: 10px 16px; margin: 18px 0 0; }
.advice p { margin: 2px 0; } .advice p:first-child { font-weight: 600; }
.picture { overflow-x: auto; } svg { display: block; width: 100%; min-width: 720px; height: auto; }
svg text { font: 12px system-ui, sans-serif; fill: var(--text); }
svg .tick { fill: var(--faint); } svg .end { text-anchor: end; } svg .middle { text-anchor: middle; }
svg .grid { stroke: var(--grid); } svg .base { stroke: var(--faint); stroke-opacity: .5; }
svg .disk { fill: var(--disk); } svg .cpu { fill: var(--cpu); } svg .gpu { fill: var(--gpu); }
svg .phase { fill: var(--phase); } svg .odd { fill: var(--odd); } svg .phase-name { pointer-events: none; }
svg .hover { fill: var(--text); fill-opacity: 0; } svg .hover:hover { fill-opacity: .1; }
svg .memory { fill: var(--memory); fill-opacity: .35; stroke: var(--memory); }
svg .scratch { fill: var(--scratch); fill-opacity: .35; stroke: var(--scratch); }
svg .budget { stroke: var(--text); stroke-dasharray: 6 4; } svg .budget-box { fill: none; stroke: var(--text);
  stroke-dasharray: 3 2; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(420px, 100%), 1fr)); column-gap: 32px; }
section { min-width: 0; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 3px 8px 3px 0; border-bottom: 1px solid var(--grid); }
th { font-weight: 400; color: var(--faint); white-space: nowrap; padding-right: 16px; }
th.heading { color: var(--text); padding-top: 14px; }
.plain td, td.number { white-space: nowrap; } td.number { text-align: right; }
.plain th { padding-right: 8px; } .walls th { white-space: normal; } .wide { width: 45%; }
.walls tr:nth-child(odd) > * { border-bottom: 0; padding-bottom: 0; }
.bar { display: block; height: 14px; background: var(--grid); margin: 4px 0; min-width: 60px; }
.bar span { display: block; height: 14px; background: var(--disk); } .bar .cpu { background: var(--cpu); }
.bar .gpu { background: var(--gpu); }
@media (max-width: 480px) { body { padding: 14px; font-size: 13px; } th, .plain th { padding-right: 6px; } }
</style>
)";

std::string element(std::string_view name, std::string_view text) {
  return "<" + std::string(name) + ">" + escape_markup(text) + "</" + std::string(name) + ">\n";
}

std::string row(std::string_view name, std::string_view value) {
  return "<tr><th>" + escape_markup(name) + "</th><td>" + escape_markup(value) + "</td></tr>\n";
}

std::string amount(std::uint64_t records, std::uint64_t bytes) {
  return std::to_string(records) + " records, " + format_size(bytes);
}

std::string headline(const SortReport& report) {
  return format_size(report.input_bytes) + " sorted in " + format_seconds(report.elapsed_seconds);
}

std::string headline(const JoinReport& report) {
  return format_size(report.left.input_bytes) + " and " + format_size(report.right.input_bytes) + " joined in " +
         format_seconds(report.elapsed_seconds);
}

std::string runs_row(const SortReport& report) {
  if (report.runs <= 1 && report.runs_spilled == 0)
    return row("runs", std::to_string(report.runs) + ": nothing was merged");
  std::string runs = std::to_string(report.runs) + ", of them on disk " + std::to_string(report.runs_spilled);
  if (report.runs_resumed != 0) runs += ", taken over " + std::to_string(report.runs_resumed);
  return row("runs", runs) +
         row("merge", std::to_string(report.merge_passes) + (report.merge_passes == 1 ? " pass, " : " passes, ") +
                          std::to_string(report.windows) + " windows");
}

std::string engine_rows(const SortReport& report) {
  std::string rows = row("engine", report.engine + (report.engine_reason.empty() ? "" : ": " + report.engine_reason));
  if (report.device_failure.empty()) return rows;
  return rows + row("GPU failed", report.device_failure + "; times are those of the last attempt");
}

std::string stored_rows(const SortReport& report) {
  std::string rows = runs_row(report);
  if (report.stored_bytes == 0) return rows;
  return rows + row("stored", format_size(report.run_bytes) + " as " + format_size(report.stored_bytes) + " (" +
                                  decimal(report.compression_ratio(), 2) + " to 1)");
}

std::string check_row(const SortReport& report) {
  return row("verified", report.verified ? "count, order and checksum " + to_string(report.checksum) : "no");
}

std::string memory_rows(const WorkReport& report) {
  return row("memory budget", format_size(report.memory_budget_bytes)) +
         row("memory peak", report.memory_peak_bytes == 0 ? "unknown" : format_size(report.memory_peak_bytes)) +
         row("scratch peak", format_size(report.scratch_peak_bytes));
}

std::string device_row(const SortReport& report) {
  if (report.devices == 0) return {};
  return row("GPU memory", format_size(report.device_budget_bytes) + " on each of " + std::to_string(report.devices));
}

std::string assumed_rows(const SortReport& report) {
  std::string rows;
  for (const Assumption& assumption : report.assumptions) rows += row("assumed", assumption.message);
  return rows;
}

std::string table(const std::string& rows) { return "<table>\n" + rows + "</table>\n"; }

std::string figures(const SortReport& report) {
  return table(engine_rows(report) + row("input", amount(report.input_records, report.input_bytes)) +
               row("output", amount(report.output_records, report.output_bytes)) + check_row(report) +
               row("speed", format_rate(report.input_bytes, report.elapsed_seconds)) + stored_rows(report) +
               memory_rows(report) + device_row(report) + assumed_rows(report));
}

std::string heading_row(std::string_view text) {
  return "<tr><th class=\"heading\" colspan=\"2\">" + escape_markup(text) + "</th></tr>\n";
}

std::string side_rows(std::string_view name, const SortReport& report) {
  return heading_row(name) + row("records", amount(report.input_records, report.input_bytes)) + engine_rows(report) +
         check_row(report) + stored_rows(report) + device_row(report) + assumed_rows(report);
}

std::string figures(const JoinReport& report) {
  const std::uint64_t input_bytes = report.left.input_bytes + report.right.input_bytes;
  return table(row("output", std::to_string(report.output_records) + " rows, " + format_size(report.output_bytes)) +
               row("speed", format_rate(input_bytes, report.elapsed_seconds) + " of both inputs") +
               memory_rows(report) + side_rows("left input", report.left) + side_rows("right input", report.right));
}

/// Time that the job would take if nothing but one thing were needed, at the speed that this had in the job.
struct Wall {
  std::string name;
  std::string_view style;
  double seconds;
  std::string explanation;
};

const ResourceReport* find(const WorkReport& report, Resource resource) {
  const auto found = std::ranges::find(report.resources, name_of(resource), &ResourceReport::name);
  return found == report.resources.end() ? nullptr : &*found;
}

double busy_seconds(const WorkReport& report, Resource resource) {
  const ResourceReport* const found = find(report, resource);
  return found == nullptr ? 0 : found->busy_seconds;
}

std::vector<Wall> walls(const WorkReport& report, const PageContext& facts) {
  const double reading = busy_seconds(report, Resource::kReading);
  const double writing = busy_seconds(report, Resource::kOutputWriting);
  const double scratch =
      busy_seconds(report, Resource::kScratchWriting) + busy_seconds(report, Resource::kScratchReading);
  std::vector<Wall> walls;
  const auto add = [&](std::string name, std::string_view style, double seconds, std::string explanation) {
    if (seconds > 0) walls.push_back({std::move(name), style, seconds, std::move(explanation)});
  };
  add("a copy", "disk", std::max(reading, writing), "reading the input and writing the output, both at once");
  add("a copy, one after the other", "disk", reading + writing, "reading the input, then writing the output");
  if (scratch > 0) {
    add("a copy by way of scratch space", "disk", reading + writing + scratch,
        "reading, writing and reading scratch space, writing, one after the other");
  }
  const unsigned threads = used_processors(facts.conditions);
  add("processors", "cpu", facts.timeline.processor_seconds() / threads,
      format_seconds(facts.timeline.processor_seconds()) + " of work, shared by " + std::to_string(threads) +
          (threads == 1 ? " thread" : " threads"));
  add("link to the GPU", "gpu", busy_seconds(report, Resource::kUpload), "uploads alone");
  add("GPU", "gpu", busy_seconds(report, Resource::kKernels), "kernels alone");
  add("link from the GPU", "gpu", busy_seconds(report, Resource::kDownload), "downloads alone");
  return walls;
}

std::string walls_table(const WorkReport& report, const PageContext& facts) {
  std::string rows;
  for (const Wall& wall : walls(report, facts)) {
    const double share = report.elapsed_seconds > 0 ? wall.seconds / report.elapsed_seconds : 0;
    rows += "<tr><th>" + escape_markup(wall.name) + "</th><td class=\"wide\"><span class=\"bar\"><span class=\"" +
            std::string(wall.style) + "\" style=\"width:" + decimal(100 * std::min(share, 1.0), 1) +
            "%\"></span></span></td><td class=\"number\">" + format_seconds(wall.seconds) +
            "</td><td class=\"number\">" + percent(share) + "</td></tr>\n<tr><td class=\"faint\" colspan=\"4\">" +
            escape_markup(wall.explanation) + "</td></tr>\n";
  }
  if (rows.empty()) return "<p class=\"faint\">Nothing took long enough to be measured.</p>\n";
  return "<table class=\"walls\">\n" + rows + "</table>\n";
}

std::string resources_table(const WorkReport& report) {
  std::string rows = "<tr><th>resource</th><th>busy</th><th>share</th><th>bytes</th><th>speed</th></tr>\n";
  for (const ResourceReport& resource : report.resources) {
    rows += "<tr><td>" + escape_markup(resource.name) + "</td><td>" + format_seconds(resource.busy_seconds) +
            "</td><td>" + percent(resource.share) + "</td><td>" + format_size(resource.bytes) + "</td><td>" +
            format_rate(resource.bytes, resource.busy_seconds) + "</td></tr>\n";
  }
  return "<table class=\"plain\">\n" + rows + "</table>\n";
}

std::string machine_and_options(const PageContext& facts) {
  std::string rows;
  for (const auto& [name, value] : facts.options) rows += row(name, value);
  rows += row("version", "sortie " SORTIE_VERSION);
  rows += row("processors", std::to_string(facts.conditions.processors));
  rows += row("memory", facts.memory_bytes == 0 ? "unknown" : format_size(facts.memory_bytes));
  rows += row("system", facts.system);
  return "<table>\n" + rows + "</table>\n";
}

/// `name`, `figures`: of the page, which hold what is known of this kind of job alone.
std::string page_of(const std::string& name, const WorkReport& report, const std::string& figures,
                    const PageContext& facts) {
  const Advice advice =
      advise(report, facts.conditions, {facts.timeline.processor_seconds(), facts.timeline.machine_share});
  std::string page(kHead);
  page += element("title", name + " - Sortie");
  page += "</head>\n<body>\n" + element("h1", name);
  page += "<div class=\"advice\">\n" + element("p", advice.bottleneck) + element("p", advice.help) + "</div>\n";
  page += element("h2", "What was busy when");
  page += busy_svg(report, facts.timeline, used_processors(facts.conditions));
  page += element("h2", "Memory and scratch space");
  page += memory_svg(report, facts.timeline);
  page += "<div class=\"columns\">\n<section>\n" + element("h2", "Figures") + figures + "</section>\n";
  page += "<section>\n" + element("h2", "What each part would take alone");
  page += "<p class=\"faint\">At the speeds of this " + std::string(facts.conditions.job) + ", beside its " +
          format_seconds(report.elapsed_seconds) + ".</p>\n";
  page += walls_table(report, facts) + "</section>\n";
  page += "<section>\n" + element("h2", "Resources") + resources_table(report) + "</section>\n";
  page += "<section>\n" + element("h2", "What was asked for, and where") + machine_and_options(facts) +
          "</section>\n</div>\n";
  return page + "</body>\n</html>\n";
}

}  // namespace

std::string report_page(const SortReport& report, const PageContext& facts) {
  return page_of(headline(report), report, figures(report), facts);
}

std::string report_page(const JoinReport& report, const PageContext& facts) {
  return page_of(headline(report), report, figures(report), facts);
}

}  // namespace sortie
