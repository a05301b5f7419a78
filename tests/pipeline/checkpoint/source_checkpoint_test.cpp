// A sort of a source that can be made again goes on with the runs that it has kept; so does a shard of one.
#include <sortie/sort.hpp>

#include <cstddef>
#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sortie/error.hpp>
#include <sortie/shard.hpp>

#include "pipeline/record_stream_support.hpp"
#include "support/temporary_directory.hpp"

namespace sortie {
namespace {

using testing::HasSubstr;

constexpr std::size_t kLines = 200'000;

/// Gives the lines, and breaks before it has given the last half.
RecordSource broken_source() {
  const std::string lines = test::numbered_lines(kLines);
  return [source = test::source_of(lines, 5000), left = lines.size() / 2](std::span<std::byte> target) mutable {
    if (left < 5000) throw Error("the source broke");
    const std::size_t bytes = source(target);
    left -= bytes;
    return bytes;
  };
}

class SourceCheckpoint : public testing::Test {
 protected:
  SortOptions options(RecordSource source, const std::string& identity) {
    SortOptions asked;
    asked.source = std::move(source);
    asked.source_identity = identity;
    asked.sink = test::sink_to(sorted_);
    asked.memory_bytes = kMinMemoryBytes;
    asked.threads = 2;
    asked.engine = EngineChoice::kCpu;
    asked.checkpoint_directory = directory_ / "kept";
    return asked;
  }

  std::string refusal(const SortOptions& asked) {
    try {
      sort(asked);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }

  const test::TemporaryDirectory directory_;
  std::string sorted_;
};

TEST_F(SourceCheckpoint, GoesOnBehindTheRunsThatWereKept) {
  EXPECT_THAT(refusal(options(broken_source(), "numbers")), HasSubstr("the source broke"));
  ASSERT_TRUE(directory_.names().contains("kept"));
  const SortReport report = sort(options(test::source_of(test::numbered_lines(kLines), 777), "numbers"));
  EXPECT_GT(report.runs_resumed, 1U);
  EXPECT_EQ(report.input_records, kLines);
  EXPECT_EQ(sorted_, test::sorted_lines(kLines));
  EXPECT_TRUE(directory_.names().empty());
}

TEST_F(SourceCheckpoint, IsOfOneSourceAlone) {
  refusal(options(broken_source(), "numbers"));
  const RecordSource source = test::source_of(test::numbered_lines(kLines), 777);
  EXPECT_THAT(refusal(options(source, "other numbers")), HasSubstr("other inputs"));
  EXPECT_THAT(refusal(options(source, "")), HasSubstr("a source with an identity"));
}

class SourceShard : public SourceCheckpoint {
 protected:
  ShardReport form(const RecordSource& source, const std::string& identity) {
    SortOptions asked = options(source, identity);
    asked.checkpoint_directory.clear();
    asked.sink = {};
    ShardRequest request;
    request.directory = directory_ / "shard";
    return form_shard(asked, request);
  }
};

TEST_F(SourceShard, IsToldFromAShardOfAnotherSource) {
  const RecordSource source = test::source_of(test::numbered_lines(kLines), 777);
  const ShardReport report = form(source, "numbers");
  EXPECT_EQ(report.input.records, kLines);
  EXPECT_GT(report.runs.size(), 1U);
  EXPECT_EQ(form(source, "numbers").runs.size(), report.runs.size());
  EXPECT_THROW(form(source, "other numbers"), Error);
  EXPECT_THROW(form(source, ""), Error);
}

}  // namespace
}  // namespace sortie
