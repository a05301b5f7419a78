// The list of records that were dropped because others have their keys (SortOptions::dropped_path). The finisher of
// groups fills it; SortJob puts it in its place. src/cli/TRAINING.md has its form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sortie/record_stream.hpp>

#include "io/files/scratch.hpp"
#include "io/output/output.hpp"
#include "pipeline/input/input_positions.hpp"

namespace sortie {

/// Places of records in the inputs: positions that InputPositions makes of an input and a number, counted from 0.
class DroppedReport {
 public:
  /// `inputs`: their names. `header_records`: at the beginning of each, which numbers count. `places`: tells the places
  /// of a source's records; may be null. `scratch` must outlive this.
  DroppedReport(std::unique_ptr<Output> output, const std::vector<std::string>& inputs, std::uint64_t header_records,
                SourcePlaces places, ScratchSpace& scratch);

  /// The records of the group that is open, in their order. There may be any number of them.
  void add_members(std::span<const std::uint64_t> places);
  /// Closes that group: all of its records but `kept` are dropped for it.
  void close_group(std::uint64_t kept);
  /// The same for a group of which all is known.
  void add_group(std::span<const std::uint64_t> places, std::uint64_t kept);

  /// Puts the list in its place.
  void finish();

 private:
  void add_row(std::uint64_t dropped, std::uint64_t kept);
  void append_place(std::uint64_t place);
  void append_fields(std::string_view file, std::uint64_t number);
  void spill();

  std::unique_ptr<Output> output_;
  std::vector<std::string> names_;
  std::uint64_t header_records_;
  InputPositions positions_;
  SourcePlaces source_places_;
  ScratchSpace& scratch_;
  std::string text_;
  std::vector<std::uint64_t> open_;  // members of the open group, behind those in the file
  std::unique_ptr<File> file_;       // null as long as no group was so large
  std::uint64_t stored_ = 0;         // members in it
};

}  // namespace sortie
