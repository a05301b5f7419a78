// One input of --merge as a source of records, decorated where they are sorted that way. Opened when its turn comes,
// closed with its last record. Made by the merge of inputs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "observe/observer.hpp"
#include "pipeline/input/decorating_reader.hpp"
#include "pipeline/input/input_opener.hpp"
#include "pipeline/input/record_reader.hpp"
#include "record/text/line_decorator.hpp"

namespace sortie {

/// What came of all inputs.
struct InputTally {
  RecordTotals totals;
  std::uint64_t inputs = 0;  ///< with at least one record
};

class PresortedInput final : public PieceSource {
 public:
  struct Options {
    Format format;  ///< of the input
    bool checksum = true;
    const LineDecorator* decorator = nullptr;  ///< of lines that are decorated
    DecorationBudget decoration;
    std::uint64_t first_place = 0;  ///< of its first record, behind those of the inputs before
  };

  /// All references must outlive this. Throws Error if the input cannot be opened.
  PresortedInput(InputOpener& opener, const std::string& path, const Options& options, InputTally& tally,
                 Observer& observer);

  std::uint64_t header_bytes() const { return reader_.header_bytes(); }

  Piece read(std::span<std::byte> target, std::uint64_t max_records) override;
  bool at_end() const override { return source_->at_end(); }
  bool may_wait() const override { return source_->may_wait(); }
  std::string position() const override { return source_->position(); }

 private:
  RecordReader reader_;
  std::unique_ptr<PieceSource> decorating_;
  PieceSource* source_;  // one of the two
  InputTally& tally_;
};

}  // namespace sortie
