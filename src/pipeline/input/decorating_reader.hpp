// Reads lines whose order is not that of their bytes, decorates them with all threads, and hands them out like a record
// reader. Stands between a record reader and run formation, --merge or --check.
//
//   record reader ──▶ | lines, as read      | ──▶ | batch, decorated in ranges | ──▶ piece
//                      '- done -''- rest --'
//
// Mapped lines are decorated where they lie, a batch at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/memory_region.hpp"
#include "observe/observer.hpp"
#include "pipeline/input/decorated_batch.hpp"
#include "pipeline/input/record_reader.hpp"
#include "pipeline/plan/memory_plan.hpp"
#include "record/text/line_decorator.hpp"

namespace sortie {

class DecoratingReader final : public PieceSource {
 public:
  /// `first_place`: the place of the first line. All references must outlive this.
  DecoratingReader(RecordReader& reader, const LineDecorator& decorator, const DecorationBudget& budget,
                   Observer& observer, std::uint64_t first_place = 0);

  Piece read(std::span<std::byte> target, std::uint64_t max_records) override;
  RecordTotals kept_back() const override;
  bool at_end() const override { return batch_.empty() && rest_.empty() && reader_.at_end(); }
  bool may_wait() const override { return reader_.may_wait(); }
  std::string position() const override;

 private:
  Status fill_batch(std::size_t piece_bytes);
  Status read_lines(std::size_t piece_bytes);
  std::size_t batch_bytes() const;

  RecordReader& reader_;
  Layout layout_;
  DecorationBudget budget_;
  Observer& observer_;
  MemoryRegion lines_;
  std::span<const std::byte> rest_;  // lines that are not decorated yet
  std::uint64_t rest_place_;         // place of the first of them
  std::string lines_position_;
  DecoratedBatch batch_;
};

/// A source of the decorated records of `reader`, the first of which has the place `first_place`; null if `decorator`
/// is null: then records are sorted as they are.
std::unique_ptr<PieceSource> decorate_records(RecordReader& reader, const LineDecorator* decorator,
                                              const DecorationBudget& budget, Observer& observer,
                                              std::uint64_t first_place);

}  // namespace sortie
