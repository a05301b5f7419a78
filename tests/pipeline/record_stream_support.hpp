// Shared parts of the tests of sorts whose records come from the program and go back to it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <sortie/record_stream.hpp>
#include <sortie/sort.hpp>

#include "support/temporary_directory.hpp"

namespace sortie::test {

/// Gives `text` in pieces of `piece_bytes`.
inline RecordSource source_of(std::string text, std::size_t piece_bytes) {
  return [text = std::move(text), piece_bytes, at = std::size_t{0}](std::span<std::byte> target) mutable {
    const std::size_t bytes = std::min({piece_bytes, target.size(), text.size() - at});
    std::copy_n(reinterpret_cast<const std::byte*>(text.data()) + at, bytes, target.begin());
    at += bytes;
    return bytes;
  };
}

inline RecordSink sink_to(std::string& text) {
  return [&text](std::span<const std::byte> records) {
    text.append(reinterpret_cast<const char*>(records.data()), records.size());
  };
}

inline std::string numbered_lines(std::size_t count) {
  std::string lines;
  for (std::size_t i = 0; i < count; ++i) lines += std::to_string(i * 7919 % count + 1'000'000'000) + "\n";
  return lines;
}

inline std::string sorted_lines(std::size_t count) {
  std::string lines;
  for (std::size_t i = 0; i < count; ++i) lines += std::to_string(i + 1'000'000'000) + "\n";
  return lines;
}

/// Scratch files go to a directory of its own, so that the test sees what is left.
class RecordStreamTest : public testing::Test {
 protected:
  RecordStreamTest() {
    options_.scratch_directories = {directory_ / ""};
    options_.engine = EngineChoice::kCpu;
    options_.threads = 2;
  }

  bool is_empty() const { return std::filesystem::is_empty(directory_.path()); }

  TemporaryDirectory directory_;
  SortOptions options_;
};

}  // namespace sortie::test
