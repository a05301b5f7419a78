// The search for many line ends at a time, against one search per end.
#include "record/line_ends.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "support/record_data.hpp"

namespace sortie {
namespace {

using namespace test;

std::vector<std::size_t> expected_ends(const std::string& bytes, char delimiter) {
  std::vector<std::size_t> ends;
  for (std::size_t at = bytes.find(delimiter); at != std::string::npos; at = bytes.find(delimiter, at + 1)) {
    ends.push_back(at + 1);
  }
  return ends;
}

// All ends, found with room for `capacity` at a time.
std::vector<std::size_t> found_ends(const std::string& bytes, char delimiter, std::size_t capacity) {
  std::vector<std::size_t> ends;
  std::vector<std::uint32_t> room(capacity, 77);
  for (std::size_t begin = 0; begin < bytes.size();) {
    const LineEnds found = find_line_ends(as_bytes(bytes).subspan(begin), delimiter, room);
    EXPECT_LE(found.count, capacity);
    EXPECT_GT(found.scanned, 0U);
    for (std::size_t i = 0; i < found.count; ++i) ends.push_back(begin + room[i]);
    begin += found.scanned;
  }
  return ends;
}

TEST(LineEnds, AreFoundWhereverTheyLie) {
  std::mt19937_64 random(3);
  for (const unsigned mean_bytes : {1, 2, 5, 20, 70, 1000}) {
    for (const std::size_t size : {0, 1, 63, 64, 65, 127, 128, 129, 5000}) {
      std::string bytes(size, 'x');
      for (char& byte : bytes) byte = random() % mean_bytes == 0 ? '\n' : static_cast<char>(random());
      SCOPED_TRACE(std::to_string(mean_bytes) + " bytes a line, " + std::to_string(size) + " bytes");
      for (const std::size_t capacity : {kLeastLineEnds, kLeastLineEnds + 1, 4 * kLeastLineEnds}) {
        EXPECT_EQ(found_ends(bytes, '\n', capacity), expected_ends(bytes, '\n'));
        EXPECT_EQ(found_ends(bytes, '\0', capacity), expected_ends(bytes, '\0'));
      }
    }
  }
}

TEST(LineEnds, AreNoneInALongLine) {
  const std::string bytes(10'000, 'x');
  std::vector<std::uint32_t> room(kLeastLineEnds);
  const LineEnds found = find_line_ends(as_bytes(bytes), '\n', room);
  EXPECT_EQ(found.count, 0U);
  EXPECT_EQ(found.scanned, bytes.size());
}

}  // namespace
}  // namespace sortie
