// The device memory in which windows are merged: two halves of the engine's arena, so that one window is on its way
// in while the one before is on its way out. All mergers of an engine have them in common.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "base/size.hpp"
#include "device/arena.hpp"
#include "engine/gpu/staging/slot_pool.hpp"

namespace sortie::gpu {

class MergeHalves {
 public:
  static constexpr std::size_t kCount = 2;

  /// `whole` must outlive this, and is not carved while a half is held.
  explicit MergeHalves(const Arena& whole)
      : bytes_(round_down(whole.capacity_bytes() / kCount, kArenaAlignment)),
        halves_{Arena(whole, 0, bytes_), Arena(whole, bytes_, bytes_)} {
    free_.open(kCount);
  }

  std::uint64_t half_bytes() const { return bytes_; }

  /// A half that nobody else uses while it is held. Let go of it only when its work is done.
  class Held {
   public:
    /// Waits until a half is free.
    explicit Held(MergeHalves& halves) : halves_(&halves), index_(halves.free_.acquire()) {}
    ~Held() {
      if (halves_ != nullptr) halves_->free_.release(index_);
    }
    Held(Held&& other) noexcept : halves_(std::exchange(other.halves_, nullptr)), index_(other.index_) {}
    Held& operator=(Held&&) = delete;

    std::size_t index() const { return index_; }
    Arena& arena() const { return halves_->halves_[index_]; }

   private:
    MergeHalves* halves_;
    std::size_t index_;
  };

 private:
  std::uint64_t bytes_;
  std::array<Arena, kCount> halves_;
  SlotPool free_;
};

}  // namespace sortie::gpu
