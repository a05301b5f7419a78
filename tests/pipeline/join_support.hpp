// Shared parts of the tests of whole joins.
#pragma once

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include <sortie/join.hpp>
#include <sortie/text_keys.hpp>

#include "pipeline/pipeline_support.hpp"

namespace sortie::test {

/// Two inputs and the output of a join in a directory of their own.
class JoinForTest {
 public:
  JoinForTest(const std::string& left, const std::string& right) {
    SortOptions& sort = options.sort;
    sort.format = parsed("lines");
    sort.format.text.keys = {parse_text_key("1,1")};
    sort.format.text.separator = ",";
    sort.inputs = write_inputs(directory, {left, right});
    sort.output = directory / "output";
    sort.memory_bytes = kMinMemoryBytes;
    sort.threads = 2;
    std::filesystem::create_directory(scratch);
    sort.scratch_directories = {scratch};
  }

  std::string output() const { return read_whole_file(options.sort.output); }
  std::string refusal() const {
    return error_of([&] { join(options); });
  }
  void expect_no_scratch_files() const { EXPECT_TRUE(std::filesystem::is_empty(scratch)); }

  TemporaryDirectory directory;
  JoinOptions options;
  const std::string scratch = directory / "scratch";
};

/// Lines "number,name,rest" with numbers in order.
inline std::string lines_of_numbers(int count, int step, const std::string& name) {
  std::string lines;
  for (int i = 0; i < count; ++i) {
    std::string number = std::to_string(i * step);
    number.insert(0, 8 - number.size(), '0');
    lines += number + "," + name + std::string(static_cast<std::size_t>(i % 40), 'x') + "\n";
  }
  return lines;
}

inline std::string in_random_order(const std::string& lines) {
  std::vector<std::string_view> all = records_of(layout_of(parsed("lines")), lines);
  std::shuffle(all.begin(), all.end(), std::mt19937_64(1));
  std::string result;
  for (const std::string_view line : all) result += line;
  return result;
}

}  // namespace sortie::test
