// Reads any bytes as length-prefixed records and compares with a plain reader: where records end, alone and in ranges
// for parallel work; and records that are turned into lines and back, whose order must be that of their keys.
//
//   | descending | ranges wanted | records |
#include <string>
#include <vector>

#include "fuzz/fuzz_target.hpp"
#include "record/prefixed/prefixed_oracle.hpp"
#include "record/record_scan.hpp"
#include "record/text/record_codec.hpp"
#include "support/record_data.hpp"

namespace sortie {
namespace {

using fuzz::require;
using test::as_bytes;
using test::PrefixedText;

void check_walk(std::string_view bytes, const std::vector<PrefixedText>& records, std::size_t wanted) {
  const Layout layout = layout_of(parse_format("prefixed"));
  std::size_t whole = 0;
  for (const PrefixedText& record : records) whole += record.raw.size();
  require(whole_records(layout, as_bytes(bytes)) == whole, "records end where their lengths say");
  const auto ranges = split_records(layout, as_bytes(bytes.substr(0, whole)), wanted);
  require(bytes_of(ranges) == whole && ranges.size() <= wanted, "ranges cover all whole records");
  std::size_t count = 0;
  for (const auto range : ranges) {
    for_each_record(layout, range, [&](const std::byte* data, std::uint64_t stored) {
      require(count < records.size() && as_text({data, stored}) == records[count].raw, "a range has whole records");
      ++count;
    });
  }
  require(count == records.size(), "every record is found");
}

void check_lines(const std::vector<PrefixedText>& records, bool descending) {
  const RecordCodec codec = RecordCodec::make(test::parsed("prefixed", {}, descending), false);
  const RecordOrder order(codec.sorted_format());
  std::string before;
  std::string_view key_before;
  for (std::size_t i = 0; i < records.size(); ++i) {
    EncodedLines out;
    codec.encode(as_bytes(records[i].raw), i, out);
    std::string line(as_text(out.bytes()));
    require(line.find(order.layout().delimiter) == line.size() - 1, "a record is kept as one line");
    require(codec.original_bytes(as_bytes(line)) == records[i].raw.size(), "its length is known");
    if (i > 0) {
      const bool is_after = order.compare(as_bytes(before), as_bytes(line)) < 0;
      const int keys = descending ? records[i].key.compare(key_before) : key_before.compare(records[i].key);
      require(is_after == (keys <= 0), "lines order as keys, then as places");
    }
    before = line;
    key_before = records[i].key;
    require(as_text(codec.restore(test::as_writable(line))) == records[i].raw, "a record comes back as it was");
  }
}

void check(fuzz::InputReader input) {
  const bool descending = input.byte() % 2 != 0;
  const std::size_t wanted = 1 + input.byte() % 16;
  const std::string_view bytes = input.rest();
  const std::vector<PrefixedText> records = test::read_prefixed(bytes);
  check_walk(bytes, records, wanted);
  check_lines(records, descending);
}

}  // namespace
}  // namespace sortie

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sortie::check({data, size});
  return 0;
}
