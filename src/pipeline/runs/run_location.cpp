#include "pipeline/runs/run_location.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <sortie/error.hpp>

#include "base/random_bits.hpp"
#include "pipeline/checkpoint/manifest.hpp"
#include "run/memory_run_storage.hpp"
#include "run/program_run_storage.hpp"
#include "run/run_file.hpp"
#include "run/run_format.hpp"

namespace sortie {
namespace {

/// So many threads make the pages of a run's file ready while others form the run before. 16 threads sort 10 GB of
/// lines at -S 2G in 3.08 s for it, in 3.19 with eight.
constexpr std::size_t kPreparers = 3;

void require_size(const KeptRunSource& source, std::uint64_t file_bytes) {
  const std::unique_ptr<File> file = source.open();
  if (!file) throw Error("its file is missing");
  if (file->size() != file_bytes) throw Error("its file has another size");
}

}  // namespace

RunUsage::RunUsage(std::shared_ptr<StoreUsage> store, Observer& observer, std::uint64_t memory_reserved)
    : store_(std::move(store)), observer_(observer), memory_reserved_(memory_reserved) {}

RunUsage::~RunUsage() {
  const std::scoped_lock lock(store_->mutex);
  store_->memory_reserved -= memory_reserved_;
  if (scratch_bytes_ != 0) observer_.set_scratch_bytes(store_->scratch_bytes -= scratch_bytes_);
  store_->index_bytes -= index_bytes_;
}

void RunUsage::hold_index(std::uint64_t bytes) {
  const std::scoped_lock lock(store_->mutex);
  index_bytes_ = bytes;
  store_->index_bytes += bytes;
}

std::uint64_t RunUsage::index_of_runs() const {
  const std::scoped_lock lock(store_->mutex);
  return store_->index_bytes;
}

void RunUsage::grow(std::uint64_t bytes) {
  const std::scoped_lock lock(store_->mutex);
  scratch_bytes_ += bytes;
  store_->scratch_bytes += bytes;
  observer_.set_scratch_bytes(store_->scratch_bytes);
}

void RunUsage::shrink(std::uint64_t bytes) noexcept {
  const std::scoped_lock lock(store_->mutex);
  const std::uint64_t freed = std::min(bytes, scratch_bytes_);
  scratch_bytes_ -= freed;
  store_->scratch_bytes -= freed;
  observer_.set_scratch_bytes(store_->scratch_bytes);
}

std::uint64_t RunUsage::stored_bytes() const {
  const std::scoped_lock lock(store_->mutex);
  return scratch_bytes_;
}

class RunUsage::WriteInProgress {
 public:
  explicit WriteInProgress(RunUsage& usage) : usage_(usage) {
    const std::scoped_lock lock(usage_.writes_mutex_);
    if (usage_.writes_++ == 0) usage_.first_write_ = std::chrono::steady_clock::now();
  }
  ~WriteInProgress() {
    const std::scoped_lock lock(usage_.writes_mutex_);
    if (--usage_.writes_ == 0) usage_.write_time_ += std::chrono::steady_clock::now() - usage_.first_write_;
  }
  WriteInProgress(const WriteInProgress&) = delete;
  WriteInProgress& operator=(const WriteInProgress&) = delete;

 private:
  RunUsage& usage_;
};

void RunUsage::time(Transfer kind, std::uint64_t bytes, const std::function<void()>& transfer) {
  if (kind == Transfer::kWrite) {
    const auto span = observer_.span("write run", bytes);
    const WriteInProgress in_progress(*this);
    transfer();
  } else {
    const auto span = observer_.span(kind == Transfer::kRead ? "read run" : "sync run", bytes);
    transfer();
  }
}

double RunUsage::write_seconds() const {
  const std::scoped_lock lock(writes_mutex_);
  return std::chrono::duration<double>(write_time_).count();
}

RunLocation::Room KeptRuns::make_room(std::uint64_t) {
  Checkpoint::NewRun run = checkpoint_.create_run();
  if (around_cache_) run.file->write_around_cache();
  auto usage = std::make_shared<RunUsage>(usage_, observer_);
  auto storage =
      std::make_shared<KeptRunStorage>(std::move(run.file), checkpoint_.source_of(run.identity), open_files_, usage);
  return {run.identity, std::move(storage), std::move(usage), {}};
}

Run KeptRuns::open_run(const KeptRun& kept, const RecordOrder& order) {
  const RunIdentity identity = checkpoint_.identity_of(kept.number);
  const KeptRunSource source = checkpoint_.source_of(identity);
  require_size(source, kept.file_bytes);
  auto usage = std::make_shared<RunUsage>(usage_, observer_);
  usage->grow(kept.file_bytes);
  RunFile found = open_stored_run(std::make_shared<KeptRunStorage>(source, open_files_, usage), kept.file_bytes);
  const bool is_the_one =
      found.header == make_run_header(order, identity) && found.index_checksum == kept.index_checksum;
  if (!is_the_one) throw Error("its file is another run");
  found.run.meter = std::move(usage);
  return std::move(found.run);
}

TakenRuns KeptRuns::take_over(const RecordOrder& order) {
  TakenRuns taken;
  std::uint64_t records = 0;
  for (const KeptRun& kept : checkpoint_.runs()) {
    try {
      taken.runs.push_back(open_run(kept, order));
    } catch (const FileError&) {
      throw;  // the system refuses something: the runs may well be intact
    } catch (const Error& error) {
      refuse_damaged(checkpoint_.location(), "run " + std::to_string(kept.number) + ": " + error.what());
    }
    taken.dropped += kept.dropped;
    records += taken.runs.back().record_count + kept.dropped.records;
  }
  if (records != checkpoint_.end().totals.records) {
    refuse_damaged(checkpoint_.location(), "its runs do not hold as many records as they were made of");
  }
  return taken;
}

ScratchRuns::ScratchRuns(ScratchSpace& scratch, const RunStoreOptions& options, std::shared_ptr<StoreUsage> usage,
                         Observer& observer, MemoryPinner pin)
    : scratch_(scratch),
      options_(options),
      usage_(std::move(usage)),
      observer_(observer),
      pin_(std::move(pin)),
      job_id_(random_bits()) {
  options_.most_files = std::max<std::uint64_t>(options_.most_files, scratch.directories().size());
}

void ScratchRuns::expect(std::uint64_t bytes) {
  if (!pin_ || bytes >= options_.expected_bytes) return;
  const std::scoped_lock lock(usage_->mutex);
  prepare_next(bytes);
}

// How many runs there would be was an estimate. Memory that is prepared counts as reserved, and stays.
void ScratchRuns::expect_no_more() {
  {
    const std::scoped_lock lock(usage_->mutex);
    options_.expected_bytes = 0;
  }
  const std::scoped_lock lock(files_mutex_);
  ready_file_.reset();
}

RunLocation::Room ScratchRuns::make_room(std::uint64_t bytes) {
  std::unique_ptr<RunMemory> memory = take_memory(bytes);
  Room room;
  room.identity = {job_id_, next_run_++};
  room.usage = std::make_shared<RunUsage>(usage_, observer_, memory ? memory->size() : 0);
  if (memory) {
    auto storage = std::make_shared<MemoryRunStorage>(std::move(memory));
    room.pinned = storage->pinned_memory();
    room.storage = std::move(storage);
    return room;
  }
  NewFile target = next_file(bytes);
  room.storage = std::make_shared<FileRunStorage>(std::move(target.file), room.usage, std::move(target.writer));
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

// A new file, or the existing one that holds the least, of those that no run has for itself. While a run is written,
// the space of the next one's file is prepared.
ScratchRuns::NewFile ScratchRuns::next_file(std::uint64_t bytes) {
  const std::uint64_t next_bytes = std::min(bytes, bytes_to_come());
  const std::scoped_lock lock(files_mutex_);
  std::erase_if(files_, [](const auto& file) { return file.expired(); });
  std::shared_ptr<ScratchFile> least;
  if (!ready_file_ && files_.size() >= options_.most_files) {
    for (const auto& open : files_) {
      std::shared_ptr<ScratchFile> file = open.lock();
      if (!file || file->is_prepared()) continue;
      if (!least || file->used_bytes() < least->used_bytes()) least = std::move(file);
    }
  }
  if (least) return {std::move(least), nullptr};
  NewFile file = ready_file_ ? *std::exchange(ready_file_, std::nullopt) : make_file(bytes);
  if (file.writer && next_bytes > 0 && files_.size() < options_.most_files) prepare_next_file(next_bytes);
  return file;
}

// There may be no next run after all.
void ScratchRuns::prepare_next_file(std::uint64_t bytes) {
  try {
    ready_file_ = make_file(bytes);
  } catch (const Error&) {
  }
}

// The last file that may be open is not prepared: runs that find no other one share it.
ScratchRuns::NewFile ScratchRuns::make_file(std::uint64_t bytes) {
  NewFile made{std::make_shared<ScratchFile>(scratch_.create()), nullptr};
  files_.push_back(made.file);
  if (options_.around_cache) made.file->file().write_around_cache();
  if (!options_.prepares_files || files_.size() >= options_.most_files) return made;
  made.writer = std::make_unique<ParallelWriter>(made.file->file(), ParallelWriter::kLeastHugeBytes, kPreparers);
  try {
    made.writer->reserve(bytes + std::min<std::uint64_t>(kRunHeaderBytes, ~bytes));
  } catch (const Error&) {
    made.writer.reset();  // there may be room for what is really written
  }
  return made;
}

// The bytes of records whose runs have not begun; 0 if unknown.
std::uint64_t ScratchRuns::bytes_to_come() const {
  const std::scoped_lock lock(usage_->mutex);
  return options_.expected_bytes - std::min(options_.expected_bytes, begun_bytes_);
}

}  // namespace sortie
