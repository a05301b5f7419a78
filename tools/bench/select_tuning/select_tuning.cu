// Times the variants: `select_tuning [LOG2,...] [FILTER]`. A row per variant and size: microseconds.
#include "bench/select_tuning/select_tuning.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <sstream>

#include "bench/kernels/call_timer.hpp"
#include "device/cuda_error.hpp"
#include "device/device_memory.hpp"
#include "kernels/common/launch.hpp"

namespace sortie::bench {
namespace {

using kernels::KeptItems;
using kernels::ListItems;
using kernels::SetSelection;

constexpr SetSelection kSelections[] = {SetSelection::kUnion, SetSelection::kIntersection, SetSelection::kDifference,
                                        SetSelection::kSymmetricDifference};
const char* const kNames[] = {"union", "intersection", "difference", "symmetric"};

template <class T>
struct Array {
  explicit Array(std::uint64_t count) : buffer(count * sizeof(T)) {}
  T* data() const { return reinterpret_cast<T*>(buffer.data()); }
  DeviceBuffer buffer;
};

/// Sorted keys below `values`: a thread sorts 64 of them.
template <class Bits>
__global__ void fill_sorted_kernel(Bits* keys, std::uint32_t* positions, std::uint64_t count, double step,
                                   std::uint64_t seed) {
  const std::uint64_t group = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::uint64_t begin = group * 64;
  if (begin >= count) return;
  const auto low = static_cast<std::uint64_t>(static_cast<double>(begin) * step);
  const auto high = static_cast<std::uint64_t>(static_cast<double>(begin + 64) * step);
  Bits drawn[64];
  std::uint64_t state = seed * 0x9E3779B97F4A7C15ULL + group * 0xD1B54A32D192ED03ULL + 1;
  for (unsigned i = 0; i < 64; ++i) {
    state = (state ^ (state >> 31)) * 0x9E3779B97F4A7C15ULL + 0x2545F4914F6CDD1DULL;
    const Bits key = static_cast<Bits>(low + (state >> 33) % (high - low + 1));
    unsigned at = i;
    for (; at > 0 && drawn[at - 1] > key; --at) drawn[at] = drawn[at - 1];
    drawn[at] = key;
  }
  for (unsigned i = 0; i < 64 && begin + i < count; ++i) {
    keys[begin + i] = drawn[i];
    positions[begin + i] = static_cast<std::uint32_t>(begin + i);
  }
}

std::uint64_t next_seed() {
  static std::uint64_t seed = 0;
  return ++seed;
}

template <class T>
std::vector<T> download(const T* from, std::uint64_t count) {
  std::vector<T> host(count);
  check_cuda(cudaMemcpy(host.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost), "download");
  return host;
}

template <class Bits>
struct Lists {
  Lists(std::uint64_t count, std::uint64_t values, cudaStream_t s)
      : keys(count + 64),
        out(count + 64),
        positions(count + 64),
        out_positions(count + 64),
        kept(1),
        scratch(count / 8 + (1 << 20)) {
    const std::uint64_t all = count + 64;
    fill_sorted_kernel<<<kernels::grid_of_tiles(all / 64 / 128 + 1), 128, 0, s>>>(
        keys.data(), positions.data(), all, static_cast<double>(values) / static_cast<double>(all), next_seed());
    kernels::check_launch("fill");
    check_cuda(cudaStreamSynchronize(s), "fill");
  }
  Array<Bits> keys, out;
  Array<std::uint32_t> positions, out_positions;
  Array<std::uint64_t> kept;
  Array<std::byte> scratch;
};

template <class Bits>
void check_unique(const UniqueVariant<Bits>& variant, const std::string& type, cudaStream_t s) {
  for (const std::uint64_t count : {20'000ULL, 1ULL << 20, (1ULL << 20) + 1}) {
    for (const std::uint64_t values : {2ULL, 700ULL, 500'000ULL}) {
      for (const unsigned offset : {0, 1, 3}) {
        const Lists<Bits> lists(count, values, s);
        const ListItems<Bits> items{lists.keys.data() + offset,
                                    reinterpret_cast<std::byte*>(lists.positions.data() + offset), count};
        check_cuda(cudaMemset(lists.scratch.data(), 0xa5, count / 8 + (1 << 20)), "poison");
        variant.run(items,
                    {lists.out.data(), reinterpret_cast<std::byte*>(lists.out_positions.data()), variant.value_bytes,
                     lists.kept.data()},
                    lists.scratch.data(), s);
        check_cuda(cudaStreamSynchronize(s), "variant");
        std::vector<Bits> expected = download(items.keys, count);
        std::vector<std::uint32_t> positions;
        for (std::uint64_t i = 0; i < count; ++i) {
          if (i == 0 || expected[i] != expected[i - 1]) positions.push_back(static_cast<std::uint32_t>(i + offset));
        }
        expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
        const std::uint64_t kept = download(lists.kept.data(), 1)[0];
        bool good = kept == expected.size() && download(lists.out.data(), kept) == expected;
        if (good && variant.value_bytes != 0) good = download(lists.out_positions.data(), kept) == positions;
        if (!good) {
          std::printf("WRONG %s %s: %zu of %zu values offset %u: kept %zu, expected %zu\n", type.c_str(),
                      variant.name.c_str(), static_cast<std::size_t>(count), static_cast<std::size_t>(values), offset,
                      static_cast<std::size_t>(kept), expected.size());
        }
      }
    }
  }
}

template <class Bits>
void check_sets(const SetVariant<Bits>& variant, const std::string& type, cudaStream_t s) {
  for (const std::uint64_t count : {1'000ULL, 300'000ULL, 300'001ULL}) {
    for (const std::uint64_t values : {2ULL, 700ULL, 200'000ULL}) {
      for (unsigned selection = 0; selection < 4; ++selection) {
        const Lists<Bits> a(count, values, s);
        const Lists<Bits> b(2 * count, values + 1, s);
        const Lists<Bits> out(3 * count, 1, s);
        const ListItems<Bits> first{a.keys.data() + 1, nullptr, count};
        const ListItems<Bits> second{b.keys.data() + 3, nullptr, 2 * count};
        check_cuda(cudaMemset(out.scratch.data(), 0xa5, 3 * count / 8 + (1 << 20)), "poison");
        variant.run(kSelections[selection], first, second, {out.out.data(), nullptr, 0, out.kept.data()},
                    out.scratch.data(), s);
        check_cuda(cudaStreamSynchronize(s), "variant");
        const std::vector<Bits> x = download(first.keys, first.count);
        const std::vector<Bits> y = download(second.keys, second.count);
        std::vector<Bits> expected;
        const auto to = std::back_inserter(expected);
        if (selection == 0) std::ranges::set_union(x, y, to);
        if (selection == 1) std::ranges::set_intersection(x, y, to);
        if (selection == 2) std::ranges::set_difference(x, y, to);
        if (selection == 3) std::ranges::set_symmetric_difference(x, y, to);
        const std::uint64_t kept = download(out.kept.data(), 1)[0];
        if (kept != expected.size() || download(out.out.data(), kept) != expected) {
          std::printf("WRONG %s %s %s: %zu values %zu: kept %zu, expected %zu\n", kNames[selection], type.c_str(),
                      variant.name.c_str(), static_cast<std::size_t>(count), static_cast<std::size_t>(values),
                      static_cast<std::size_t>(kept), expected.size());
        }
      }
    }
  }
}

unsigned calls(std::uint64_t count) { return count <= (1U << 16) ? 16 : 1; }

struct Rows {
  std::vector<unsigned> sizes;
  std::string filter;
  CallTimer timer{9};

  template <class Work>
  double microseconds(std::uint64_t count, const Work& work) {
    return 1000 * timer
                      .time_per_call(
                          calls(count), [](unsigned, cudaStream_t) {}, [&](unsigned, cudaStream_t s) { work(s); })
                      .median;
  }
  bool wants(const std::string& name) const { return name.find(filter) != std::string::npos; }
};

template <class Bits>
void bench_unique(Rows& rows, const std::vector<UniqueVariant<Bits>>& variants, const std::string& type) {
  std::vector<std::string> lines;
  for (const auto& variant : variants) {
    std::string line = "unique " + type + (variant.value_bytes != 0 ? "+u32 " : " ") + variant.name;
    line.resize(44, ' ');
    lines.push_back(line);
    if (rows.wants(line) && !(line.find("rows 0") != std::string::npos))
      check_unique(variant, type, rows.timer.stream());
  }
  for (const unsigned size : rows.sizes) {
    const std::uint64_t count = 1ULL << size;
    const Lists<Bits> lists(count, count / 2, rows.timer.stream());
    const ListItems<Bits> items{lists.keys.data(), reinterpret_cast<std::byte*>(lists.positions.data()), count};
    for (std::size_t i = 0; i < variants.size(); ++i) {
      if (!rows.wants(lines[i])) continue;
      const KeptItems<Bits> out{lists.out.data(), reinterpret_cast<std::byte*>(lists.out_positions.data()),
                                variants[i].value_bytes, lists.kept.data()};
      char cell[32];
      std::snprintf(cell, sizeof cell, "%9.1f", rows.microseconds(count, [&](cudaStream_t s) {
        variants[i].run(items, out, lists.scratch.data(), s);
      }));
      lines[i] += cell;
    }
  }
  for (const std::string& line : lines) {
    if (rows.wants(line)) std::printf("%s\n", line.c_str());
  }
  std::fflush(stdout);
}

void bench_copies(Rows& rows) {
  std::string line = "copy of u32 (read and written)";
  line.resize(44, ' ');
  if (!rows.wants(line)) return;
  for (const unsigned size : rows.sizes) {
    const Array<std::uint32_t> from(1ULL << size);
    const Array<std::uint32_t> to(1ULL << size);
    char cell[32];
    std::snprintf(cell, sizeof cell, "%9.1f", rows.microseconds(1ULL << size, [&](cudaStream_t s) {
      check_cuda(cudaMemcpyAsync(to.data(), from.data(), 4ULL << size, cudaMemcpyDeviceToDevice, s), "copy");
    }));
    line += cell;
  }
  std::printf("%s\n", line.c_str());
}

template <class Bits>
void bench_sets(Rows& rows, const std::vector<SetVariant<Bits>>& variants, const std::string& type) {
  for (unsigned selection = 0; selection < 4; ++selection) {
    std::vector<std::string> lines;
    for (const auto& variant : variants) {
      std::string line = std::string(kNames[selection]) + " " + type + " " + variant.name;
      line.resize(44, ' ');
      lines.push_back(line);
      if (selection == 0 && rows.wants(line) && !(line.find("rows 0") != std::string::npos))
        check_sets(variant, type, rows.timer.stream());
    }
    for (const unsigned size : rows.sizes) {
      const std::uint64_t half = 1ULL << (size - 1);
      const Lists<Bits> a(half, half, rows.timer.stream());
      const Lists<Bits> b(half, half, rows.timer.stream());
      const Lists<Bits> out(2 * half, 1, rows.timer.stream());
      for (std::size_t i = 0; i < variants.size(); ++i) {
        if (!rows.wants(lines[i])) continue;
        char cell[32];
        std::snprintf(cell, sizeof cell, "%9.1f", rows.microseconds(2 * half, [&](cudaStream_t s) {
          variants[i].run(kSelections[selection], {a.keys.data(), nullptr, half}, {b.keys.data(), nullptr, half},
                          {out.out.data(), nullptr, 0, out.kept.data()}, out.scratch.data(), s);
        }));
        lines[i] += cell;
      }
    }
    for (const std::string& line : lines) {
      if (rows.wants(line)) std::printf("%s\n", line.c_str());
    }
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace sortie::bench

int main(int argument_count, char** arguments) {
  using namespace sortie::bench;
  Rows rows;
  std::stringstream list(argument_count > 1 ? arguments[1] : "14,16,18,20,22,24,26,28");
  for (std::string size; std::getline(list, size, ',');) rows.sizes.push_back(std::stoul(size));
  if (argument_count > 2) rows.filter = arguments[2];
  bench_copies(rows);
  bench_unique(rows, unique_variants_32(), "u32");
  bench_unique(rows, unique_variants_64(), "u64");
  bench_sets(rows, set_variants_32(), "u32");
  bench_sets(rows, set_variants_64(), "u64");
  return 0;
}
