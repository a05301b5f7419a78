#include "pipeline/runs/scratch_runs.hpp"

#include <algorithm>
#include <utility>

#include "run/memory_run_storage.hpp"
#include "run/program_run_storage.hpp"
#include "run/run_format.hpp"

namespace sortie {

ScratchRuns::ScratchRuns(ScratchSpace& scratch, Options options, std::shared_ptr<StoreUsage> usage, Observer& observer,
                         MemoryPinner pin)
    : scratch_(scratch),
      options_(std::move(options)),
      usage_(std::move(usage)),
      observer_(observer),
      pin_(std::move(pin)),
      job_id_(random_job_id()) {
  options_.most_files = std::max<std::uint64_t>(options_.most_files, scratch.directories().size());
}

void ScratchRuns::expect(std::uint64_t bytes) {
  if (!pin_ || bytes >= options_.expected_bytes) return;
  const std::scoped_lock lock(usage_->mutex);
  prepare_next(bytes);
}

RunPlace::Room ScratchRuns::make_room(std::uint64_t bytes) {
  std::unique_ptr<RunMemory> memory = take_memory(bytes);
  Room room;
  room.identity = {job_id_, next_run_++};
  room.usage = std::make_shared<RunUsage>(usage_, observer_, memory ? memory->size() : 0);
  if (memory) {
    auto storage = std::make_shared<MemoryRunStorage>(std::move(memory));
    room.home = storage->pinned_memory();
    room.storage = std::move(storage);
    return room;
  }
  room.storage = std::make_shared<FileRunStorage>(next_file(), room.usage);
  if (options_.program) room.storage = std::make_shared<ProgramRunStorage>(*options_.program, std::move(room.storage));
  return room;
}

// Null if the budget is used up. Memory that is taken counts as reserved, and so does memory that is prepared.
std::unique_ptr<RunMemory> ScratchRuns::take_memory(std::uint64_t bytes) {
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
void ScratchRuns::prepare_next(std::uint64_t bytes) {
  bytes = std::min(bytes, options_.expected_bytes - std::min(options_.expected_bytes, begun_bytes_));
  if (bytes == 0 || !memory_fits(bytes)) return;
  next_memory_ = std::make_unique<RunMemory>(static_cast<std::size_t>(bytes), pin_);
  usage_->memory_reserved += bytes;
}

bool ScratchRuns::memory_fits(std::uint64_t bytes) const {
  return bytes <= options_.memory_bytes - std::min(options_.memory_bytes, usage_->memory_reserved);
}

// A new file, or the existing one that holds the least.
std::shared_ptr<ScratchFile> ScratchRuns::next_file() {
  const std::scoped_lock lock(files_mutex_);
  std::erase_if(files_, [](const auto& file) { return file.expired(); });
  std::shared_ptr<ScratchFile> least;
  if (files_.size() >= options_.most_files) {
    for (const auto& open : files_) {
      std::shared_ptr<ScratchFile> file = open.lock();
      if (file && (!least || file->used_bytes() < least->used_bytes())) least = std::move(file);
    }
  }
  if (least) return least;
  auto file = std::make_shared<ScratchFile>(scratch_.create());
  files_.push_back(file);
  return file;
}

}  // namespace sortie
