// Phase one on the GPU: pieces travel through the pinned ring into a slot; when enough for a chunk has been
// sent, its sort is queued behind the transfer; when the run is finished, its chunks are merged. Feeding,
// transfers, sorting and the drain of the run before all overlap.
//
//   feeding thread   next_piece, commit_piece ... | finish_run | next run, into the other slot ...
//   upload stream      | piece | piece | piece | piece |
//   sort thread, stream                | sort chunk 0 |  | sort chunk 1 | merge |
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/engine.hpp"
#include "engine/gpu/formation/formation_state.hpp"
#include "engine/gpu/staging/engine_setup.hpp"
#include "engine/gpu/staging/piece_ring.hpp"

namespace sortie::gpu {

class GpuRunFormer : public RunFormer {
 public:
  /// Takes the whole arena. Lines: it is carved when the first piece has told how long they are.
  GpuRunFormer(const Format& format, const EngineSetup& setup, Arena& arena, const FormationBudget& budget);
  /// Waits for transfers from the ring.
  ~GpuRunFormer() override;
  GpuRunFormer(const GpuRunFormer&) = delete;
  GpuRunFormer& operator=(const GpuRunFormer&) = delete;

  std::span<std::byte> next_piece() override;
  std::uint64_t max_piece_records() const override;
  std::uint64_t run_bytes() const override;
  std::span<std::byte> next_large_piece(std::size_t bytes) override;
  void commit_piece(std::size_t bytes, std::uint64_t record_count) override;
  std::unique_ptr<SortedRun> finish_run() override;

 private:
  /// How far the current run has got, in whole records from the slot's start.
  struct Progress {
    std::uint64_t records = 0;
    std::uint64_t bytes = 0;
  };

  FormationRequest request_for(std::uint64_t line_bytes) const;
  std::uint64_t most_piece_bytes() const;
  void open(std::uint64_t line_bytes);
  void enter_slot();
  bool has_room_for_lines() const;
  void upload(std::size_t bytes);
  bool chunk_is_full() const;
  void end_chunk(bool last);
  Extent extent_to_prepare(std::uint64_t sort_end) const;

  RecordTraits traits_;
  Arena& arena_;
  FormationBudget budget_;
  std::uint64_t part_bytes_;
  std::shared_ptr<FormationState> formation_;
  std::uint64_t first_piece_records_ = 0;  ///< lines: most in the first piece, whatever plan follows
  std::optional<PieceRing> ring_;
  std::vector<std::byte> large_piece_;  ///< not empty: holds the piece that was offered last
  CudaStream upload_stream_;

  std::optional<SlotPool::Slot> slot_;             ///< slot of the current run
  Progress landed_;                                ///< records sent to the slot
  Progress prepared_;                              ///< those of them handed to the sorter's prepare()
  std::uint64_t chunk_first_byte_ = 0;             ///< landed_.bytes when the last chunk ended
  std::vector<std::uint64_t> chunk_bounds_ = {0};  ///< records at which chunks end
};

}  // namespace sortie::gpu
