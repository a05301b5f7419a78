// The device memory in which windows are merged: two halves of the engine's arena, so that one window is on its way
// in while the one before is on its way out. All mergers of an engine have them in common.
#pragma once

#include <array>
#include <cstddef>

#include "base/size.hpp"
#include "base/slot_pool.hpp"
#include "device/arena.hpp"

namespace sortie::gpu {

class MergeHalves {
 public:
  static constexpr std::size_t kCount = 2;

  /// `whole` must outlive this, and is not carved while a half is held.
  explicit MergeHalves(const Arena& whole)
      : bytes_(round_down(whole.capacity_bytes() / kCount, kArenaAlignment)),
        halves_{Arena(whole, 0, bytes_), Arena(whole, bytes_, bytes_)} {}

  std::uint64_t half_bytes() const { return bytes_; }

  /// A half that nobody else uses while it is held. Let go of it only when its work is done.
  class Held {
   public:
    /// Waits until a half is free.
    explicit Held(MergeHalves& halves) : halves_(halves), slot_(halves.free_.acquire()) {}

    std::size_t index() const { return slot_.number(); }
    Arena& arena() const { return halves_.halves_[index()]; }

   private:
    MergeHalves& halves_;
    SlotPool::Slot slot_;
  };

 private:
  std::uint64_t bytes_;
  std::array<Arena, kCount> halves_;
  SlotPool free_{kCount};
};

}  // namespace sortie::gpu
