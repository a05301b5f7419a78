// The blocks that work together in one launch: those of a cluster, which reach into each other's shared memory, or one
// block by itself. A kernel's code is the same for both.
#pragma once

#include <cooperative_groups.h>

namespace sortie::kernels {

/// The blocks as one of them sees them. Without a cluster there is one.
template <bool kIsCluster>
struct BlockTeam {
  unsigned rank = 0;
  unsigned size = 1;

  __device__ void arrive() const {}
  __device__ void wait() const {}
  __device__ void sync() const { __syncthreads(); }
  template <class T>
  __device__ T* shared_of(T* own, unsigned) const {
    return own;
  }
};

#if __CUDA_ARCH__ >= 900
template <>
struct BlockTeam<true> {
  unsigned rank = cooperative_groups::this_cluster().block_rank();
  unsigned size = cooperative_groups::this_cluster().num_blocks();

  /// The two halves of sync(). Shared memory of a block is there once the block has arrived.
  __device__ void arrive() const { cooperative_groups::this_cluster().barrier_arrive(); }
  __device__ void wait() const { cooperative_groups::this_cluster().barrier_wait(); }
  __device__ void sync() const { cooperative_groups::this_cluster().sync(); }
  /// Another block's counterpart of what `own` points to in this block's shared memory.
  template <class T>
  __device__ T* shared_of(T* own, unsigned block) const {
    return cooperative_groups::this_cluster().map_shared_rank(own, block);
  }
};
#endif

}  // namespace sortie::kernels
