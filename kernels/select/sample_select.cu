#include "kernels/sample_select.hpp"

#include "kernels/common/attribute_launch.cuh"
#include "kernels/common/launch.hpp"
#include "kernels/common/overlapping_launch.cuh"
#include "kernels/common/scratch_layout.hpp"
#include "kernels/select/cluster_select.cuh"
#include "kernels/select/fill_buckets.cuh"
#include "kernels/select/filter_candidates.cuh"
#include "kernels/select/finish_buckets.cuh"
#include "kernels/select/rank_all.cuh"
#include "kernels/select/select_instances.hpp"
#include "kernels/select/select_sample.cuh"

namespace sortie::kernels {
namespace {

template <class Placed>
struct SampleSelectScratch {
  SampleSelectScratch(std::uint64_t count, std::uint64_t selected_count, void* area = nullptr) : layout(area) {
    if (ranks_all(count, selected_count)) return;
    plan = sample_select_plan(count, selected_count, sizeof(Placed));
    areas.splitters = layout.take<Placed>(std::max(plan.buckets, 1U));
    areas.candidate_counts = layout.take<std::uint64_t>(kMostFilters);
    areas.failed_blocks = layout.take<unsigned>(1);
    areas.bucket_items = layout.take<unsigned>(plan.buckets);
    for (unsigned f = 0; f < plan.filters; ++f) areas.candidates[f] = layout.take<Placed>(plan.capacities[f]);
    areas.buckets = layout.take<Placed>(std::uint64_t{plan.buckets} * bucket_capacity(sizeof(Placed)));
  }

  ScratchLayout layout;
  SampleSelectPlan plan;
  SampleSelectAreas<Placed> areas{};
};

template <class Bits, class Codec, class Position>
class SampleSelect {
 public:
  using Selection = SampleSelection<Bits, Codec, Position>;

  SampleSelect(const Selection& selection, const SampleSelectPlan& plan, cudaStream_t stream)
      : selection_(selection),
        plan_(plan),
        stream_(stream),
        overlaps_(has_code_for_90(select_sample_kernel<Bits, Codec, Position>)) {}

  void rank_all() const {
    constexpr unsigned kMost = kMostRankedItems / kSampleSelectThreads;
    const std::uint64_t count = selection_.input.count;
    if (count <= kSampleSelectThreads) return rank_all<1>();
    if (count <= kMost / 4 * kSampleSelectThreads) return rank_all<kMost / 4>();
    rank_all<kMost>();
  }

  void select() const {
    for (unsigned step = 0; step < plan_.filters; ++step) {
      launch(select_sample_kernel<Bits, Codec, Position>, "kernel that looks at a sample", kSampleBlocks, selection_,
             step);
      launch(filter_candidates_kernel<Bits, Codec, Position>, "kernel that selects candidates", filter_grid(step),
             selection_, step);
    }
    if (plan_.ends_in_team) return select_in_team();
    launch(select_sample_kernel<Bits, Codec, Position>, "kernel that looks at a sample", kSampleBlocks, selection_,
           plan_.filters);
    launch(fill_buckets_kernel<Bits, Codec, Position>, "kernel that fills buckets",
           persistent_grid(divide_up(plan_.left, kFillTile), kFillBlocks), selection_);
    launch(finish_buckets_kernel<Bits, Codec, Position>, "kernel that sorts buckets", plan_.buckets, selection_);
  }

 private:
  template <unsigned kOwn>
  void rank_all() const {
    launch(rank_all_kernel<Bits, Codec, Position, kOwn>, "kernel that ranks all items",
           static_cast<unsigned>(divide_up(selection_.input.count, kRankedTogether)), selection_);
  }

  void select_in_team() const {
    constexpr const char* kName = "kernel that selects in a cluster";
    const auto kernel = cluster_select_kernel<Bits, Codec, Position>;
    const unsigned blocks = overlaps_ ? plan_.team_blocks : 1;
    launch_with({.overlaps = overlaps_, .cluster_blocks = blocks}, kernel, kName, {blocks, kSampleSelectThreads},
                stream_, selection_);
  }

  template <class... Parameters, class... Arguments>
  void launch(void (*kernel)(Parameters...), const char* name, unsigned grid, const Arguments&... arguments) const {
    launch_overlapping(kernel, name, {grid, kSampleSelectThreads}, overlaps_, stream_, arguments...);
  }

  unsigned filter_grid(unsigned step) const {
    const std::uint64_t items = step == 0 ? selection_.input.count : plan_.capacities[step - 1];
    return persistent_grid(divide_up(items, step == 0 ? kFilterTile<Bits> : kSampleSelectThreads), kFilterBlocks);
  }

  const Selection selection_;
  const SampleSelectPlan& plan_;
  const cudaStream_t stream_;
  const bool overlaps_;  ///< see launch_overlapping()
};

}  // namespace

template <class Bits, SortValue Position>
bool can_sample_select(std::uint64_t count, std::uint64_t selected_count) {
  constexpr std::uint64_t kLargePart = 4;
  if (count <= kMostRankedItems) return true;
  return selected_count <= count / kLargePart && selected_count <= most_selected(sizeof(PlacedCode<Bits, Position>));
}

template <class Bits, SortValue Position>
std::uint64_t sample_select_scratch_bytes(std::uint64_t count, std::uint64_t selected_count) {
  return SampleSelectScratch<PlacedCode<Bits, Position>>(count, selected_count).layout.size_bytes();
}

template <class Bits, class Codec, SortValue Position>
void sample_select(const Bits* keys, std::uint64_t count, const Codec& codec, std::uint64_t selected_count,
                   Bits* selected_keys, Position* selected_positions, void* scratch, cudaStream_t stream) {
  const SampleSelectScratch<PlacedCode<Bits, Position>> own(count, selected_count, scratch);
  SampleSelection<Bits, Codec, Position> selection{
      {{keys, codec}, count}, selected_count,    own.plan.filters, own.plan.buckets, {}, own.areas,
      selected_keys,          selected_positions};
  std::copy_n(own.plan.capacities, kMostFilters, selection.capacities);
  const SampleSelect<Bits, Codec, Position> select(selection, own.plan, stream);
  if (ranks_all(count, selected_count)) {
    select.rank_all();
  } else {
    select.select();
  }
}

// NOLINTBEGIN(bugprone-macro-parentheses): a type cannot stand in parentheses there.
#define SORTIE_SAMPLE_SELECT_BYTES(Bits, Position)                               \
  template bool can_sample_select<Bits, Position>(std::uint64_t, std::uint64_t); \
  template std::uint64_t sample_select_scratch_bytes<Bits, Position>(std::uint64_t, std::uint64_t);
#define SORTIE_SAMPLE_SELECT(Bits, Codec, Position)                                                                   \
  template void sample_select(const Bits*, std::uint64_t, const Codec<Bits>&, std::uint64_t, Bits*, Position*, void*, \
                              cudaStream_t);
// NOLINTEND(bugprone-macro-parentheses)

SORTIE_EACH_SELECT_SIZE(SORTIE_SAMPLE_SELECT_BYTES)
SORTIE_EACH_SELECT_CODEC(SORTIE_SAMPLE_SELECT)

#undef SORTIE_SAMPLE_SELECT
#undef SORTIE_SAMPLE_SELECT_BYTES

}  // namespace sortie::kernels
