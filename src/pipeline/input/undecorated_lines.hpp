// Where lines come from that are decorated: copied into memory of their own (CopiedLines), or where they lie in the
// mapped input (MappedLines). Asked by KeyedReader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/memory_region.hpp"
#include "pipeline/input/input_places.hpp"
#include "pipeline/input/piece_source.hpp"
#include "pipeline/input/record_reader.hpp"
#include "pipeline/input/refused_line.hpp"
#include "pipeline/plan/memory_plan.hpp"
#include "record/record_totals.hpp"

namespace sortie {

class UndecoratedLines {
 public:
  virtual ~UndecoratedLines() = default;

  struct Portion {
    PieceSource::Status status = PieceSource::Status::kEnd;
    std::span<const std::byte> bytes;         ///< whole lines, until the next call
    std::optional<std::uint64_t> place = {};  ///< of the first line, if it does not follow that of the line before
  };

  /// The next lines. `batch_bytes`: how many are decorated at a time. `piece_bytes`: memory that takes them then; a
  /// line for which that is too small may be left for later.
  virtual Portion next(std::size_t batch_bytes, std::size_t piece_bytes) = 0;

  /// See PieceSource.
  virtual bool at_end() const = 0;
  virtual bool may_wait() const = 0;
  virtual std::string position() const = 0;
  /// Where a line is that next() gave last.
  virtual LinePlace place_of(const std::byte* line) const = 0;

  /// Whether next() has counted the lines that it gives. If not, who decorates them counts them in the same pass, and
  /// says so.
  virtual bool are_counted() const = 0;
  virtual bool want_checksum() const { return false; }
  virtual void count(const RecordTotals&) {}

  /// Memory that lines are copied to, and giving it back: then none that next() gave is there any more.
  virtual std::uint64_t held_bytes() const { return 0; }
  virtual void give_back() {}

  /// Totals of lines that next() gave, with a checksum if all totals of the source have one.
  virtual RecordTotals totals_of(std::span<const std::byte> lines) const = 0;
};

class CopiedLines final : public UndecoratedLines {
 public:
  /// Memory for lines is a share of the budget, and grows for a longer line. `places`: where lines get places that tell
  /// from which input they are, whose pieces must end with inputs then. `reader` must outlive this.
  CopiedLines(RecordReader& reader, const DecorationBudget& budget, std::optional<InputPlaces> places = {})
      : reader_(reader), budget_(budget), places_(places) {}

  Portion next(std::size_t batch_bytes, std::size_t piece_bytes) override;
  bool at_end() const override { return reader_.at_end(); }
  bool may_wait() const override { return reader_.may_wait(); }
  std::string position() const override { return reader_.position(); }
  LinePlace place_of(const std::byte* line) const override {
    return reader_.place_behind(memory_.bytes().first(static_cast<std::size_t>(line - memory_.bytes().data())));
  }
  bool are_counted() const override { return true; }
  std::uint64_t held_bytes() const override { return memory_.size(); }
  void give_back() override { memory_ = MemoryRegion(); }
  RecordTotals totals_of(std::span<const std::byte> lines) const override { return reader_.totals_of_records(lines); }

 private:
  RecordReader& reader_;
  DecorationBudget budget_;
  std::optional<InputPlaces> places_;
  MemoryRegion memory_;
};

}  // namespace sortie
