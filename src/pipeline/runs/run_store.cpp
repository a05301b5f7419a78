#include "pipeline/runs/run_store.hpp"

#include <algorithm>
#include <chrono>
#include <random>
#include <utility>

#include "pipeline/runs/metered_storage.hpp"
#include "run/file_run_storage.hpp"
#include "run/memory_run_storage.hpp"
#include "run/program_run_storage.hpp"

namespace sortie {
namespace {

std::uint64_t random_job_id() {
  std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 32) | device();
}

std::uint64_t index_bytes(const Run& run) {
  constexpr std::uint64_t kAllocationBytes = 16;
  std::uint64_t bytes = 0;
  for (const BlockInfo& block : run.blocks) bytes += sizeof block + kAllocationBytes + block.first_key.capacity();
  return bytes;
}

std::shared_ptr<RunStorage> through_program(const std::optional<std::string>& program,
                                            std::shared_ptr<MeteredStorage> storage) {
  if (!program || storage->in_memory()) return storage;
  return std::make_shared<ProgramRunStorage>(*program, std::move(storage));
}

}  // namespace

RunSink::RunSink(const Format& format, const RecordOrder& order, const RunStoreOptions& options,
                 CompressionPolicy& policy, Observer& observer, RunIdentity identity,
                 std::shared_ptr<MeteredStorage> storage)
    : unique_(options.unique),
      policy_(policy),
      observer_(observer),
      filter_(format, order, options.verify, options.decorator),
      storage_(std::move(storage)),
      writer_(order, identity, through_program(options.program, storage_),
              RunWriterOptions{options.block_bytes, BlockCodec::kRaw, 1}) {}

std::span<std::byte> RunSink::home() const { return unique_ ? std::span<std::byte>() : storage_->pinned_memory(); }

bool RunSink::in_memory() const { return storage_->in_memory(); }

void RunSink::append(std::span<std::byte> part) {
  if (unique_) {
    const auto span = observer_.span("drop duplicates", part.size());
    part = filter_.apply(part);
  }
  if (part.empty()) return;
  if (storage_->in_memory()) {
    const auto span = observer_.span("keep run", part.size());
    writer_.append(part);
    return;
  }
  const CompressionPolicy::Choice choice = policy_.next();
  const auto span = observer_.span(choice.codec == BlockCodec::kRaw ? "keep run" : "compress run", part.size());
  const double write_before = storage_->write_seconds();
  const std::uint64_t stored_before = writer_.stored_bytes();
  const auto begin = std::chrono::steady_clock::now();
  writer_.set_codec(choice.codec, choice.zstd_level);
  writer_.append(part);
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const double writing = std::min(elapsed, storage_->write_seconds() - write_before);
  policy_.record(choice, part.size(), writer_.stored_bytes() - stored_before, elapsed - writing, writing);
  if (choice.needs_trial) try_compression(part, choice.zstd_level);
}

void RunSink::try_compression(std::span<const std::byte> part, int zstd_level) {
  auto span = observer_.span("try compression");
  const auto begin = std::chrono::steady_clock::now();
  const RunWriter::Trial trial = writer_.try_codec(part, BlockCodec::kDeltaShuffleZstd, zstd_level);
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  span.set_bytes(trial.record_bytes);
  policy_.record_trial(trial.record_bytes, trial.encoded_bytes, elapsed);
}

Run RunSink::finish() {
  Run run = writer_.finish();
  run.blocks.shrink_to_fit();
  if (run.storage != storage_) run.stored_bytes = storage_->stored_bytes();
  storage_->hold_index(index_bytes(run));
  return run;
}

RunStore::RunStore(const Format& format, const RecordOrder& order, ScratchSpace& scratch, CompressionPolicy& policy,
                   const Options& options, Observer& observer, MemoryPinner pin)
    : format_(format),
      order_(order),
      files_(scratch, options.most_files),
      open_files_(std::make_shared<OpenRunFiles>(options.most_files)),
      policy_(policy),
      options_(options),
      observer_(observer),
      pin_(std::move(pin)),
      usage_(std::make_shared<RunStoreUsage>()),
      job_id_(random_job_id()) {}

void RunStore::expect_run(std::uint64_t bytes) {
  if (!pin_ || bytes >= options_.expected_bytes) return;
  const std::scoped_lock lock(usage_->mutex);
  prepare_next(bytes);
}

std::unique_ptr<RunSink> RunStore::begin_run(std::uint64_t bytes) {
  if (options_.checkpoint != nullptr) return begin_kept_run();
  return std::make_unique<RunSink>(format_, order_, with_block_size(options_), policy_, observer_,
                                   RunIdentity{job_id_, next_run_++}, make_storage(bytes));
}

std::unique_ptr<RunSink> RunStore::begin_kept_run() {
  Checkpoint::NewRun run = options_.checkpoint->create_run();
  auto storage =
      std::make_unique<KeptRunStorage>(std::move(run.file), options_.checkpoint->source_of(run.identity), open_files_);
  return std::make_unique<RunSink>(format_, order_, with_block_size(options_), policy_, observer_, run.identity,
                                   meter(std::move(storage)));
}

RunFile RunStore::take_over(const RunIdentity& identity, std::uint64_t file_bytes) {
  auto storage = meter(std::make_unique<KeptRunStorage>(options_.checkpoint->source_of(identity), open_files_));
  storage->count_stored(file_bytes);
  return open_stored_run(std::move(storage), file_bytes);
}

std::shared_ptr<MeteredStorage> RunStore::meter(std::unique_ptr<RunStorage> storage) {
  return std::make_shared<MeteredStorage>(std::move(storage), usage_, 0, observer_);
}

// The more blocks there are, the larger are those of the next run, because the index of all blocks stays in memory.
RunStore::Options RunStore::with_block_size(Options options) const {
  if (options.most_block_bytes <= options.block_bytes) return options;
  const std::scoped_lock lock(usage_->mutex);
  for (std::uint64_t held = options.index_bytes; held < usage_->index_bytes; held += options.index_bytes) {
    options.block_bytes = std::min(2 * options.block_bytes, options.most_block_bytes);
    if (options.block_bytes == options.most_block_bytes) break;
  }
  return options;
}

std::shared_ptr<MeteredStorage> RunStore::make_storage(std::uint64_t bytes) {
  std::unique_ptr<RunMemory> memory = take_memory(bytes);
  if (!memory) {
    return meter(std::make_unique<FileRunStorage>(files_.next()));
  }
  const std::uint64_t reserved_bytes = memory->size();
  return std::make_shared<MeteredStorage>(std::make_unique<MemoryRunStorage>(std::move(memory)), usage_, reserved_bytes,
                                          observer_);
}

// Null if the budget is used up. Memory that is taken counts as reserved, and so does memory that is prepared.
std::unique_ptr<RunMemory> RunStore::take_memory(std::uint64_t bytes) {
  const std::scoped_lock lock(usage_->mutex);
  begun_bytes_ += std::min(bytes, ~begun_bytes_);
  std::unique_ptr<RunMemory> memory = std::move(next_memory_);
  if (memory && memory->size() < bytes) {
    usage_->memory_reserved -= memory->size();
    memory.reset();
  }
  if (!memory && memory_fits(bytes)) {
    memory = std::make_unique<RunMemory>(static_cast<std::size_t>(bytes), pin_);
    usage_->memory_reserved += bytes;
  }
  if (memory && pin_) prepare_next(bytes);
  return memory;
}

// Runs are mostly of the same length: while one is stored, the memory of the next is touched and pinned. Not for pipes,
// which are slow and whose length is unknown.
void RunStore::prepare_next(std::uint64_t bytes) {
  bytes = std::min(bytes, options_.expected_bytes - std::min(options_.expected_bytes, begun_bytes_));
  if (bytes == 0 || !memory_fits(bytes)) return;
  next_memory_ = std::make_unique<RunMemory>(static_cast<std::size_t>(bytes), pin_);
  usage_->memory_reserved += bytes;
}

bool RunStore::memory_fits(std::uint64_t bytes) const {
  return bytes <= options_.memory_bytes - std::min(options_.memory_bytes, usage_->memory_reserved);
}

std::uint64_t RunStore::scratch_peak_bytes() const {
  const std::scoped_lock lock(usage_->mutex);
  return usage_->scratch_peak_bytes;
}

}  // namespace sortie
