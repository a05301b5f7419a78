#include "tools/gen/record_source.hpp"

#include <algorithm>
#include <vector>

#include <sortie/error.hpp>

#include "base/checksum.hpp"
#include "base/quote.hpp"
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

Uint128 parse_record_number(std::string_view text) {
  constexpr Uint128 kMax = ~Uint128{0};
  Uint128 number = 0;
  bool valid = !text.empty();
  for (const char character : text) {
    const auto digit = static_cast<unsigned>(character - '0');
    valid = valid && digit <= 9 && number <= (kMax - digit) / 10;
    number = number * 10 + digit;
  }
  if (!valid) throw Error("first record '" + escape_unprintable(text) + "' is not a decimal number below 2^128");
  return number;
}

void VariousSource::generate(std::uint64_t begin, std::uint64_t count, std::string& records) const {
  records.clear();
  for (std::uint64_t position = begin; position < begin + count; ++position) {
    std::uint64_t code = 0;
    keys().fill(position, {&code, 1});
    append_record(position, code, records);
  }
}

std::unique_ptr<RecordSource> make_record_source(const DataSet& data_set) {
  if (data_set.ascii && data_set.kind != "gensort") throw Error("-a is for gensort records; leave it out");
  if (data_set.kind == "gensort") return make_gensort_source(data_set);
  if (data_set.kind == "lines") return make_line_source(data_set);
  if (data_set.kind == "letters") return make_letters_source(data_set);
  if (data_set.kind == "prefixed") return make_prefixed_source(data_set);
  if (data_set.kind == "sam") return make_sam_source(data_set);
  if (data_set.kind == "log") return make_log_source(data_set);
  if (auto numbers = make_number_source(data_set)) return numbers;
  throw Error("unknown kind '" + escape_unprintable(data_set.kind) +
              "'; known: gensort, lines, letters, log, prefixed, u32, i32, u64, i64, f32, f64");
}

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
