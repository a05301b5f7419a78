#include "observe/pictures.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/size.hpp"
#include "observe/markup.hpp"
#include "observe/svg_parts.hpp"

namespace sortie {
namespace {

using namespace svg;

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
  MemoryPicture(const WorkReport& report, const Timeline& timeline)
      : report_(report),
        timeline_(timeline),
        time_(report.elapsed_seconds),
        budget_(static_cast<double>(report.memory_budget_bytes)),
        most_(std::max({most_of(timeline, &Timeline::Sample::memory_bytes),
                        most_of(timeline, &Timeline::Sample::scratch_bytes), 1e6})),
        shows_budget_(budget_ > 0 && budget_ <= kNear * most_) {
    if (shows_budget_) most_ = std::max(most_, budget_);
    step_ = nice_step(most_, 5);
    // A few steps. std::ceil() would need the library of mathematics where code is compiled for size.
    int steps = 1;
    while (steps * step_ < most_ - 1e-9 * step_) ++steps;
    top_ = steps * step_;
  }

  std::string draw() const {
    std::string svg = legend(entries());
    for (int i = 0; i * step_ <= top_ * (1 + 1e-9); ++i) {
      svg += line("grid", kPlotLeft, at(i * step_), kPlotRight, at(i * step_));
      svg += text_at("tick end", kPlotLeft - 8, at(i * step_) + 4, size_label(i * step_));
    }
    svg += time_.draw(kPlotTop, kBottom);
    svg += area("memory", &Timeline::Sample::memory_bytes);
    if (has_scratch()) svg += area("scratch", &Timeline::Sample::scratch_bytes);
    if (shows_budget_) svg += line("budget", kPlotLeft, at(budget_), kPlotRight, at(budget_));
    return picture(kBottom + kAxisHeight, "memory and scratch space over time", svg + titles());
  }

 private:
  static constexpr double kMemoryHeight = 150;
  static constexpr double kBottom = kPlotTop + kMemoryHeight;
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
    std::string path = "M" + coordinate(kPlotLeft) + " " + coordinate(kBottom);
    for (const Timeline::Sample& sample : timeline_.samples) {
      path += "L" + coordinate(time_.at(sample.seconds)) + " " + coordinate(at(static_cast<double>(sample.*figure)));
    }
    const double end = timeline_.samples.empty() ? 0 : timeline_.samples.back().seconds;
    path += "L" + coordinate(time_.at(end)) + " " + coordinate(kBottom) + "Z";
    return outline(style, path);
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
      svg += box("hover", {x, kPlotTop, width, kMemoryHeight}, title);
    }
    return svg;
  }

  const WorkReport& report_;
  const Timeline& timeline_;
  TimeAxis time_;
  double budget_;
  double most_;
  bool shows_budget_;
  double step_ = 0;
  double top_ = 0;
};

}  // namespace

std::string memory_svg(const WorkReport& report, const Timeline& timeline) {
  return MemoryPicture(report, timeline).draw();
}

}  // namespace sortie
