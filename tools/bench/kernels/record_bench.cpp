// Gathers fixed-length records by random index, and reads their prefixes. The limit is a copy of as many bytes.
// Traffic counts the bytes of the result and those it is made of. The memory moves more if records do not fill the
// pieces of 64 bytes in which it reads.
#include <string>

#include "bench/kernels/families.hpp"
#include "device/cuda_error.hpp"
#include "kernels/records.hpp"

namespace sortie::bench {
namespace {

constexpr std::uint64_t kRecordBytes[] = {16, 64, 99, 100, 128};
constexpr std::uint64_t kGensortBytes = 100;
constexpr std::uint32_t kGensortKeyBytes = 10;
constexpr std::uint64_t kFetchBytes = 64;
constexpr std::uint64_t kPairBytes = 12;

/// `count` records of random bytes.
Array<std::byte> random_records(std::uint64_t count, std::uint64_t record_bytes, cudaStream_t stream) {
  Array<std::byte> records(count * record_bytes);
  fill_keys(KeyDistribution::kUniform, reinterpret_cast<std::uint32_t*>(records.data()), count * record_bytes / 4,
            stream);
  return records;
}

/// Traffic counts a record and its index read, and the record written.
void bench_gather(BenchRun& run, std::uint64_t count, std::uint64_t record_bytes) {
  const std::string operation = "gather " + std::to_string(record_bytes) + " B";
  if (!run.wants(operation)) return;
  const Array<std::byte> records = random_records(count, record_bytes, run.stream());
  const Array<std::byte> gathered(count * record_bytes);
  const Array<std::uint32_t> indices = shuffled_indices(count, run.stream());
  run.add_timed(operation, count, count * (2 * record_bytes + sizeof(std::uint32_t)), [&](cudaStream_t s) {
    kernels::gather_fixed(records.data(), record_bytes, indices.data(), count, gathered.data(), s);
  });
}

/// Takes records of 100 bytes with a key of 10 at their beginning. Traffic counts the piece of memory with the prefix,
/// and the pair written.
void bench_extraction(BenchRun& run, std::uint64_t count) {
  const std::string operation = "prefixes of 100 B";
  if (!run.wants(operation)) return;
  const Array<std::byte> records = random_records(count, kGensortBytes, run.stream());
  const Array<std::uint64_t> prefixes(count);
  const Array<std::uint32_t> indices(count);
  kernels::RecordKeys keys;
  keys.plan.part_count = 1;
  keys.plan.key_bytes = kGensortKeyBytes;
  keys.plan.parts[0].bytes = kGensortKeyBytes;
  keys.records = records.data();
  keys.record_bytes = kGensortBytes;
  run.add_timed(operation, count, count * (kFetchBytes + kPairBytes), [&](cudaStream_t s) {
    kernels::extract_prefixes(keys, 0, count, {prefixes.data(), indices.data()}, s);
  });
}

}  // namespace

void bench_records(BenchRun& run, std::uint64_t count) {
  for (const std::uint64_t record_bytes : kRecordBytes) bench_gather(run, count, record_bytes);
  bench_extraction(run, count);
}

}  // namespace sortie::bench
