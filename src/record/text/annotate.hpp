// Shows which parts of a line an order reads, for people who wonder why lines come out in that order.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/text_order.hpp>

#include "record/text/text_locale.hpp"
#include "record/time/time_zones.hpp"

namespace sortie {

class Annotator {
 public:
  /// Takes the C library's locale as it is set, and loads the zone of times. Precondition: keys of CSV have numbers in
  /// place of names. Throws Error if there is no such zone.
  explicit Annotator(TextOrder order);

  /// Returns the record with tabs shown as '>'. Below it, one line per key underlines what the key reads, and one
  /// underlines what the last resort reads, as GNU sort --debug does. `record` has no delimiter; every line of the
  /// result ends in '\n'. Newlines within a record of CSV are shown as '$'; of a record of several lines the first is
  /// shown.
  std::string annotated(std::string_view record) const;

 private:
  /// What stands in a record, and is underlined.
  struct Part {
    Part() = default;
    Part(std::string_view whole, std::string_view part)
        : begin(static_cast<std::size_t>(part.data() - whole.data())), end(begin + part.size()) {}

    std::size_t begin = 0;
    std::size_t end = 0;
  };

  /// What each key reads.
  std::vector<Part> in_fields(std::string_view line) const;
  std::vector<Part> in_values(std::string_view line) const;
  /// The part of a key's text that is read.
  std::string_view part_read(std::string_view text, const TextKey& key) const;
  /// How many bytes a key reads of `text`, which begins behind its blanks.
  std::size_t size_read(std::string_view text, const TextKey& key) const;

  TextOrder order_;
  TextLocale locale_;
  std::shared_ptr<const TimeZones> zones_;
};

}  // namespace sortie
