// One input of --merge as a source of records, decorated if the order needs it. It is opened when its turn comes and
// closed after its last record. Made by the merge of inputs.
#pragma once

#include <cstdint>
#include <memory>

#include "observe/observer.hpp"
#include "pipeline/input/deferred_input.hpp"
#include "pipeline/input/input_opener.hpp"
#include "pipeline/input/keyed_reader.hpp"
#include "pipeline/input/merge_source.hpp"
#include "pipeline/input/record_reader.hpp"
#include "record/text/record_codec.hpp"

namespace sortie {

/// Totals over all inputs.
struct InputTally {
  RecordTotals totals;
  std::uint64_t inputs = 0;  ///< inputs with at least one record
};

class PresortedInput final : public MergeSource {
 public:
  struct Options {
    Format format;  ///< the input's own
    bool checksum = true;
    const RecordCodec& codec;
    DecorationBudget decoration;
    std::uint64_t first_place = 0;  ///< place of its first record, after all places of earlier inputs
  };

  /// `input`: opened by `opener`. All references must outlive this.
  PresortedInput(const InputOpener& opener, std::unique_ptr<DeferredInput> input, const Options& options,
                 InputTally& tally, Observer& observer);

  std::uint64_t header_bytes() const { return reader_.header_bytes(); }
  std::uint64_t header_records() const { return reader_.header_records(); }

  Piece read(std::span<std::byte> target, std::uint64_t max_records) override;
  bool at_end() const override { return source_->at_end(); }
  bool may_wait() const override { return source_->may_wait(); }
  std::string position() const override { return source_->position(); }
  std::uint64_t held_bytes() const override { return reader_.held_bytes() + (keyed_ ? keyed_->held_bytes() : 0); }
  void give_back() override {
    if (keyed_) keyed_->give_back();
  }

 private:
  RecordReader reader_;
  std::unique_ptr<KeyedReader> keyed_;
  PieceSource* source_;  // one of the two above
  InputTally& tally_;
};

}  // namespace sortie
