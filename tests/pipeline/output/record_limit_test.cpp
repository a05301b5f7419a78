#include "pipeline/output/part_writer.hpp"

#include <gtest/gtest.h>

#include "support/record_data.hpp"

namespace sortie {
namespace {

using namespace test;

TEST(RecordLimit, CutsOffBehindTheFirstRecordsHoweverPartsAreCut) {
  for (const Format& format : {parsed("lines"), parsed("u32"), parsed("fixed:12", {"u8@0"})}) {
    const std::string all = make_records(format, Distribution::kUniform, 100);
    const auto records = records_of(layout_of(format), all);
    for (const std::size_t part_records : {1, 3, 100}) {
      for (const std::size_t most : {0, 1, 3, 50, 99, 100, 101}) {
        RecordLimit limit(format, most, true);
        std::string kept;
        for (std::size_t begin = 0; begin < records.size(); begin += part_records) {
          std::string part;
          for (std::size_t i = begin; i < std::min(begin + part_records, records.size()); ++i) part += records[i];
          kept += as_text(limit.apply(as_writable(part)));
        }
        const std::string expected = joined({records.begin(), records.begin() + std::min<std::ptrdiff_t>(most, 100)});
        EXPECT_TRUE(kept == expected);
        EXPECT_EQ(limit.dropped(), totals_of(format, as_bytes(all.substr(kept.size())), true));
      }
    }
  }
}

TEST(RecordLimit, TakesEmptyParts) {
  RecordLimit limit(parsed("lines"), 1, false);
  EXPECT_TRUE(limit.apply({}).empty());
  std::string line = "a\n";
  EXPECT_EQ(as_text(limit.apply(as_writable(line))), "a\n");
}

}  // namespace
}  // namespace sortie
