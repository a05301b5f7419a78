#include "tools/gen/file_generator.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/checksum.hpp"
#include "tools/common/ordered_pipeline.hpp"
#include "tools/common/record_checksum.hpp"

namespace sortie::tools {
namespace {

constexpr std::uint64_t kPartBytes = 2 << 20;

struct Part {
  std::uint64_t begin = 0;
  std::uint64_t count = 0;
  std::string records;
  Checksum sum;
};

}  // namespace

Checksum generate_records(const RecordSource& source, std::uint64_t record_count, unsigned threads, bool sum,
                          const ByteSink& sink) {
  const unsigned workers = worker_threads(threads);
  const std::uint64_t part_records = std::max<std::uint64_t>(kPartBytes / source.typical_record_bytes(), 1);
  std::vector<Part> parts(2 * workers + 1);
  std::uint64_t begin = 0;
  Checksum total;

  const auto take_part = [&](Part& part) {
    part.begin = begin;
    part.count = std::min(part_records, record_count - begin);
    begin += part.count;
    return part.count > 0;
  };
  const auto fill_part = [&](Part& part) {
    source.generate(part.begin, part.count, part.records);
    if (sum) part.sum = record_checksum(source.layout(), std::as_bytes(std::span(part.records)));
  };
  const auto pass_part = [&](const Part& part) {
    total += part.sum;
    sink(std::as_bytes(std::span(part.records)));
  };
  run_in_order(workers, parts, take_part, fill_part, pass_part);
  return total;
}

}  // namespace sortie::tools
