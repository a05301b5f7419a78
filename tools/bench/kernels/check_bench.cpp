// Benches the checks that prove a sort right: order checks of sorted and of random keys, and checksums. All of them
// only read. Their limit is a copy of as many bytes, so a share of 50% means the time in which the bytes that they
// read could have been copied. Traffic counts the bytes read.
#include <string>

#include "bench/kernels/families.hpp"
#include "kernels/check_order.hpp"
#include "kernels/checksum_records.hpp"

namespace sortie::bench {
namespace {

constexpr std::uint64_t kRecordBytes[] = {8, 16, 64, 100, 200};

template <class Key>
void bench_order_checks(BenchRun& run, const std::string& operation, std::uint64_t count) {
  if (!run.wants(operation)) return;
  const Array<Key> keys(count);
  const Array<kernels::OrderCheck> check(1);
  for (const KeyDistribution distribution : {KeyDistribution::kSorted, KeyDistribution::kUniform}) {
    fill_keys(distribution, keys.data(), count, run.stream());
    Measurement row{operation, distribution, count, count * sizeof(Key)};
    row.milliseconds =
        run.milliseconds([&](cudaStream_t s) { kernels::check_order(keys.data(), count, check.data(), s); });
    run.add(std::move(row));
  }
}

template <class Number>
void bench_number_checksum(BenchRun& run, const std::string& operation, std::uint64_t count) {
  if (!run.wants(operation)) return;
  const Array<Number> numbers(count);
  const Array<Checksum> sum(1);
  fill_keys(KeyDistribution::kUniform, numbers.data(), count, run.stream());
  Measurement row{operation, KeyDistribution::kUniform, count, count * sizeof(Number)};
  row.milliseconds =
      run.milliseconds([&](cudaStream_t s) { kernels::add_number_checksum(numbers.data(), count, sum.data(), s); });
  run.add(std::move(row));
}

void bench_record_checksum(BenchRun& run, std::uint64_t record_bytes, std::uint64_t count) {
  const std::string operation = "checksum " + std::to_string(record_bytes) + " B";
  if (!run.wants(operation)) return;
  const Array<std::uint32_t> words(count * record_bytes / sizeof(std::uint32_t));
  const Array<Checksum> sum(1);
  fill_keys(KeyDistribution::kUniform, words.data(), count * record_bytes / sizeof(std::uint32_t), run.stream());
  Measurement row{operation, KeyDistribution::kUniform, count, count * record_bytes};
  row.milliseconds = run.milliseconds([&](cudaStream_t s) {
    kernels::add_record_checksum(reinterpret_cast<const std::byte*>(words.data()), record_bytes, count, sum.data(), s);
  });
  run.add(std::move(row));
}

}  // namespace

void bench_checks(BenchRun& run, std::uint64_t count) {
  bench_order_checks<std::uint32_t>(run, "order check u32", count);
  bench_order_checks<std::uint64_t>(run, "order check u64", count);
  bench_number_checksum<std::uint32_t>(run, "checksum u32", count);
  bench_number_checksum<std::uint64_t>(run, "checksum u64", count);
  for (const std::uint64_t record_bytes : kRecordBytes) bench_record_checksum(run, record_bytes, count);
}

}  // namespace sortie::bench
