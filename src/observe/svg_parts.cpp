#include "observe/svg_parts.hpp"

#include <algorithm>
#include <array>

#include "observe/markup.hpp"

namespace sortie::svg {

std::string coordinate(double value) {
  std::string text = decimal(value, 1);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

std::string attribute(std::string_view name, double value) {
  return " " + std::string(name) + "=\"" + coordinate(value) + "\"";
}

std::string text_at(std::string_view style, double x, double y, std::string_view content) {
  return "<text class=\"" + std::string(style) + "\"" + attribute("x", x) + attribute("y", y) + ">" +
         escape_markup(content) + "</text>\n";
}

std::string line(std::string_view style, double x1, double y1, double x2, double y2) {
  return "<line class=\"" + std::string(style) + "\"" + attribute("x1", x1) + attribute("y1", y1) +
         attribute("x2", x2) + attribute("y2", y2) + "/>\n";
}

std::string outline(std::string_view style, const std::string& path) {
  return "<path class=\"" + std::string(style) + "\" d=\"" + path + "\"/>\n";
}

std::string box(std::string_view style, const Box& bounds, std::string_view title) {
  return "<rect class=\"" + std::string(style) + "\"" + attribute("x", bounds.x) + attribute("y", bounds.y) +
         attribute("width", bounds.width) + attribute("height", bounds.height) + "><title>" + escape_markup(title) +
         "</title></rect>\n";
}

std::string picture(double height, std::string_view label, const std::string& content) {
  return "<div class=\"picture\"><svg viewBox=\"0 0 " + coordinate(kPictureWidth) + " " + coordinate(height) +
         "\" role=\"img\" aria-label=\"" + escape_markup(label) + "\">\n" + content + "</svg></div>\n";
}

double nice_step(double most, int steps) {
  const double least = most / steps;
  // Not std::pow(): to load the library of mathematics would take a tenth of the time of a small sort.
  double power = 1;
  for (; power > least; power /= 10) {
  }
  for (; power * 10 <= least; power *= 10) {
  }
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

std::string legend(const std::vector<LegendEntry>& entries) {
  std::string svg;
  double x = kPlotLeft;
  for (const LegendEntry& entry : entries) {
    svg += "<rect class=\"" + std::string(entry.style) + "\"" + attribute("x", x) +
           " y=\"4\" width=\"12\" height=\"12\"/>\n";
    svg += text_at("tick", x + 18, 14, entry.name);
    x += 42 + kLetterWidth * static_cast<double>(entry.name.size());
  }
  return svg;
}

TimeAxis::TimeAxis(double seconds) : seconds_(std::max(seconds, 1e-6)) {}

double TimeAxis::at(double seconds) const {
  return kPlotLeft + (kPlotRight - kPlotLeft) * std::clamp(seconds / seconds_, 0.0, 1.0);
}

std::string TimeAxis::draw(double top, double bottom) const {
  struct Unit {
    double seconds;
    std::string_view name;
    double least;  // it is used from so many seconds on
  };
  constexpr std::array kUnits = {Unit{3600, "hours", 2 * 3600}, Unit{60, "minutes", 180}, Unit{1, "seconds", 1.5},
                                 Unit{1e-3, "milliseconds", 0}};
  const auto unit = *std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& u) { return seconds_ >= u.least; });
  const double step = nice_step(seconds_ / unit.seconds, 8);
  int decimals = 0;
  for (double shown = step; shown < 1 - 1e-9; shown *= 10) ++decimals;
  std::string svg;
  for (int i = 0; i * step * unit.seconds <= seconds_; ++i) {
    const double x = at(i * step * unit.seconds);
    svg += line("grid", x, top, x, bottom);
    svg += text_at("tick middle", x, bottom + 15, decimal(i * step, decimals));
  }
  return svg + text_at("tick middle", (kPlotLeft + kPlotRight) / 2, bottom + 33, "time, " + std::string(unit.name));
}

}  // namespace sortie::svg
