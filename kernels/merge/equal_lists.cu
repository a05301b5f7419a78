#include "kernels/merge.hpp"

#include "kernels/common/launch.hpp"
#include "kernels/common/scratch_layout.hpp"

namespace sortie::kernels {
namespace {

constexpr unsigned kThreads = 256;

__global__ void __launch_bounds__(kThreads)
    write_list_offsets_kernel(EqualLists lists, std::uint32_t list_count, std::uint64_t* offsets) {
  const std::uint64_t list = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  const std::uint64_t begin = list * lists.list_items;
  if (list <= list_count) offsets[list] = begin < lists.item_count ? begin : lists.item_count;
}

struct ListScratch {
  explicit ListScratch(const EqualLists& lists, void* area = nullptr) : layout(area) {
    offsets = layout.take<std::uint64_t>(std::uint64_t{lists.list_count()} + 1);
    merge = layout.take<std::byte>(merge_scratch_bytes(lists.item_count, lists.list_count()));
  }

  ScratchLayout layout;
  std::uint64_t* offsets;
  std::byte* merge;
};

}  // namespace

std::uint64_t equal_lists_scratch_bytes(const EqualLists& lists) { return ListScratch(lists).layout.size_bytes(); }

ListSequences lay_out_lists(const EqualLists& lists, void* scratch, cudaStream_t stream) {
  const ListScratch areas(lists, scratch);
  if (lists.list_count() > 1) {
    const unsigned grid = grid_of_tiles(divide_up(std::uint64_t{lists.list_count()} + 1, kThreads));
    write_list_offsets_kernel<<<grid, kThreads, 0, stream>>>(lists, lists.list_count(), areas.offsets);
    check_launch("list offsets kernel");
  }
  return {{areas.offsets, lists.list_count(), lists.item_count}, areas.merge};
}

}  // namespace sortie::kernels
