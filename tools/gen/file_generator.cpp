#include "tools/gen/file_generator.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_pipeline.h>

#include "base/checksum.hpp"
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
  namespace tbb = oneapi::tbb;
  const unsigned workers = threads != 0 ? threads : static_cast<unsigned>(tbb::info::default_concurrency());
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, workers);
  const std::uint64_t part_records = std::max<std::uint64_t>(kPartBytes / source.typical_record_bytes(), 1);
  // Parts leave in the order in which they come. There are as many tokens as parts, so each part is free when its turn
  // comes.
  std::vector<Part> parts(2 * workers + 1);
  std::uint64_t begin = 0;
  std::size_t turn = 0;
  Checksum total;

  const auto next_part = [&](tbb::flow_control& flow) -> Part* {
    if (begin == record_count) {
      flow.stop();
      return nullptr;
    }
    Part& part = parts[turn++ % parts.size()];
    part.begin = begin;
    part.count = std::min(part_records, record_count - begin);
    begin += part.count;
    return &part;
  };
  const auto fill_part = [&](Part* part) {
    source.generate(part->begin, part->count, part->records);
    if (sum) part->sum = record_checksum(source.layout(), std::as_bytes(std::span(part->records)));
    return part;
  };
  const auto pass_part = [&](Part* part) {
    total += part->sum;
    sink(std::as_bytes(std::span(part->records)));
  };
  tbb::parallel_pipeline(parts.size(), tbb::make_filter<void, Part*>(tbb::filter_mode::serial_in_order, next_part) &
                                           tbb::make_filter<Part*, Part*>(tbb::filter_mode::parallel, fill_part) &
                                           tbb::make_filter<Part*, void>(tbb::filter_mode::serial_in_order, pass_part));
  return total;
}

}  // namespace sortie::tools
