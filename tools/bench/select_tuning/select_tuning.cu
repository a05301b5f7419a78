// Times the launches of a selection one by one.
#include <algorithm>
#include <cstdio>
#include <string>

#include "bench/kernels/call_timer.hpp"
#include "bench/kernels/key_fill.hpp"
#include "device/device_memory.hpp"
#include "kernels/common/launch.hpp"
#include "kernels/common/overlapping_cluster_launch.cuh"
#include "kernels/common/scratch_layout.hpp"
#include "kernels/select/cluster_select.cuh"
#include "kernels/select/filter_candidates.cuh"
#include "kernels/select/finish_buckets.cuh"
#include "kernels/select/rank_all.cuh"
#include "kernels/select/select_sample.cuh"

namespace sortie::bench {
namespace {

using namespace kernels;

template <class Bits>
struct Tuning {
  using Codec = KeyCodec<Bits>;
  using Position = std::uint32_t;
  using Placed = PlacedCode<Bits, Position>;
  using Selection = SampleSelection<Bits, Codec, Position>;

  Tuning(CallTimer& timer, std::uint64_t count, std::uint64_t k)
      : timer(timer), count(count), k(k), keys(count), top_keys(k), top_positions(k), area(std::uint64_t{1} << 30) {
    fill_keys(KeyDistribution::kUniform, keys.data(), count, timer.stream());
    plan = sample_select_plan(count, k, sizeof(Placed));
    ScratchLayout layout(area.data());
    selection = {{{keys.data(), Codec{0, 0}}, count}, k, plan.filters, plan.buckets, {}, {}, top_keys.data(),
                 top_positions.data()};
    auto& areas = selection.areas;
    areas.splitters = layout.take<Placed>(std::max(plan.buckets, 1U));
    areas.candidate_counts = layout.take<std::uint64_t>(kMostFilters);
    areas.failed_blocks = layout.take<unsigned>(1);
    areas.bucket_items = layout.take<unsigned>(plan.buckets);
    for (unsigned f = 0; f < plan.filters; ++f) areas.candidates[f] = layout.take<Placed>(plan.capacities[f]);
    areas.buckets = layout.take<Placed>(std::uint64_t{plan.buckets} * bucket_capacity(sizeof(Placed)));
    std::copy_n(plan.capacities, kMostFilters, selection.capacities);
  }

  template <class Work>
  void time(const char* name, const Work& work) {
    const unsigned calls = 16;
    const Timing timing = timer.time_per_call(
        calls, [](unsigned, cudaStream_t) {}, [&](unsigned, cudaStream_t s) { work(s); });
    std::printf("u%zu 2^%-2u k=%-6llu %-28s %8.2f us (%.2f to %.2f)\n", 8 * sizeof(Bits),
                static_cast<unsigned>(std::bit_width(count) - 1), static_cast<unsigned long long>(k), name,
                timing.median * 1000, timing.shortest * 1000, timing.longest * 1000);
    std::fflush(stdout);
  }

  void sample(cudaStream_t s, unsigned step) {
    launch_overlapping(select_sample_kernel<Bits, Codec, Position>, "sample", {kSampleBlocks, kSampleSelectThreads},
                       true, s, selection, step);
  }
  void filter(cudaStream_t s, unsigned step) {
    const std::uint64_t items = step == 0 ? count : plan.capacities[step - 1];
    launch_overlapping(filter_candidates_kernel<Bits, Codec, Position>, "filter",
                       {persistent_grid(divide_up(items, step == 0 ? kFilterTile<Bits> : kSampleSelectThreads),
                                        kFilterBlocks),
                        kSampleSelectThreads},
                       true, s, selection, step);
  }
  void team(cudaStream_t s, unsigned blocks) {
    const auto kernel = cluster_select_kernel<Bits, Codec, Position>;
    if (blocks == 1) {
      launch_overlapping(kernel, "team", {1, kSampleSelectThreads}, true, s, selection);
    } else {
      launch_overlapping_in_cluster(kernel, "team", {blocks, kSampleSelectThreads}, s, selection);
    }
  }
  void fill(cudaStream_t s) {
    launch_overlapping(fill_buckets_kernel<Bits, Codec, Position>, "fill",
                       {persistent_grid(divide_up(plan.left, kFillTile), kFillBlocks), kSampleSelectThreads}, true, s,
                       selection);
  }
  void finish(cudaStream_t s) {
    launch_overlapping(finish_buckets_kernel<Bits, Codec, Position>, "finish", {plan.buckets, kSampleSelectThreads},
                       true, s, selection);
  }
  template <unsigned kOwn>
  void rank(cudaStream_t s) {
    launch_overlapping(rank_all_kernel<Bits, Codec, Position, kOwn>, "rank",
                       {static_cast<unsigned>(divide_up(count, kRankedTogether)), kSampleSelectThreads}, true, s,
                       selection);
  }

  void run_few() {
    if (count <= 512) time("rank all", [&](cudaStream_t s) { rank<1>(s); });
    if (count <= 1024) time("rank all", [&](cudaStream_t s) { rank<2>(s); });
    if (count <= 4096) time("rank all", [&](cudaStream_t s) { rank<8>(s); });
    selection.filters = 0;
    for (const unsigned blocks : {1, 2, 4, 8}) {
      if (count >> 17 > blocks) continue;
      time(("team of " + std::to_string(blocks)).c_str(), [&](cudaStream_t s) { team(s, blocks); });
    }
    selection.filters = plan.filters;
  }

  void run_filters() {
    time("sample", [&](cudaStream_t s) { sample(s, 0); });
    const auto filters = [&](cudaStream_t s) {
      for (unsigned f = 0; f < plan.filters; ++f) {
        sample(s, f);
        filter(s, f);
      }
    };
    if (plan.filters > 0) {
      time("filter", [&](cudaStream_t s) { filter(s, 0); });
      time("sample, filter", [&](cudaStream_t s) {
        sample(s, 0);
        filter(s, 0);
      });
      time("all samples and filters", filters);
    }
    if (plan.ends_in_team) {
      for (const unsigned blocks : {1, 2, 4, 8}) {
        time(("last: team of " + std::to_string(blocks)).c_str(), [&](cudaStream_t s) { team(s, blocks); });
      }
      time("all", [&](cudaStream_t s) {
        filters(s);
        team(s, 8);
      });
    } else {
      const auto filled = [&](cudaStream_t s) {
        filters(s);
        sample(s, plan.filters);
        fill(s);
      };
      time("all but last", filled);
      time("last: finish", [&](cudaStream_t s) { finish(s); });
      time("all", [&](cudaStream_t s) {
        filled(s);
        finish(s);
      });
    }
  }

  CallTimer& timer;
  std::uint64_t count;
  std::uint64_t k;
  Array<Bits> keys;
  Array<Bits> top_keys;
  Array<Position> top_positions;
  DeviceBuffer area;
  SampleSelectPlan plan;
  Selection selection;
};

template <class Bits>
void run(CallTimer& timer) {
  for (const unsigned log2 : {10, 11, 12, 13, 14, 15, 16, 17, 18, 19}) {
    Tuning<Bits>(timer, std::uint64_t{1} << log2, 64).run_few();
  }
  Tuning<Bits>(timer, std::uint64_t{1} << 16, 1000).run_few();
  for (const unsigned log2 : {18, 20, 22, 24, 28}) Tuning<Bits>(timer, std::uint64_t{1} << log2, 64).run_filters();
  for (const unsigned log2 : {14, 18, 20, 22}) {
    Tuning<Bits>(timer, std::uint64_t{1} << log2, std::uint64_t{1} << (log2 - 2 < 16 ? log2 - 2 : 16)).run_filters();
  }
}

}  // namespace
}  // namespace sortie::bench

int main() {
  sortie::bench::CallTimer timer(9);
  sortie::bench::run<std::uint32_t>(timer);
  sortie::bench::run<std::uint64_t>(timer);
  return 0;
}
