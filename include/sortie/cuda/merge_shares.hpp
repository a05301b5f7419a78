// Where a part of the merge of two sorted sequences begins, for threads that share the merge. A host and device
// function, which block_sort.cuh and the device-wide merges use.
#pragma once

#include <sortie/cuda/device_marks.hpp>

namespace sortie::cuda {

/// The number of items from `a` among the first `diagonal` merged items of both sequences, which are anything with
/// operator[]. On ties, items of a come before those of b. `before(x, y)` says whether x comes strictly before y.
/// Precondition: diagonal <= a_count + b_count. O(log(min(a_count, b_count))) comparisons. Green, Odeh and Birk, "Merge
/// Path: A Visually Intuitive Approach to Parallel Merging", 2014.
template <class Count, class SequenceA, class SequenceB, class Before>
SORTIE_HOST_DEVICE Count merge_path(const SequenceA& a, Count a_count, const SequenceB& b, Count b_count,
                                    Count diagonal, const Before& before) {
  Count low = diagonal > b_count ? diagonal - b_count : 0;
  Count high = diagonal < a_count ? diagonal : a_count;
  while (low < high) {
    const Count middle = low + (high - low) / 2;
    if (before(b[diagonal - 1 - middle], a[middle])) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

}  // namespace sortie::cuda
