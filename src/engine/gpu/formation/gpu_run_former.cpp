#include "engine/gpu/formation/gpu_run_former.hpp"

#include <algorithm>
#include <cassert>
#include <exception>
#include <utility>

#include "base/release_memory.hpp"
#include "base/size.hpp"
#include "device/copy.hpp"
#include "device/device_info.hpp"
#include "engine/gpu/staging/staging_plan.hpp"

namespace sortie::gpu {
namespace {

/// The first piece of lines is sized for lines of this length, so that it suits the plan made from it.
constexpr std::uint64_t kShortLineBytes = 8;

/// A run of lines ends when less than this share of a piece can be taken.
constexpr std::uint64_t kLeastPieceShare = 4;

}  // namespace

GpuSortedRun::GpuSortedRun(std::shared_ptr<FormationState> formation, SlotPool::Slot slot, std::uint64_t record_count,
                           std::uint64_t byte_count, std::future<SortedSlot> sorted)
    : formation_(std::move(formation)),
      slot_(std::move(slot)),
      record_count_(record_count),
      byte_count_(byte_count),
      sorted_(std::move(sorted)) {}

GpuSortedRun::~GpuSortedRun() {
  if (sorted_.valid()) {
    sorted_.wait();
    try {
      formation_->sorted_events[slot_.number()].synchronize();
    } catch (const std::exception&) {
      // A run that is thrown away need not have been sorted; whoever uses the device next meets the failure.
    }
  }
}

void GpuSortedRun::drain_into(std::span<std::byte> target, const PartConsumer& consumer) {
  select_device(formation_->device);
  const SortedSlot sorted = sorted_.get();
  formation_->lane.drain(*formation_->sorter, formation_->space, sorted, formation_->sorted_events[slot_.number()],
                         target, consumer);
}

GpuRunFormer::GpuRunFormer(const Format& format, const EngineOptions& engine_options, Arena& arena,
                           const FormationBudget& budget)
    : traits_(traits_of(format, engine_options.algorithm)), arena_(arena), budget_(budget) {
  const StagingRequest staging{budget.host_bytes, arena.capacity_bytes(), budget.part_bytes, traits_.record_bytes};
  part_bytes_ = plan_part_bytes(staging);
  const PiecePlan pieces = plan_pieces(staging, most_piece_bytes());
  ring_.emplace(pieces.piece_bytes, pieces.piece_count, engine_options.threads);
  formation_ = std::make_shared<FormationState>(engine_options.device,
                                                make_record_sorter(format, traits_, engine_options.algorithm),
                                                part_bytes_, engine_options.threads, *engine_options.timeline);
  if (traits_.lines()) {
    first_piece_records_ = plan_formation(traits_, request_for(kMaxPlannedLineBytes)).piece_records;
  } else {
    formation_->open(arena_, traits_, plan_formation(traits_, request_for(0)));
  }
}

std::uint64_t GpuRunFormer::most_piece_bytes() const {
  if (!traits_.lines()) return plan_formation(traits_, request_for(0)).piece_records * traits_.record_bytes;
  FormationRequest request = request_for(kShortLineBytes);
  request.expected_bytes = 0;
  const std::uint64_t usual_slot_bytes = plan_formation(traits_, request).sizes.slot_bytes;
  // The first piece is offered before its lines are known: even the smallest slot must take it.
  request.line_bytes = 1;
  return std::min(usual_slot_bytes / 8, plan_formation(traits_, request).sizes.slot_bytes);
}

GpuRunFormer::~GpuRunFormer() { upload_stream_.settle(); }

FormationRequest GpuRunFormer::request_for(std::uint64_t line_bytes) const {
  FormationRequest request;
  request.budget_bytes = arena_.capacity_bytes();
  request.part_bytes = part_bytes_;
  request.expected_bytes = budget_.expected_bytes;
  request.line_bytes = line_bytes;
  request.min_slot_bytes = ring_ ? ring_->piece_bytes() : 0;
  return request;
}

void GpuRunFormer::open(std::uint64_t line_bytes) {
  if (!formation_->is_open()) formation_->open(arena_, traits_, plan_formation(traits_, request_for(line_bytes)));
}

void GpuRunFormer::enter_slot() {
  if (!slot_) slot_.emplace(formation_->slots->acquire());
}

std::span<std::byte> GpuRunFormer::next_piece() {
  select_device(formation_->device);
  large_piece_.clear();
  if (!formation_->is_open()) return ring_->acquire();
  enter_slot();
  const std::uint64_t room = formation_->plan.sizes.slot_bytes - landed_.bytes;
  if (traits_.lines()) {
    if (!has_room_for_lines()) return {};
    return ring_->acquire().first(static_cast<std::size_t>(std::min(room, ring_->piece_bytes())));
  }
  if (room == 0) return {};
  return ring_->acquire().first(static_cast<std::size_t>(std::min(room, ring_->piece_bytes())));
}

bool GpuRunFormer::has_room_for_lines() const {
  if (landed_.records == 0) return true;
  const DeviceSizes& sizes = formation_->plan.sizes;
  const std::uint64_t least_bytes = divide_up(ring_->piece_bytes(), kLeastPieceShare);
  const std::uint64_t least_records = divide_up(formation_->plan.piece_records, kLeastPieceShare);
  return sizes.slot_bytes - landed_.bytes >= least_bytes &&
         sizes.slot_records - landed_.records >= std::min(least_records, least_bytes);
}

std::uint64_t GpuRunFormer::max_piece_records() const {
  if (!traits_.lines()) return RunFormer::max_piece_records();
  if (!formation_->is_open()) return first_piece_records_;
  const FormationPlan& plan = formation_->plan;
  return std::min(plan.sizes.slot_records - landed_.records,
                  plan.max_chunk_records - (landed_.records - chunk_bounds_.back()));
}

std::uint64_t GpuRunFormer::run_bytes() const {
  if (!formation_->is_open() || formation_->plan.sizes.run_slots == 1) return 0;
  return formation_->plan.sizes.slot_bytes;
}

std::span<std::byte> GpuRunFormer::next_large_piece(std::size_t bytes) {
  select_device(formation_->device);
  large_piece_.clear();
  const std::uint64_t pinned_bytes = ring_->total_bytes() + formation_->lane.total_bytes();
  const std::uint64_t free_bytes = budget_.host_bytes - std::min(budget_.host_bytes, pinned_bytes);
  // The record is held once on its way in and once on its way out.
  if (!traits_.lines() || bytes > free_bytes / 2) return {};
  open(kMaxPlannedLineBytes);
  enter_slot();
  if (bytes > formation_->plan.sizes.slot_bytes - landed_.bytes || max_piece_records() == 0) return {};
  large_piece_.resize(bytes);
  return large_piece_;
}

void GpuRunFormer::commit_piece(std::size_t bytes, std::uint64_t record_count) {
  if (bytes == 0) return;
  select_device(formation_->device);
  open(planned_line_bytes(bytes, record_count));
  enter_slot();
  assert(record_count <= max_piece_records());
  assert(landed_.bytes + bytes <= formation_->plan.sizes.slot_bytes);
  upload(bytes);
  landed_.bytes += bytes;
  landed_.records += record_count;
  if (chunk_is_full()) end_chunk(false);
}

void GpuRunFormer::upload(std::size_t bytes) {
  std::byte* target = formation_->space.slots[slot_->number()].records + landed_.bytes;
  const TimedWork work(formation_->timeline, kUploadTrack, bytes, upload_stream_);
  if (large_piece_.empty()) {
    ring_->submit(target, bytes, upload_stream_);
    return;
  }
  copy_to_device(target, large_piece_.data(), bytes, upload_stream_);
  upload_stream_.synchronize();
  release_memory(large_piece_);
}

bool GpuRunFormer::chunk_is_full() const {
  return landed_.bytes - chunk_first_byte_ >= formation_->plan.chunk_bytes ||
         landed_.records - chunk_bounds_.back() >= formation_->plan.chunk_records;
}

/// Prepares all lines that have landed, because all must be found; other records only as they are sorted.
Extent GpuRunFormer::extent_to_prepare(std::uint64_t sort_end) const {
  const Progress end = traits_.lines() ? landed_ : Progress{sort_end, sort_end * traits_.record_bytes};
  return {prepared_.records, end.records - prepared_.records, prepared_.bytes, end.bytes - prepared_.bytes};
}

void GpuRunFormer::end_chunk(bool last) {
  const std::uint64_t first = chunk_bounds_.back();
  const std::uint64_t end = last ? landed_.records : round_down(landed_.records, kChunkAlignment);
  if (end == first) return;
  const Extent extent = extent_to_prepare(end);
  auto uploaded = std::make_shared<CudaEvent>();
  uploaded->record(upload_stream_);
  formation_->sort_thread->post([formation = formation_.get(), slot = slot_->number(), extent, first, end, uploaded] {
    formation->sort_stream.wait_for(*uploaded);
    const RunSlot& run_slot = formation->space.slots[slot];
    const CudaStream& stream = formation->sort_stream;
    const TimedWork work(formation->timeline, kSortTrack, extent.byte_count, stream);
    if (extent.byte_count > 0) formation->sorter->prepare(formation->space, run_slot, extent, stream);
    formation->sorter->sort(formation->space, run_slot, first, end - first, stream);
  });
  prepared_ = {extent.first_record + extent.record_count, extent.first_byte + extent.byte_count};
  chunk_first_byte_ = landed_.bytes;
  chunk_bounds_.push_back(end);
}

std::unique_ptr<SortedRun> GpuRunFormer::finish_run() {
  assert(landed_.records > 0);
  select_device(formation_->device);
  end_chunk(true);
  auto sorted = formation_->sort_thread->post([formation = formation_.get(), slot = slot_->number(),
                                               bounds = std::move(chunk_bounds_), bytes = landed_.bytes] {
    const CudaStream& stream = formation->sort_stream;
    const TimedWork work(formation->timeline, kMergeTrack, bytes, stream);
    SortedSlot result = formation->sorter->merge(formation->space, formation->space.slots[slot], bounds, bytes, stream);
    formation->sorted_events[slot].record(stream);
    return result;
  });
  auto run = std::make_unique<GpuSortedRun>(formation_, *std::exchange(slot_, std::nullopt), landed_.records,
                                            landed_.bytes, std::move(sorted));
  landed_ = {};
  prepared_ = {};
  chunk_first_byte_ = 0;
  chunk_bounds_ = {0};
  return run;
}

}  // namespace sortie::gpu
