// Benches the pipeline's operations on lines. The limit is a copy of as many bytes.
#include <algorithm>
#include <string>

#include "bench/kernels/families.hpp"
#include "bench/kernels/line_data.hpp"
#include "device/cuda_error.hpp"
#include "kernels/records.hpp"

namespace sortie::bench {
namespace {

constexpr std::uint64_t kOffsetBytes = 8;
constexpr std::uint64_t kIndexBytes = 4;
constexpr std::uint64_t kPairBytes = 12;
constexpr std::uint64_t kFetchBytes = 64;

using Work = BenchRun::Work;

/// Traffic counts the bytes read, and an offset written per line.
void bench_scan(BenchRun& run, const std::string& operation, const LineData& lines) {
  if (!run.wants(operation)) return;
  const Array<std::uint64_t> offsets(lines.count + 1);
  const DeviceBuffer scratch(kernels::scan_lines_scratch_bytes(lines.byte_count));
  run.add_timed(operation, lines.count, lines.byte_count + lines.count * kOffsetBytes, [&](cudaStream_t s) {
    kernels::scan_lines(lines.bytes.data(), lines.byte_count, '\n', 0, offsets.data(), scratch.data(), s);
  });
}

/// Traffic counts, per line, an offset and the piece of memory with the prefix read, and the pair written.
void bench_extraction(BenchRun& run, const std::string& operation, const LineData& lines) {
  if (!run.wants(operation)) return;
  const Array<std::uint64_t> prefixes(lines.count);
  const Array<std::uint32_t> indices(lines.count);
  kernels::RecordKeys keys;
  keys.plan.whole_line = true;
  keys.records = lines.bytes.data();
  keys.offsets = lines.offsets.data();
  run.add_timed(operation, lines.count, lines.count * (kOffsetBytes + kFetchBytes + kPairBytes), [&](cudaStream_t s) {
    kernels::extract_prefixes(keys, 0, lines.count, {prefixes.data(), indices.data()}, s);
  });
}

/// Traffic of the places counts, per line, an index and the piece of memory with two offsets read, and an offset
/// written. Traffic of the gather counts a line read and written, and its index, offset and position read.
void bench_gather(BenchRun& run, const std::string& positions, const std::string& gather, const LineData& lines) {
  if (!run.wants(positions) && !run.wants(gather)) return;
  const Array<std::uint32_t> indices = shuffled_indices(lines.count, run.stream());
  const Array<std::uint64_t> out_offsets(lines.count + 1);
  const Array<std::byte> gathered(lines.byte_count);
  const DeviceBuffer scratch(kernels::gather_offsets_scratch_bytes(lines.count));
  const Work find_positions = [&](cudaStream_t s) {
    kernels::gather_offsets(lines.offsets.data(), indices.data(), lines.count, out_offsets.data(), scratch.data(), s);
  };
  find_positions(run.stream());
  if (run.wants(positions)) {
    run.add_timed(positions, lines.count, lines.count * (kIndexBytes + kFetchBytes + kOffsetBytes), find_positions);
  }
  if (!run.wants(gather)) return;
  const std::uint64_t line_bytes = kIndexBytes + 2 * kOffsetBytes;
  run.add_timed(gather, lines.count, 2 * lines.byte_count + lines.count * line_bytes, [&](cudaStream_t s) {
    kernels::gather_lines(lines.bytes.data(), lines.offsets.data(), indices.data(), lines.count, out_offsets.data(), 0,
                          lines.byte_count, gathered.data(), s);
  });
}

}  // namespace

void bench_lines(BenchRun& run, std::uint64_t count) {
  for (const LineShape& shape : kLineShapes) {
    const std::string name(shape.name);
    const std::string operations[] = {"scan " + name, "prefixes of " + name, "places of " + name, "gather " + name};
    if (std::ranges::none_of(operations, [&](const std::string& operation) { return run.wants(operation); })) continue;
    const LineData lines = make_lines(shape, count, run.stream());
    bench_scan(run, operations[0], lines);
    bench_extraction(run, operations[1], lines);
    bench_gather(run, operations[2], operations[3], lines);
  }
}

}  // namespace sortie::bench
