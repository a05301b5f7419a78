#include "pipeline/input/presorted_input.hpp"

#include <utility>
#include <vector>

namespace sortie {
namespace {

std::vector<std::unique_ptr<DeferredInput>> one(std::unique_ptr<DeferredInput> input) {
  std::vector<std::unique_ptr<DeferredInput>> inputs;
  inputs.push_back(std::move(input));
  return inputs;
}

}  // namespace

PresortedInput::PresortedInput(const InputOpener& opener, std::unique_ptr<DeferredInput> input, const Options& options,
                               InputTally& tally, Observer& observer)
    : reader_(InputSequence(opener, one(std::move(input)), options.format, Waiting::kUntilRecordThere, observer),
              options.format, options.checksum, observer),
      keyed_(decorate_records(reader_, options.codec, options.decoration, observer, options.first_place)),
      source_(keyed_ ? static_cast<PieceSource*>(keyed_.get()) : &reader_),
      tally_(tally) {}

PieceSource::Piece PresortedInput::read(std::span<std::byte> target, std::uint64_t max_records) {
  const RecordTotals before = reader_.totals();
  const Piece piece = source_->read(target, max_records);
  tally_.totals += reader_.totals() - before;
  if (before.records == 0 && reader_.totals().records > 0) ++tally_.inputs;
  return piece;
}

}  // namespace sortie
