#include "pipeline/runs/run_store.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/seconds_since.hpp"
#include "pipeline/plan/memory_plan.hpp"
#include "pipeline/runs/run_location.hpp"
#include "pipeline/scan/repeat_filter.hpp"

namespace sortie {
namespace {

std::uint64_t index_bytes(const Run& run) {
  std::uint64_t bytes = 0;
  for (const BlockInfo& block : run.blocks) bytes += index_entry_bytes(block.first_key.capacity());
  return bytes;
}

std::unique_ptr<RunLocation> choose_position(ScratchSpace& scratch, const RunStoreOptions& options,
                                             const std::shared_ptr<StoreUsage>& usage, Observer& observer,
                                             MemoryPinner pin) {
  if (options.checkpoint != nullptr) return std::make_unique<KeptRuns>(options, usage, observer);
  return std::make_unique<ScratchRuns>(scratch, options, usage, observer, std::move(pin));
}

/// See RunWriterOptions.
std::function<std::uint64_t(std::span<const std::byte>)> output_bytes_of(const RecordCodec& codec,
                                                                         const RunStoreOptions& options) {
  if (!options.stores_output_bytes) return {};
  return [&codec](std::span<const std::byte> records) { return codec.original_bytes_of_all(records); };
}

}  // namespace

RunSink::RunSink(const RecordCodec& codec, const RunStoreOptions& options, CompressionPolicy& policy,
                 Observer& observer, RunLocation::Room room)
    : sizes_{options.block_bytes, options.most_block_bytes, options.index_step_bytes},
      policy_(policy),
      observer_(observer),
      filter_(make_repeat_filter(codec, options.repeats, options.verify)),
      usage_(std::move(room.usage)),
      pinned_memory_(filter_ ? std::span<std::byte>() : room.pinned),
      in_file_(room.storage->in_file()),
      writer_(codec.order(), room.identity, std::move(room.storage),
              RunWriterOptions{options.block_bytes, BlockCodec::kRaw, 1, output_bytes_of(codec, options),
                               options.options_hash}) {}

void RunSink::append(std::span<std::byte> part) {
  if (filter_) {
    const auto span = observer_.span(filter_->work(), part.size());
    part = filter_->apply(part);
  }
  if (part.empty()) return;
  fit_blocks();
  if (!in_file_) {
    const auto span = observer_.span("keep run", part.size());
    writer_.append(part);
    return;
  }
  const CompressionPolicy::Choice choice = policy_.next();
  const auto span = observer_.span(choice.codec == BlockCodec::kRaw ? "keep run" : "compress run", part.size());
  const double write_before = usage_->write_seconds();
  const std::uint64_t stored_before = writer_.stored_bytes();
  const auto begin = std::chrono::steady_clock::now();
  writer_.set_codec(choice.codec, choice.zstd_level);
  writer_.append(part);
  const double elapsed = seconds_since(begin);
  const double writing = std::min(elapsed, usage_->write_seconds() - write_before);
  policy_.record(choice, part.size(), writer_.stored_bytes() - stored_before, elapsed - writing, writing);
  if (choice.needs_trial) try_compression(part, choice.zstd_level);
}

// A run may be of any length.
void RunSink::fit_blocks() {
  writer_.set_block_bytes(grown_block_bytes(sizes_, usage_->index_of_runs() + writer_.index_bytes()));
}

void RunSink::try_compression(std::span<const std::byte> part, int zstd_level) {
  auto span = observer_.span("try compression");
  const auto begin = std::chrono::steady_clock::now();
  const RunWriter::Trial trial = writer_.try_codec(part, BlockCodec::kDeltaShuffleZstd, zstd_level);
  const double elapsed = seconds_since(begin);
  span.set_bytes(trial.record_bytes);
  policy_.record_trial(trial.record_bytes, trial.encoded_bytes, elapsed);
}

Run RunSink::finish() {
  Run run = writer_.finish();
  run.blocks.shrink_to_fit();
  if (in_file_) run.stored_bytes = usage_->stored_bytes();  // a program may have compressed it
  usage_->hold_index(index_bytes(run));
  run.meter = usage_;
  return run;
}

RunStore::RunStore(const RecordCodec& codec, ScratchSpace& scratch, std::unique_ptr<CompressionPolicy> policy,
                   const Options& options, Observer& observer, MemoryPinner pin)
    : codec_(codec),
      policy_(std::move(policy)),
      options_(options),
      pins_(static_cast<bool>(pin)),
      observer_(observer),
      usage_(std::make_shared<StoreUsage>()),
      location_(choose_position(scratch, options, usage_, observer, std::move(pin))) {}

std::unique_ptr<RunSink> RunStore::begin_run(std::uint64_t bytes) {
  return std::make_unique<RunSink>(codec_, options_, *policy_, observer_, location_->make_room(bytes));
}

}  // namespace sortie
