// The lines of the only input where they lie: mapped, not copied. Decorated lines refer to them until they are written.
// Made by reference_input.cpp, kept by JobInputs.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <sortie/format.hpp>

#include "base/memory_region.hpp"
#include "observe/observer.hpp"
#include "pipeline/input/input_sequence.hpp"
#include "pipeline/input/undecorated_lines.hpp"
#include "record/layout.hpp"
#include "record/record_totals.hpp"

namespace sortie {

class MappedLines final : public UndecoratedLines {
 public:
  /// Null if the input cannot be mapped. Precondition: inputs.size_of_only(), not CSV. The references must outlive the
  /// result. Throws Error if length-prefixed records are damaged.
  static std::unique_ptr<MappedLines> make(InputSequence& inputs, const Format& format, bool checksum,
                                           Observer& observer);

  /// All whole lines. They belong to this object.
  std::span<const std::byte> all() const { return lines_; }

  /// Some lines from all over the input: lines may differ from one end to the other, or be in order.
  std::vector<std::byte> sample() const;

  /// A batch of lines after those given before, at least one line. They lie in memory that no thread may have seen yet,
  /// so that whoever decorates them counts them.
  Portion next(std::size_t batch_bytes, std::size_t piece_bytes) override;
  bool at_end() const override { return given_bytes_ == lines_.size(); }
  bool may_wait() const override { return false; }
  std::string position() const override { return inputs_.position_in_only(given_bytes_); }
  LinePlace place_of(const std::byte* line) const override;
  bool are_counted() const override { return false; }
  bool want_checksum() const override { return checksum_; }
  void count(const RecordTotals& lines) override;
  RecordTotals totals_of(std::span<const std::byte> lines) const override;

  /// Totals of all lines that were counted.
  const RecordTotals& totals() const { return totals_; }

  /// Throws Error if the input is damaged: see InputMapping.
  void check() { mapping_->check(); }

  /// Lets the input be read from its beginning, as if it had not been mapped. Precondition: no line was given.
  void undo();

 private:
  std::size_t next_bytes(std::size_t batch_bytes);
  std::span<const std::byte> walked_at(std::uint64_t offset, std::size_t bytes) const;

  MappedLines(InputSequence& inputs, const Format& format, bool checksum, Observer& observer, MemoryRegion memory,
              InputSequence::Mapped mapped);

  InputSequence& inputs_;
  Format format_;
  Layout layout_;
  bool checksum_;
  Observer& observer_;
  MemoryRegion memory_;  // its pages are those of the input
  std::unique_ptr<InputMapping> mapping_;
  std::span<const std::byte> lines_;
  std::size_t given_bytes_ = 0;
  std::vector<std::span<const std::byte>> walked_;  // the records in ranges, if layout_.walked()
  std::size_t next_walked_ = 0;
  RecordTotals totals_;
};

}  // namespace sortie
