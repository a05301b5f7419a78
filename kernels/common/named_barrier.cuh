// Barriers of a part of a block's warps, and barriers at which some arrive and others wait. A block has 16 of them;
// __syncthreads() is number 0.
#pragma once

namespace sortie::kernels {

/// Waits until kThreads have come to the barrier, these and those that only arrive. Called by whole warps.
template <unsigned kBarrier, unsigned kThreads>
__device__ void wait_at_barrier() {
  asm volatile("bar.sync %0, %1;" ::"n"(kBarrier), "n"(kThreads) : "memory");
}

/// Comes to the barrier and goes on. Called by whole warps.
template <unsigned kBarrier, unsigned kThreads>
__device__ void arrive_at_barrier() {
  asm volatile("bar.arrive %0, %1;" ::"n"(kBarrier), "n"(kThreads) : "memory");
}

/// The same for two barriers in turn, kBarrier in even turns and the next one in odd ones.
template <unsigned kBarrier, unsigned kThreads>
__device__ void wait_at_turn(unsigned turn) {
  if (turn % 2 == 0) {
    wait_at_barrier<kBarrier, kThreads>();
  } else {
    wait_at_barrier<kBarrier + 1, kThreads>();
  }
}
template <unsigned kBarrier, unsigned kThreads>
__device__ void arrive_at_turn(unsigned turn) {
  if (turn % 2 == 0) {
    arrive_at_barrier<kBarrier, kThreads>();
  } else {
    arrive_at_barrier<kBarrier + 1, kThreads>();
  }
}

}  // namespace sortie::kernels
