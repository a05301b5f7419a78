// What the pictures in the page of --report are made of: texts, lines, boxes, an axis of time and a legend, in SVG.
// Colours are those of the page's style.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sortie::svg {

// Everything in pixels of a picture that is kPictureWidth wide; a page scales it.
inline constexpr double kPictureWidth = 960;
inline constexpr double kPlotLeft = 142;
inline constexpr double kPlotRight = 906;
inline constexpr double kPlotTop = 26;       // below the legend
inline constexpr double kAxisHeight = 40;    // below the plot
inline constexpr double kLetterWidth = 6.8;  // of a letter, at most, on average

/// A number with one decimal at most.
std::string coordinate(double value);

/// ` name="value"`
std::string attribute(std::string_view name, double value);

std::string text_at(std::string_view style, double x, double y, std::string_view content);
std::string line(std::string_view style, double x1, double y1, double x2, double y2);
std::string outline(std::string_view style, const std::string& path);

struct Box {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};

/// A rectangle that shows `title` under the pointer.
std::string box(std::string_view style, const Box& bounds, std::string_view title);

struct LegendEntry {
  std::string_view style;
  std::string name;
};

/// In one line above the plot.
std::string legend(const std::vector<LegendEntry>& entries);

/// A whole picture. `label` says what it shows to those who do not see it.
std::string picture(double height, std::string_view label, const std::string& content);

/// The smallest of 1, 2 and 5 times a power of ten that cuts `most` into at most `steps` steps. Precondition: most > 0.
double nice_step(double most, int steps);

class TimeAxis {
 public:
  explicit TimeAxis(double seconds);

  /// Where a time is, from kPlotLeft to kPlotRight.
  double at(double seconds) const;

  /// Lines through the plot from `top` to `bottom`, and their labels below.
  std::string draw(double top, double bottom) const;

 private:
  double seconds_;
};

}  // namespace sortie::svg
