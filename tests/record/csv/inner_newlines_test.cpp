#include "record/csv/quote_scanner.hpp"

#include <gtest/gtest.h>

#include "record/csv/csv_oracle.hpp"
#include "support/record_data.hpp"

namespace sortie {
namespace {

using test::as_bytes;
using test::as_writable;

std::string as_line(std::string_view record) {
  std::string line(line_room(record.size()), '\x01');
  auto* const begin = reinterpret_cast<std::byte*>(line.data());
  const std::byte* const end = write_as_line(as_bytes(record), begin);
  EXPECT_LE(end, begin + line.size());
  line.resize(static_cast<std::size_t>(end - begin));
  return line;
}

void expect_there_and_back(const std::string& record) {
  std::string line = as_line(record);
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  EXPECT_EQ(line.size() - record_offset(as_bytes(line)), record.size());
  EXPECT_EQ(as_text(restore_newlines(as_writable(line))), record);
}

TEST(InnerNewlines, ARecordWithoutThemGetsOneByteMore) {
  EXPECT_EQ(as_line("a,b\n"), std::string("\0a,b\n", 5));
  EXPECT_EQ(as_line("\n"), std::string("\0\n", 2));
}

TEST(InnerNewlines, ComeBackWhereTheyWere) {
  for (const char* record : {"\n", "a\n", "\n\n", "\n\n\n\n", "a\nb\n", "\"a\n\",\"\nb\"\n", " \n \n"}) {
    expect_there_and_back(record);
  }
  for (const std::size_t gap : {62, 63, 64, 65, 4095, 4096, 4097, 300000}) {
    expect_there_and_back(std::string(gap, 'x') + "\n" + std::string(gap, ' ') + "\n\n");
  }
}

TEST(InnerNewlines, ComeBackAmongAnyBytes) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  for (std::uint64_t seed = 1; seed < 100; ++seed) {
    expect_there_and_back(test::random_csv(seed * 7, seed, all) + "\n");
    expect_there_and_back(test::random_csv(seed, seed, "\n\n ") + "\n");
  }
}

}  // namespace
}  // namespace sortie
