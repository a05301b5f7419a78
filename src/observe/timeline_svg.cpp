#include "observe/pictures.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "base/size.hpp"
#include "observe/busy_time.hpp"
#include "observe/markup.hpp"
#include "observe/svg_parts.hpp"

namespace sortie {
namespace {

using namespace svg;

constexpr double kPhaseHeight = 24;
constexpr double kPhaseStep = 27;
constexpr double kTrackHeight = 22;
constexpr double kTrackStep = 27;
constexpr double kLeastShare = 0.0005;

struct KindLook {
  std::string_view style;  // a class of the page's style
  std::string_view name;
};

KindLook look_of(ResourceKind kind) {
  switch (kind) {
    case ResourceKind::kFiles:
      return {"disk", "files, disks and pipes"};
    case ResourceKind::kProcessors:
      break;
    case ResourceKind::kDevice:
      return {"gpu", "GPU and its links"};
  }
  return {"cpu", "processors"};
}

std::string legend_of_kinds(const std::vector<const ResourceReport*>& resources) {
  std::vector<LegendEntry> entries;
  for (const ResourceKind kind : {ResourceKind::kFiles, ResourceKind::kProcessors, ResourceKind::kDevice}) {
    const bool is_used = kind == ResourceKind::kProcessors || std::ranges::any_of(resources, [&](const auto* resource) {
                           return kind_of(*resource_named(resource->name)) == kind;
                         });
    if (is_used) entries.push_back({look_of(kind).style, std::string(look_of(kind).name)});
  }
  return legend(entries);
}

std::string figures_of(const ResourceReport& resource) {
  std::string figures = "busy " + percent(resource.share) + ", " + format_seconds(resource.busy_seconds);
  if (resource.bytes == 0) return figures;
  return figures + ", " + format_size(resource.bytes) + " at " + format_rate(resource.bytes, resource.busy_seconds);
}

/// Phases that follow one another, the first one at `begin_seconds`.
struct PhaseRow {
  std::string_view label;
  double begin_seconds = 0;
  const std::vector<PhaseReport>& phases;
  bool shows_resources = false;
};

std::string title_of(const PhaseReport& phase, const PhaseRow& row, double elapsed_seconds) {
  const double share = elapsed_seconds > 0 ? phase.seconds / elapsed_seconds : 0;
  std::string title = phase.name + ": " + format_seconds(phase.seconds) + ", " + percent(share) + " of the time";
  if (!row.shows_resources) return title;
  for (const ResourceReport& resource : phase.resources) title += "\n" + resource.name + ": " + figures_of(resource);
  return std::string(row.label) + ", " + title;
}

std::string phases_track(const PhaseRow& row, double elapsed_seconds, const TimeAxis& time, double top) {
  std::string svg = text_at("label end", kPlotLeft - 10, top + 16, row.label);
  double begin = row.begin_seconds;
  bool odd = false;
  for (const PhaseReport& phase : row.phases) {
    const double x = time.at(begin);
    const double width = time.at(begin + phase.seconds) - x;
    svg += box(odd ? "phase odd" : "phase", {x, top, std::max(width, 0.5), kPhaseHeight},
               title_of(phase, row, elapsed_seconds));
    const bool fits = width > kLetterWidth * static_cast<double>(phase.name.size()) + 6;
    if (fits) svg += text_at("phase-name middle", x + width / 2, top + 16, phase.name);
    begin += phase.seconds;
    odd = !odd;
  }
  return svg;
}

std::vector<PhaseRow> phase_rows(const WorkReport& report) {
  std::vector<PhaseRow> rows = {{"phases", 0, report.phases, false}};
  for (const SortPhases& sort : report.sorts) rows.push_back({sort.name, sort.begin_seconds, sort.phases, true});
  return rows;
}

/// The outline of a track: its height in each bin is the part of it in which the resource was busy.
std::string busy_path(const std::vector<double>& busy_seconds, const Timeline& timeline, double elapsed_seconds,
                      const TimeAxis& time, double bottom) {
  std::string path = "M" + coordinate(kPlotLeft) + " " + coordinate(bottom);
  std::string last_y = coordinate(bottom);
  double end = 0;
  for (std::size_t bin = 0; bin < busy_seconds.size(); ++bin) {
    const double begin = static_cast<double>(bin) * timeline.bin_seconds;
    if (begin >= elapsed_seconds) break;
    end = std::min(begin + timeline.bin_seconds, elapsed_seconds);
    const double share = std::min(1.0, busy_seconds[bin] / (end - begin));
    const std::string y = coordinate(bottom - share * kTrackHeight);
    if (y != last_y) path += "H" + coordinate(time.at(begin)) + "V" + y;
    last_y = y;
  }
  return path + "H" + coordinate(time.at(end)) + "V" + coordinate(bottom) + "Z";
}

/// The same of all processors, whose time is known where there are samples.
std::string processor_path(const Timeline& timeline, unsigned processors, const TimeAxis& time, double bottom) {
  std::string path = "M" + coordinate(kPlotLeft) + " " + coordinate(bottom);
  for (std::size_t i = 0; i + 1 < timeline.samples.size(); ++i) {
    const Timeline::Sample& from = timeline.samples[i];
    const Timeline::Sample& to = timeline.samples[i + 1];
    const double share = (to.processor_seconds - from.processor_seconds) / (processors * (to.seconds - from.seconds));
    path +=
        "V" + coordinate(bottom - std::clamp(share, 0.0, 1.0) * kTrackHeight) + "H" + coordinate(time.at(to.seconds));
  }
  return path + "V" + coordinate(bottom) + "Z";
}

std::string track(std::string_view name, double share, std::string_view style, const std::string& path, double top) {
  const double base = top + kTrackHeight;
  return text_at("label end", kPlotLeft - 10, base - 6, name) + outline(style, path) +
         line("base", kPlotLeft, base, kPlotRight, base) + text_at("label", kPlotRight + 10, base - 6, percent(share));
}

/// What the pointer finds on a track: figures of each phase.
std::string titles(const ResourceReport& resource, const WorkReport& report, const TimeAxis& time, double top) {
  std::string svg;
  double begin = 0;
  for (const PhaseReport& phase : report.phases) {
    const double x = time.at(begin);
    begin += phase.seconds;
    const double width = time.at(begin) - x;
    if (width < 0.5) continue;
    const auto of_phase = std::ranges::find(phase.resources, resource.name, &ResourceReport::name);
    const std::string figures = of_phase == phase.resources.end() ? "idle" : figures_of(*of_phase);
    svg += box("hover", {x, top, width, kTrackHeight}, resource.name + " while " + phase.name + ": " + figures);
  }
  return svg;
}

/// Resources in the order in which data pass them, without those whose track would look empty.
std::vector<const ResourceReport*> in_order_of_data(const WorkReport& report) {
  std::vector<const ResourceReport*> resources;
  for (const ResourceReport& resource : report.resources) {
    if (resource_named(resource.name) && resource.share >= kLeastShare) resources.push_back(&resource);
  }
  std::ranges::stable_sort(resources, {},
                           [](const ResourceReport* resource) { return *resource_named(resource->name); });
  return resources;
}

}  // namespace

std::string busy_svg(const WorkReport& report, const Timeline& timeline, unsigned processors) {
  const TimeAxis time(report.elapsed_seconds);
  const auto resources = in_order_of_data(report);
  const std::vector<PhaseRow> rows = phase_rows(report);
  double top = kPlotTop + kPhaseStep * static_cast<double>(rows.size()) + 5;
  const double bottom = top + kTrackStep * static_cast<double>(1 + resources.size());
  std::string svg = legend_of_kinds(resources) + time.draw(kPlotTop, bottom);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    svg += phases_track(rows[i], report.elapsed_seconds, time, kPlotTop + kPhaseStep * static_cast<double>(i));
  }
  const double usable = processors * report.elapsed_seconds;
  const double processor_share = usable > 0 ? std::min(1.0, timeline.processor_seconds() / usable) : 0;
  svg += track("all processors", processor_share, look_of(ResourceKind::kProcessors).style,
               processor_path(timeline, processors, time, top + kTrackHeight), top);
  svg += box("hover", {kPlotLeft, top, kPlotRight - kPlotLeft, kTrackHeight},
             std::to_string(processors) + " processors: busy " + percent(processor_share) + ", " +
                 format_seconds(timeline.processor_seconds()) + " of work");
  for (const ResourceReport* resource : resources) {
    top += kTrackStep;
    const Resource known = *resource_named(resource->name);
    svg += track(resource->name, resource->share, look_of(kind_of(known)).style,
                 busy_path(timeline.busy_seconds[static_cast<std::size_t>(known)], timeline, report.elapsed_seconds,
                           time, top + kTrackHeight),
                 top);
    svg += titles(*resource, report, time, top);
  }
  return picture(bottom + kAxisHeight, "phases and busy resources over time", svg);
}

}  // namespace sortie
