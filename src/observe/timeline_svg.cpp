#include "observe/timeline_svg.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/size.hpp"
#include "observe/busy_time.hpp"
#include "observe/markup.hpp"

namespace sortie {
namespace {

// Everything in pixels of a picture that is kWidth wide; a page scales it.
constexpr double kWidth = 960;
constexpr double kLeft = 142;
constexpr double kRight = 906;
constexpr double kTop = 26;  // below the legend
constexpr double kPhaseHeight = 24;
constexpr double kTrackHeight = 22;
constexpr double kTrackStep = 27;
constexpr double kAxisHeight = 40;
constexpr double kMemoryHeight = 150;
constexpr double kLeastShare = 0.0005;
constexpr double kLetterWidth = 6.8;  // of a letter, at most, on average

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

std::string coordinate(double value) {
  std::string text = decimal(value, 1);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

std::string attribute(std::string_view name, double value) {
  return " " + std::string(name) + "=\"" + coordinate(value) + "\"";
}

std::string text(std::string_view style, double x, double y, std::string_view content) {
  return "<text class=\"" + std::string(style) + "\"" + attribute("x", x) + attribute("y", y) + ">" +
         escape_markup(content) + "</text>\n";
}

std::string line(std::string_view style, double x1, double y1, double x2, double y2) {
  return "<line class=\"" + std::string(style) + "\"" + attribute("x1", x1) + attribute("y1", y1) +
         attribute("x2", x2) + attribute("y2", y2) + "/>\n";
}

struct Box {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};

/// A rectangle that shows `title` under the pointer.
std::string box(std::string_view style, const Box& place, const std::string& title) {
  return "<rect class=\"" + std::string(style) + "\"" + attribute("x", place.x) + attribute("y", place.y) +
         attribute("width", place.width) + attribute("height", place.height) + "><title>" + escape_markup(title) +
         "</title></rect>\n";
}

std::string picture(double height, std::string_view label, const std::string& content) {
  return "<div class=\"picture\"><svg viewBox=\"0 0 " + coordinate(kWidth) + " " + coordinate(height) +
         "\" role=\"img\" aria-label=\"" + escape_markup(label) + "\">\n" + content + "</svg></div>\n";
}

/// The smallest of 1, 2 and 5 times a power of ten that cuts `most` into at most `steps` steps.
double nice_step(double most, int steps) {
  const double least = most / steps;
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

class TimeAxis {
 public:
  explicit TimeAxis(double seconds) : seconds_(std::max(seconds, 1e-6)) {}

  double at(double seconds) const { return kLeft + (kRight - kLeft) * std::clamp(seconds / seconds_, 0.0, 1.0); }

  /// Lines through the picture from `top` to `bottom`, and their labels below.
  std::string draw(double top, double bottom) const {
    struct Unit {
      double seconds;
      std::string_view name;
      double least;  // it is used from so many seconds on
    };
    constexpr std::array kUnits = {Unit{3600, "hours", 2 * 3600}, Unit{60, "minutes", 180}, Unit{1, "seconds", 1.5},
                                   Unit{1e-3, "milliseconds", 0}};
    const auto unit = *std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& u) { return seconds_ >= u.least; });
    const double step = nice_step(seconds_ / unit.seconds, 8);
    const int decimals = step >= 1 ? 0 : static_cast<int>(std::ceil(-std::log10(step) - 1e-9));
    std::string svg;
    for (int i = 0; i * step * unit.seconds <= seconds_; ++i) {
      const double x = at(i * step * unit.seconds);
      svg += line("grid", x, top, x, bottom);
      svg += text("tick middle", x, bottom + 15, decimal(i * step, decimals));
    }
    return svg + text("tick middle", (kLeft + kRight) / 2, bottom + 33, "time, " + std::string(unit.name));
  }

 private:
  double seconds_;
};

struct LegendEntry {
  std::string_view style;
  std::string name;
};

std::string legend(const std::vector<LegendEntry>& entries) {
  std::string svg;
  double x = kLeft;
  for (const LegendEntry& entry : entries) {
    svg += "<rect class=\"" + std::string(entry.style) + "\"" + attribute("x", x) +
           " y=\"4\" width=\"12\" height=\"12\"/>\n";
    svg += text("tick", x + 18, 14, entry.name);
    x += 42 + kLetterWidth * static_cast<double>(entry.name.size());
  }
  return svg;
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

std::string phases_track(const SortReport& report, const TimeAxis& time) {
  std::string svg = text("label end", kLeft - 10, kTop + 16, "phases");
  double begin = 0;
  bool odd = false;
  for (const PhaseReport& phase : report.phases) {
    const double x = time.at(begin);
    const double width = time.at(begin + phase.seconds) - x;
    const double share = report.elapsed_seconds > 0 ? phase.seconds / report.elapsed_seconds : 0;
    svg += box(odd ? "phase odd" : "phase", {x, kTop, std::max(width, 0.5), kPhaseHeight},
               phase.name + ": " + format_seconds(phase.seconds) + ", " + percent(share) + " of the sort");
    const bool fits = width > kLetterWidth * static_cast<double>(phase.name.size()) + 6;
    if (fits) svg += text("phase-name middle", x + width / 2, kTop + 16, phase.name);
    begin += phase.seconds;
    odd = !odd;
  }
  return svg;
}

/// The outline of a track: its height in each bin is the part of it in which the resource was busy.
std::string outline(const std::vector<double>& busy_seconds, const Timeline& timeline, double elapsed_seconds,
                    const TimeAxis& time, double bottom) {
  std::string path = "M" + coordinate(kLeft) + " " + coordinate(bottom);
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
std::string processor_outline(const Timeline& timeline, unsigned processors, const TimeAxis& time, double bottom) {
  std::string path = "M" + coordinate(kLeft) + " " + coordinate(bottom);
  for (std::size_t i = 0; i + 1 < timeline.samples.size(); ++i) {
    const Timeline::Sample& from = timeline.samples[i];
    const Timeline::Sample& to = timeline.samples[i + 1];
    const double share = (to.processor_seconds - from.processor_seconds) / (processors * (to.seconds - from.seconds));
    path +=
        "V" + coordinate(bottom - std::clamp(share, 0.0, 1.0) * kTrackHeight) + "H" + coordinate(time.at(to.seconds));
  }
  return path + "V" + coordinate(bottom) + "Z";
}

std::string track(std::string_view name, double share, std::string_view style, const std::string& outline, double top) {
  const double base = top + kTrackHeight;
  return text("label end", kLeft - 10, base - 6, name) + "<path class=\"" + std::string(style) + "\" d=\"" + outline +
         "\"/>\n" + line("base", kLeft, base, kRight, base) + text("label", kRight + 10, base - 6, percent(share));
}

std::string figures_of(const ResourceReport& resource) {
  std::string figures = "busy " + percent(resource.share) + ", " + format_seconds(resource.busy_seconds);
  if (resource.bytes == 0) return figures;
  return figures + ", " + format_size(resource.bytes) + " at " + format_rate(resource.bytes, resource.busy_seconds);
}

/// What the pointer finds on a track: figures of each phase.
std::string titles(const ResourceReport& resource, const SortReport& report, const TimeAxis& time, double top) {
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
std::vector<const ResourceReport*> in_order_of_data(const SortReport& report) {
  std::vector<const ResourceReport*> resources;
  for (const ResourceReport& resource : report.resources) {
    if (resource_named(resource.name) && resource.share >= kLeastShare) resources.push_back(&resource);
  }
  std::ranges::stable_sort(resources, {},
                           [](const ResourceReport* resource) { return *resource_named(resource->name); });
  return resources;
}

/// Bytes for a label: "1.5 GB", "0".
std::string size_label(double bytes) { return bytes <= 0 ? "0" : format_size(static_cast<std::uint64_t>(bytes)); }

using Figure = std::uint64_t Timeline::Sample::*;

double most_of(const Timeline& timeline, Figure figure) {
  std::uint64_t most = 0;
  for (const Timeline::Sample& sample : timeline.samples) most = std::max(most, sample.*figure);
  return static_cast<double>(most);
}

class MemoryPicture {
 public:
  MemoryPicture(const SortReport& report, const Timeline& timeline)
      : report_(report),
        timeline_(timeline),
        time_(report.elapsed_seconds),
        budget_(static_cast<double>(report.memory_budget_bytes)),
        most_(std::max({most_of(timeline, &Timeline::Sample::memory_bytes),
                        most_of(timeline, &Timeline::Sample::scratch_bytes), 1e6})),
        shows_budget_(budget_ > 0 && budget_ <= kNear * most_) {
    if (shows_budget_) most_ = std::max(most_, budget_);
    step_ = nice_step(most_, 5);
    top_ = step_ * std::ceil(most_ / step_ - 1e-9);
  }

  std::string draw() const {
    std::string svg = legend(entries());
    for (int i = 0; i * step_ <= top_ * (1 + 1e-9); ++i) {
      svg += line("grid", kLeft, at(i * step_), kRight, at(i * step_));
      svg += text("tick end", kLeft - 8, at(i * step_) + 4, size_label(i * step_));
    }
    svg += time_.draw(kTop, kBottom);
    svg += area("memory", &Timeline::Sample::memory_bytes);
    if (has_scratch()) svg += area("scratch", &Timeline::Sample::scratch_bytes);
    if (shows_budget_) svg += line("budget", kLeft, at(budget_), kRight, at(budget_));
    return picture(kBottom + kAxisHeight, "memory and scratch space over time", svg + titles());
  }

 private:
  static constexpr double kBottom = kTop + kMemoryHeight;
  static constexpr double kNear = 3;  // a budget further above would flatten all else

  bool has_scratch() const { return most_of(timeline_, &Timeline::Sample::scratch_bytes) > 0; }

  std::vector<LegendEntry> entries() const {
    std::vector<LegendEntry> entries = {{"memory", "memory of the process"}};
    if (has_scratch()) entries.push_back({"scratch", "scratch space"});
    const std::string budget = "memory budget (" + format_size(report_.memory_budget_bytes);
    if (shows_budget_) entries.push_back({"budget-box", budget + ")"});
    return entries;
  }

  double at(double bytes) const { return kBottom - kMemoryHeight * std::min(1.0, bytes / top_); }

  std::string area(std::string_view style, Figure figure) const {
    std::string path = "M" + coordinate(kLeft) + " " + coordinate(kBottom);
    for (const Timeline::Sample& sample : timeline_.samples) {
      path += "L" + coordinate(time_.at(sample.seconds)) + " " + coordinate(at(static_cast<double>(sample.*figure)));
    }
    const double end = timeline_.samples.empty() ? 0 : timeline_.samples.back().seconds;
    path += "L" + coordinate(time_.at(end)) + " " + coordinate(kBottom) + "Z";
    return "<path class=\"" + std::string(style) + "\" d=\"" + path + "\"/>\n";
  }

  /// Each sample holds up to the next one.
  std::string titles() const {
    std::string svg;
    for (std::size_t i = 0; i + 1 < timeline_.samples.size(); ++i) {
      const Timeline::Sample& sample = timeline_.samples[i];
      const double x = time_.at(sample.seconds);
      const double width = time_.at(timeline_.samples[i + 1].seconds) - x;
      std::string title = "after " + format_seconds(sample.seconds) + ": memory " + format_size(sample.memory_bytes);
      if (has_scratch()) title += ", scratch space " + format_size(sample.scratch_bytes);
      svg += box("hover", {x, kTop, width, kMemoryHeight}, title);
    }
    return svg;
  }

  const SortReport& report_;
  const Timeline& timeline_;
  TimeAxis time_;
  double budget_;
  double most_;
  bool shows_budget_;
  double step_ = 0;
  double top_ = 0;
};

}  // namespace

std::string busy_svg(const SortReport& report, const Timeline& timeline, unsigned processors) {
  const TimeAxis time(report.elapsed_seconds);
  const auto resources = in_order_of_data(report);
  double top = kTop + kPhaseHeight + 8;
  const double bottom = top + kTrackStep * static_cast<double>(1 + resources.size());
  std::string svg = legend_of_kinds(resources) + time.draw(kTop, bottom) + phases_track(report, time);
  const double usable = processors * report.elapsed_seconds;
  const double processor_share = usable > 0 ? std::min(1.0, timeline.processor_seconds() / usable) : 0;
  svg += track("all processors", processor_share, look_of(ResourceKind::kProcessors).style,
               processor_outline(timeline, processors, time, top + kTrackHeight), top);
  svg += box("hover", {kLeft, top, kRight - kLeft, kTrackHeight},
             std::to_string(processors) + " processors: busy " + percent(processor_share) + ", " +
                 format_seconds(timeline.processor_seconds()) + " of work");
  for (const ResourceReport* resource : resources) {
    top += kTrackStep;
    const Resource known = *resource_named(resource->name);
    svg += track(resource->name, resource->share, look_of(kind_of(known)).style,
                 outline(timeline.busy_seconds[static_cast<std::size_t>(known)], timeline, report.elapsed_seconds, time,
                         top + kTrackHeight),
                 top);
    svg += titles(*resource, report, time, top);
  }
  return picture(bottom + kAxisHeight, "phases and busy resources over time", svg);
}

std::string memory_svg(const SortReport& report, const Timeline& timeline) {
  return MemoryPicture(report, timeline).draw();
}

}  // namespace sortie
